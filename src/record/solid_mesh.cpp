#include "record/solid_mesh.h"

#include "math/rotation.h"
#include "record/vectors.h"
#include "shapes/outline.h"

namespace talus::record {
namespace {

/// A piece as points and faces; in the plane its outline is the one face.
struct Faces2 {
    std::vector<Vec<2>> points;
    std::vector<std::vector<std::int32_t>> faces;
};
Faces2 faces_of(const Piece<2>& piece) {
    Faces2 f{outline(piece), {{}}};
    for (std::size_t k = 0; k < f.points.size(); ++k) f.faces[0].push_back(static_cast<std::int32_t>(k));
    return f;
}
Surface faces_of(const Piece<3>& piece) { return surface(piece); }

template <int Dim>
bool is_solid(const Snapshot<Dim>& s, std::size_t i) { return s.radius[i] > 0.0 && !s.is_ball(i); }

/// Adds the pieces of body i; returns how many faces.
template <int Dim>
std::size_t add_body(const Snapshot<Dim>& s, std::size_t i, VtpMesh& mesh) {
    const Mat<Dim> axes = matrix_of<Dim>(s.rotation[i]);
    std::size_t count = 0;
    for (const Piece<Dim>& piece : s.solid(i).pieces) {
        const auto f = faces_of(piece);
        const auto first = static_cast<std::int64_t>(mesh.size());
        for (const Vec<Dim>& x : f.points) append<Dim>(mesh.points, s.position[i] + axes * x);
        for (const auto& face : f.faces) {
            std::vector<std::int64_t> points;
            for (const std::int32_t k : face) points.push_back(first + k);
            mesh.polygons.add(std::move(points));
        }
        count += f.faces.size();
    }
    return count;
}

}  // namespace

template <int Dim>
bool has_solids(const Snapshot<Dim>& s) {
    for (std::size_t i = 0; i < s.size(); ++i)
        if (is_solid(s, i)) return true;
    return false;
}

template <int Dim>
VtpMesh solid_mesh(const Snapshot<Dim>& s) {
    VtpMesh mesh;
    mesh.time = s.time;
    std::vector<std::int64_t> id;
    std::vector<std::int32_t> material, tag;
    std::vector<double> mass, birth, velocity, spin;
    std::vector<std::uint8_t> wall;
    for (std::size_t i = 0; i < s.size(); ++i) {
        if (!is_solid(s, i)) continue;
        const std::size_t faces = add_body(s, i, mesh);
        id.insert(id.end(), faces, s.id[i]);
        material.insert(material.end(), faces, s.material[i]);
        tag.insert(tag.end(), faces, s.tag[i]);
        mass.insert(mass.end(), faces, s.mass[i]);
        birth.insert(birth.end(), faces, s.birth[i]);
        wall.insert(wall.end(), faces, s.wall[i]);
        for (std::size_t k = 0; k < faces; ++k) {
            append<Dim>(velocity, s.velocity[i]);
            append_spin(spin, s.spin[i]);
        }
    }
    mesh.cell_data = {{"id", 1, id},       {"material", 1, material}, {"tag", 1, tag},
                      {"mass", 1, mass},   {"birth", 1, birth},       {"wall", 1, wall},
                      {"velocity", 3, velocity}, {"angular_velocity", 3, spin}};
    return mesh;
}

template VtpMesh solid_mesh(const Snapshot<2>&);
template VtpMesh solid_mesh(const Snapshot<3>&);
template bool has_solids(const Snapshot<2>&);
template bool has_solids(const Snapshot<3>&);

}  // namespace talus::record
