#pragma once
/// \file
/// A run file as the viewer sees it: what stays the same for all frames (title, units, shapes, extent,
/// curves of the step reports), and frames on demand.

#include <array>
#include <memory>
#include <optional>
#include <string>

#include <nlohmann/json.hpp>

#include "record/run_reader.h"
#include "view/frame_columns.h"
#include "view/geometry.h"

namespace talus::view {

/// Sizes that scales and quantisation go by, found on a few frames of the run.
struct Extent {
    std::array<double, 3> low{}, high{};   ///< box of the grains over the frames looked at [m]
    double smallest = 0.0, largest = 0.0;  ///< radii of grains [m]; 0 without any
    double max_speed = 0.0;                ///< [m/s]
    double max_force = 0.0;                ///< of a contact [N]
    bool has_grains = false;
};

/// A broken frame does not spoil an album: it is told of in `meta` and refused by `columns`.
class Album {
public:
    /// \throws IoError when the file is no run or cannot be read.
    explicit Album(const std::string& run_file);

    /// Looks at the file again, for a run that goes on; true when there is more, or the run has ended. The origin of positions stays.
    /// \throws IoError when it cannot be read at the moment; the next call tries again.
    bool refresh();

    /// \throws IoError after a `refresh` that failed.
    [[nodiscard]] const record::RunReader& reader() const;
    [[nodiscard]] std::size_t size() const { return reader().info().frames.size(); }
    [[nodiscard]] const Extent& extent() const { return extent_; }
    /// What the page must know before the first frame; `frames` has one row a frame.
    [[nodiscard]] nlohmann::json meta() const;
    /// Shapes and boundaries, packed.
    [[nodiscard]] std::string geometry() const { return encode_geometry(geometry_); }
    /// \throws IoError when there is no such frame or it cannot be read.
    [[nodiscard]] FrameColumns columns(std::size_t k, const Detail& detail) const;
    /// What `detail` starts from for quantised frames.
    [[nodiscard]] Detail compact_detail() const;

private:
    template <int Dim>
    void look_at(std::size_t k);

    void look(std::size_t k);

    std::string path_;
    std::optional<record::RunReader> reader_;
    Extent extent_;
    Geometry geometry_;
    std::array<double, 3> origin_{};
    double extent_of_geometry_ = 0.0;
    nlohmann::json space_;   ///< periodic directions and cell
};

/// At most `most` numbers spread over 0 .. count - 1, the last always among them.
[[nodiscard]] std::vector<std::size_t> spread(std::size_t count, std::size_t most);

}  // namespace talus::view
