#include "record/vtp.h"

#include <fmt/format.h>

#include <bit>
#include <string_view>

#include "record/output_file.h"

namespace talus::record {
namespace {

static_assert(std::endian::native == std::endian::little, "appended data are written as they lie in memory");

const char* type_name(double) { return "Float64"; }
const char* type_name(std::int64_t) { return "Int64"; }
const char* type_name(std::int32_t) { return "Int32"; }
const char* type_name(std::uint8_t) { return "UInt8"; }

/// Collects the XML and, beside it, the blocks its offsets point to.
class Appended {
public:
    template <class T>
    std::string array(const std::string& name, int components, const std::vector<T>& values) {
        const std::uint64_t bytes = values.size() * sizeof(T);
        const std::size_t offset = data_.size();
        data_.append(reinterpret_cast<const char*>(&bytes), sizeof(bytes));
        data_.append(reinterpret_cast<const char*>(values.data()), bytes);
        return fmt::format(R"(<DataArray type="{}" Name="{}" NumberOfComponents="{}" format="appended" offset="{}"/>)"
                           "\n", type_name(T{}), name, components, offset);
    }
    std::string arrays(const std::vector<VtpArray>& all) {
        std::string xml;
        for (const auto& a : all) {
            xml += std::visit([&](const auto& values) { return array(a.name, a.components, values); }, a.values);
        }
        return xml;
    }
    std::string cells(const char* tag, const VtpCells& c) {
        return fmt::format("<{0}>\n{1}{2}</{0}>\n", tag, array("connectivity", 1, c.connectivity),
                           array("offsets", 1, c.offsets));
    }
    [[nodiscard]] std::string_view data() const { return data_; }

private:
    std::string data_;
};

}  // namespace

void VtpCells::add(std::vector<std::int64_t> points) {
    connectivity.insert(connectivity.end(), points.begin(), points.end());
    offsets.push_back(static_cast<std::int64_t>(connectivity.size()));
}

void VtpMesh::add_vertices() {
    for (std::size_t i = 0; i < size(); ++i) vertices.add({static_cast<std::int64_t>(i)});
}

void write_vtp(const std::string& path, const VtpMesh& mesh) {
    Appended out;
    std::string xml = "<?xml version=\"1.0\"?>\n"
                      "<VTKFile type=\"PolyData\" version=\"1.0\" byte_order=\"LittleEndian\" header_type=\"UInt64\">\n"
                      "<PolyData>\n";
    xml += fmt::format("<FieldData>\n<DataArray type=\"Float64\" Name=\"TimeValue\" NumberOfTuples=\"1\" "
                       "format=\"ascii\">{}</DataArray>\n</FieldData>\n", mesh.time);
    xml += fmt::format("<Piece NumberOfPoints=\"{}\" NumberOfVerts=\"{}\" NumberOfLines=\"{}\" "
                       "NumberOfStrips=\"0\" NumberOfPolys=\"{}\">\n", mesh.size(), mesh.vertices.offsets.size(),
                       mesh.lines.offsets.size(), mesh.polygons.offsets.size());
    xml += "<PointData>\n" + out.arrays(mesh.point_data) + "</PointData>\n";
    xml += "<CellData>\n" + out.arrays(mesh.cell_data) + "</CellData>\n";
    xml += "<Points>\n" + out.array("Points", 3, mesh.points) + "</Points>\n";
    xml += out.cells("Verts", mesh.vertices) + out.cells("Lines", mesh.lines) + out.cells("Strips", {}) +
           out.cells("Polys", mesh.polygons);
    xml += "</Piece>\n</PolyData>\n<AppendedData encoding=\"raw\">\n_";
    OutputFile file(path);
    file.write(xml);
    file.write(out.data());
    file.write("\n</AppendedData>\n</VTKFile>\n");
    file.close();
}

void write_pvd(const std::string& path, const std::vector<PvdEntry>& entries) {
    std::string xml = "<?xml version=\"1.0\"?>\n<VTKFile type=\"Collection\" version=\"1.0\" "
                      "byte_order=\"LittleEndian\">\n<Collection>\n";
    for (const auto& entry : entries) {
        xml += fmt::format("<DataSet timestep=\"{}\" part=\"0\" file=\"{}\"/>\n", entry.time, entry.file);
    }
    xml += "</Collection>\n</VTKFile>\n";
    OutputFile file(path);
    file.write(xml);
    file.close();
}

}  // namespace talus::record
