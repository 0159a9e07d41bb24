#include "view/geometry.h"

#include <cstring>

#include "math/rotation.h"
#include "record/boundary_mesh.h"
#include "record/vectors.h"
#include "shapes/outline.h"

namespace talus::view {

namespace {

void add_point(Mesh& mesh, const Eigen::Vector3d& x) {
    for (const double v : {x.x(), x.y(), x.z()}) mesh.points.push_back(static_cast<float>(v));
}

/// A convex loop of points as a fan, with its border.
void add_loop(Mesh& mesh, const std::vector<std::uint32_t>& loop) {
    for (std::size_t k = 2; k < loop.size(); ++k) mesh.triangles.insert(mesh.triangles.end(), {loop[0], loop[k - 1], loop[k]});
    for (std::size_t k = 0; k < loop.size(); ++k) mesh.edges.insert(mesh.edges.end(), {loop[k], loop[(k + 1) % loop.size()]});
}

void add_piece(Mesh& mesh, const Piece<2>& piece) {
    std::vector<std::uint32_t> loop;
    for (const Vec<2>& x : outline(piece)) {
        loop.push_back(static_cast<std::uint32_t>(mesh.points.size() / 3));
        add_point(mesh, {x.x(), x.y(), 0.0});
    }
    add_loop(mesh, loop);
}
void add_piece(Mesh& mesh, const Piece<3>& piece) {
    const Surface s = surface(piece);
    const auto first = static_cast<std::uint32_t>(mesh.points.size() / 3);
    for (const Vec<3>& x : s.points) add_point(mesh, x);
    for (const auto& face : s.faces) {
        std::vector<std::uint32_t> loop;
        for (const std::int32_t k : face) loop.push_back(first + static_cast<std::uint32_t>(k));
        add_loop(mesh, loop);
    }
}

Eigen::Quaterniond in_space(const Rotation<2>& r) { return Eigen::Quaterniond(Eigen::AngleAxisd(r.angle, Eigen::Vector3d::UnitZ())); }
Eigen::Quaterniond in_space(const Rotation<3>& r) { return r.q; }

/// One cell of the mesh of all boundaries, taken back into the axes of its body.
void add_cell(Mesh& mesh, const record::VtpMesh& world, const record::VtpCells& cells, std::size_t cell, const Eigen::Isometry3d& to_body) {
    const auto begin = static_cast<std::size_t>(cell == 0 ? 0 : cells.offsets[cell - 1]), end = static_cast<std::size_t>(cells.offsets[cell]);
    std::vector<std::uint32_t> loop;
    for (std::size_t k = begin; k < end; ++k) {
        const double* x = world.points.data() + 3 * cells.connectivity[k];
        loop.push_back(static_cast<std::uint32_t>(mesh.points.size() / 3));
        add_point(mesh, to_body * Eigen::Vector3d(x[0], x[1], x[2]));
    }
    if (loop.size() == 2) mesh.edges.insert(mesh.edges.end(), loop.begin(), loop.end());
    else add_loop(mesh, loop);
}

template <int Dim>
std::map<std::int64_t, Mesh> boundary_meshes(const Snapshot<Dim>& s) {
    const record::VtpMesh world = record::boundary_mesh(s);
    const auto& ids = std::get<std::vector<std::int64_t>>(world.cell_data[0].values);
    std::map<std::int64_t, Mesh> meshes;
    // Cell data come body by body. The plane has lines only, space has polygons only.
    const record::VtpCells& cells = world.polygons.offsets.empty() ? world.lines : world.polygons;
    for (std::size_t cell = 0; cell < ids.size(); ++cell) {
        const std::int64_t id = ids[cell];
        const auto i = s.index_of(id);
        if (i < 0) continue;
        Eigen::Vector3d centre = Eigen::Vector3d::Zero();
        for (int k = 0; k < Dim; ++k) centre[k] = s.position[static_cast<std::size_t>(i)][k];
        Eigen::Isometry3d pose = Eigen::Isometry3d::Identity();
        pose.translate(centre).rotate(in_space(s.rotation[static_cast<std::size_t>(i)]));
        add_cell(meshes[id], world, cells, cell, pose.inverse());
    }
    return meshes;
}

template <class T>
void put(std::string& out, T value) {
    char bytes[sizeof(T)];
    std::memcpy(bytes, &value, sizeof(T));
    out.append(bytes, sizeof(T));
}

void put_mesh(std::string& out, std::int64_t number, const Mesh& mesh) {
    put(out, static_cast<std::int32_t>(number));
    put(out, static_cast<std::uint32_t>(mesh.points.size() / 3));
    put(out, static_cast<std::uint32_t>(mesh.triangles.size() / 3));
    put(out, static_cast<std::uint32_t>(mesh.edges.size() / 2));
    for (const float x : mesh.points) put(out, x);
    for (const std::uint32_t k : mesh.triangles) put(out, k);
    for (const std::uint32_t k : mesh.edges) put(out, k);
}

}  // namespace

template <int Dim>
void add_geometry(Geometry& geometry, const Snapshot<Dim>& s, bool replace) {
    for (std::size_t i = 0; i < s.size(); ++i) {
        if (s.is_ball(i) || s.radius[i] == 0.0 || geometry.shapes.contains(s.shape[i])) continue;
        Mesh mesh;
        for (const Piece<Dim>& piece : s.solid(i).pieces) add_piece(mesh, piece);
        geometry.shapes.emplace(s.shape[i], std::move(mesh));
    }
    for (auto& [id, mesh] : boundary_meshes(s))
        if (replace || !geometry.boundaries.contains(id)) geometry.boundaries[id] = std::move(mesh);
}

std::string encode_geometry(const Geometry& geometry) {
    std::string out = "TLG1";
    put(out, static_cast<std::uint32_t>(geometry.shapes.size()));
    put(out, static_cast<std::uint32_t>(geometry.boundaries.size()));
    for (const auto& [number, mesh] : geometry.shapes) put_mesh(out, number, mesh);
    for (const auto& [id, mesh] : geometry.boundaries) put_mesh(out, id, mesh);
    return out;
}

template void add_geometry<2>(Geometry&, const Snapshot<2>&, bool);
template void add_geometry<3>(Geometry&, const Snapshot<3>&, bool);

}  // namespace talus::view
