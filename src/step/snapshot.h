#pragma once
/// \file
/// One instant of a world as plain data: what recorders write, run files give back, observables
/// measure, figures draw and scenes start from. A snapshot owns its arrays and knows no solver.

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "shapes/shape_table.h"
#include "talus/world.h"

namespace talus {

template <int Dim>
struct Snapshot {
    double time = 0.0;           ///< [s]
    std::int64_t step = 0;
    double h = 0.0;              ///< time step [s]: force = impulse / h
    Vec<Dim> gravity = Vec<Dim>::Zero();
    std::array<bool, Dim> periodic{};
    Vec<Dim> cell_low = Vec<Dim>::Zero(), cell_high = Vec<Dim>::Zero();

    // bodies, parallel arrays
    std::vector<BodyId> id;
    std::vector<Vec<Dim>> position;
    std::vector<Eigen::Matrix<std::int32_t, Dim, 1>> image;
    std::vector<Rotation<Dim>> rotation;
    std::vector<Vec<Dim>> velocity;
    std::vector<Spin<Dim>> spin;
    std::vector<double> radius;       ///< of the ball, or of one that holds the body; 0 for boundaries
    std::vector<double> mass;
    std::vector<Spin<Dim>> inertia;   ///< principal moments [kg m2]
    std::vector<MaterialId> material;
    std::vector<std::int32_t> tag;
    std::vector<double> birth;
    std::vector<std::uint8_t> driven;
    std::vector<std::uint8_t> wall;   ///< 1: no free freedom
    std::vector<std::int32_t> shape;  ///< into `shapes`

    std::vector<ShapeSpec> shapes;            ///< 0 is the ball
    std::shared_ptr<const ShapeTable<Dim>> geometry;  ///< of `shapes`; may be null where all bodies are balls
    std::vector<std::string> material_names;

    std::vector<Contact<Dim>> contacts;       ///< of the step that ended at `time`
    std::vector<Joint<Dim>> joints;           ///< with the impulses of that step; not in run files
    std::vector<ContactSum<Dim>> sums;        ///< over the recording interval, when asked for
    double sums_seconds = 0.0;                ///< length of that interval [s]

    [[nodiscard]] std::size_t size() const { return id.size(); }
    [[nodiscard]] bool is_ball(std::size_t i) const { return shape.empty() || shape[i] == 0; }
    /// Its pieces; only for bodies that are not balls.
    [[nodiscard]] const Solid<Dim>& solid(std::size_t i) const { return geometry->solid(shape[i]); }
    /// Volume (area in the plane) of a grain; 0 when the shape does not tell.
    [[nodiscard]] double volume(std::size_t i) const;
    /// Inertia of a grain in world axes [kg m2].
    [[nodiscard]] Eigen::Matrix<double, spin_size<Dim>, spin_size<Dim>> world_inertia(std::size_t i) const;
    /// Index of a body, or -1. Ids increase, so this is a binary search.
    [[nodiscard]] std::ptrdiff_t index_of(BodyId body) const;
};

/// What a snapshot need not have: copies of what nobody asks for take memory while it is written.
struct SnapshotParts {
    bool contacts = true;   ///< those of the last step, and their sums
    bool rotation = true, velocity = true, spin = true, mass = true, inertia = true, tag = true, birth = true;   ///< arrays of bodies
};

/// Copies the present state; parts that are left out are empty.
template <int Dim>
[[nodiscard]] Snapshot<Dim> take_snapshot(const World<Dim>& world, const SnapshotParts& parts = {});

}  // namespace talus
