#pragma once
/// \file
/// VTK PolyData files (XML, appended raw, little endian) and the .pvd collections that give them
/// their times: what ParaView and VTK's Python read. Written by hand because the format is a page of
/// XML around plain arrays, and VTK is a large dependency.
///
/// Format: VTK File Formats, XML, "PolyData", version 1.0 with 64-bit block headers.

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

namespace talus::record {

/// One array on points or cells.
struct VtpArray {
    std::string name;
    int components = 1;
    std::variant<std::vector<double>, std::vector<std::int64_t>, std::vector<std::int32_t>, std::vector<std::uint8_t>> values;
};

/// Cells of one kind by their points: those of cell k end before `offsets[k]`.
struct VtpCells {
    std::vector<std::int64_t> connectivity, offsets;
    void add(std::vector<std::int64_t> points);
};

struct VtpMesh {
    std::vector<double> points;     ///< x y z of each [m]
    VtpCells vertices, lines, polygons;
    std::vector<VtpArray> point_data, cell_data;  ///< cells in the order vertices, lines, polygons
    double time = 0.0;              ///< [s], stored as TimeValue

    [[nodiscard]] std::size_t size() const { return points.size() / 3; }
    /// Every point becomes a vertex cell, which is what glyphs need.
    void add_vertices();
};

/// \throws IoError when the file cannot be written.
void write_vtp(const std::string& path, const VtpMesh& mesh);

struct PvdEntry {
    double time = 0.0;   ///< [s]
    std::string file;    ///< relative to the .pvd
};
void write_pvd(const std::string& path, const std::vector<PvdEntry>& entries);

}  // namespace talus::record
