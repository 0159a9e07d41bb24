#pragma once
/// \file
/// From the parts of a scene to what a world is built from.

#include "math/rotation.h"
#include "scene/scene.h"
#include "talus/world.h"

namespace talus::scene {

template <int Dim>
[[nodiscard]] Settings<Dim> settings_of(const Scene& scene, const Stage& stage) {
    Settings<Dim> settings;
    settings.gravity = stage.gravity.head<Dim>();
    settings.step = stage.step;
    settings.adaptive = stage.adaptive;
    settings.rule = stage.rule;
    settings.touch = stage.touch;
    settings.position_correction = stage.position_correction;
    settings.solver = stage.solver;
    for (int k = 0; k < Dim; ++k)
        settings.periodic[static_cast<std::size_t>(k)] = scene.periodic[static_cast<std::size_t>(k)];
    settings.cell_low = scene.cell_low.head<Dim>();
    settings.cell_high = scene.cell_high.head<Dim>();
    return settings;
}

template <int Dim>
[[nodiscard]] BoundarySpec<Dim> boundary_spec(const BodyPlan& body) {
    BoundarySpec<Dim> spec;
    spec.shape = body.shape;
    spec.position = body.position.head<Dim>();
    spec.rotation = rotation_by<Dim>(Spin<Dim>(body.turn.head<spin_size<Dim>>()));
    spec.material = body.material;
    spec.mass = body.mass;
    spec.inertia = body.inertia.head<spin_size<Dim>>();
    spec.has_weight = body.has_weight;
    spec.tag = body.tag;
    return spec;
}

template <int Dim>
[[nodiscard]] BallSpec<Dim> ball_spec(const BodyPlan& body, const Scene& scene) {
    BallSpec<Dim> spec;
    spec.position = body.position.head<Dim>();
    spec.radius = body.radius;
    spec.density = scene.materials[static_cast<std::size_t>(body.material)].density;
    spec.mass = body.mass;
    spec.inertia = body.inertia[0];
    spec.material = body.material;
    spec.velocity = body.velocity.head<Dim>();
    spec.spin = body.spin.head<spin_size<Dim>>();
    spec.rotation = rotation_by<Dim>(Spin<Dim>(body.turn.head<spin_size<Dim>>()));
    spec.tag = body.tag;
    return spec;
}

template <int Dim>
[[nodiscard]] BodySpec<Dim> solid_spec(const BodyPlan& body, const Scene& scene) {
    BodySpec<Dim> spec;
    spec.shape = body.shape;
    spec.position = body.position.head<Dim>();
    spec.rotation = rotation_by<Dim>(Spin<Dim>(body.turn.head<spin_size<Dim>>()));
    spec.density = scene.materials[static_cast<std::size_t>(body.material)].density;
    spec.mass = body.mass;
    spec.inertia = body.inertia.head<spin_size<Dim>>();
    spec.material = body.material;
    spec.tag = body.tag;
    spec.fixed = !body.is_made_free();
    spec.has_weight = body.has_weight;
    return spec;
}

template <int Dim>
[[nodiscard]] BodySpec<Dim> solid_spec(const GrainPlan& grain, const Scene& scene) {
    BodySpec<Dim> spec;
    spec.shape = scene.shapes[static_cast<std::size_t>(grain.shape)];
    spec.position = grain.position.head<Dim>();
    spec.rotation = rotation_by<Dim>(Spin<Dim>(grain.turn.head<spin_size<Dim>>()));
    spec.density = scene.materials[static_cast<std::size_t>(grain.material)].density;
    spec.mass = grain.mass;
    spec.material = grain.material;
    spec.velocity = grain.velocity.head<Dim>();
    spec.spin = grain.spin.head<spin_size<Dim>>();
    spec.tag = grain.tag;
    spec.fixed = grain.fixed;
    return spec;
}

template <int Dim>
[[nodiscard]] BallSpec<Dim> ball_spec(const GrainPlan& ball, const Scene& scene) {
    BallSpec<Dim> spec;
    spec.position = ball.position.head<Dim>();
    spec.radius = ball.radius;
    spec.density = scene.materials[static_cast<std::size_t>(ball.material)].density;
    spec.mass = ball.mass;
    spec.material = ball.material;
    spec.velocity = ball.velocity.head<Dim>();
    spec.spin = ball.spin.head<spin_size<Dim>>();
    spec.tag = ball.tag;
    spec.fixed = ball.fixed;
    return spec;
}

}  // namespace talus::scene
