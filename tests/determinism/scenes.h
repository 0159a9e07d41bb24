#pragma once
/// \file
/// Scenes whose bits are compared: between two runs, before and after a resume, with a stored hash.
/// Each has its own `advance`, so that bodies that come and go are part of the scene.

#include <functional>
#include <span>
#include <string>

#include "../physics/testbed.h"

namespace talus::test {

/// A world with what happens to it between steps.
template <int Dim>
struct Scene {
    Bench<Dim> bench;
    std::function<void(Bench<Dim>&)> before_step = [](Bench<Dim>&) {};

    StepReport advance() {
        before_step(bench);
        return bench.world.step();
    }
    void advance(int n) {
        for (int i = 0; i < n; ++i) advance();
    }
};

/// Everyday settings, not those of tests of exactness.
template <int Dim>
[[nodiscard]] Settings<Dim> everyday(double h, double gravity = g) {
    Settings<Dim> s = exact_settings<Dim>(h, gravity);
    s.solver = {};
    return s;
}

/// Balls on a lattice, sizes and velocities drawn, `count` of them above height `low`.
template <int Dim>
void add_lattice(Bench<Dim>& bench, int count, int across, double low, std::uint64_t seed) {
    Random random(seed);
    for (int i = 0; i < count; ++i) {
        Vec<Dim> c;
        int index = i;
        for (int k = 0; k + 1 < Dim; ++k, index /= across) c[k] = 0.5 + index % across;
        c[Dim - 1] = low + index;
        bench.ball(c, random.uniform(0.25, 0.48), random.vector<Dim>(-1.0, 1.0), random.spin<Dim>(1.0));
    }
}

/// Grains that fall into a box and pile up, with restitution.
template <int Dim>
[[nodiscard]] Scene<Dim> settling(int count, const char* solver = "nlgs") {
    Settings<Dim> settings = everyday<Dim>(5e-3);
    settings.solver.name = solver;
    Scene<Dim> scene{Bench<Dim>(settings, {"coulomb", 0.5, 0.3, 0.1})};
    std::vector<double> sides(Dim, 5.0);
    sides.back() = 100.0;
    scene.bench.boundary({"box_inside", sides}, Vec<Dim>::Constant(2.5) + 47.5 * up<Dim>());
    add_lattice(scene.bench, count, 5, 0.6, 7);
    return scene;
}

/// A shaken periodic bed whose grains are emitted, removed and frozen while it runs; sums are kept.
template <int Dim>
[[nodiscard]] Scene<Dim> coming_and_going(int count) {
    Settings<Dim> settings = everyday<Dim>(5e-3);
    for (int k = 0; k + 1 < Dim; ++k) {
        settings.periodic[k] = true;
        settings.cell_high[k] = 5.0;
    }
    settings.solver.name = "nlgs";
    settings.solver.order = SweepOrder::random;
    settings.solver.seed = 42;
    Scene<Dim> scene{Bench<Dim>(settings, {"coulomb", 0.5, 0.2, 0.0})};
    const BodyId floor = scene.bench.floor();
    scene.bench.world.drive(floor, Dim - 1, sine(0.1, 3.0, 0.0));
    scene.bench.world.accumulate_contacts(true);
    add_lattice(scene.bench, count, 5, 0.6, 8);
    scene.before_step = [](Bench<Dim>& bench) {
        const std::int64_t n = bench.world.steps();
        if (n % 7 == 3) {
            const Vec<Dim> c = Vec<Dim>::Constant(1.0 + 0.1 * static_cast<double>(n % 30)) + (8.0 + 0.03 * static_cast<double>(n)) * up<Dim>();
            bench.ball(c, 0.3, -2.0 * up<Dim>());
        }
        if (n % 11 == 5) {
            const BodyId id = bench.world.ids()[1 + static_cast<std::size_t>(n) % (bench.world.size() - 1)];
            bench.world.remove(std::span(&id, 1));
        }
        if (n % 40 == 20) bench.world.freeze(bench.world.ids()[1]);
    };
    return scene;
}

/// A press: sides that close at a given speed, a loaded lid with glued teeth, position correction.
template <int Dim>
[[nodiscard]] Scene<Dim> press(int count) {
    Settings<Dim> settings = everyday<Dim>(5e-3);
    settings.position_correction = true;
    settings.solver.name = "nlgs";
    settings.solver.order = SweepOrder::symmetric;
    Scene<Dim> scene{Bench<Dim>(settings, {"coulomb", 0.4, 0.0, 0.0})};
    scene.bench.floor();
    for (int k = 0; k + 1 < Dim; ++k) {
        scene.bench.plane(axis<Dim>(k), Vec<Dim>::Zero());
        const BodyId side = scene.bench.plane(-axis<Dim>(k), 5.0 * axis<Dim>(k));
        scene.bench.world.drive(side, k, linear(-0.05));
    }
    BoundarySpec<Dim> lid;
    lid.shape = {"plane", std::vector<double>(Dim, 0.0)};
    lid.shape.sizes.back() = -1.0;
    lid.position = (2.0 + count / (Dim == 3 ? 25.0 : 5.0)) * up<Dim>();
    lid.material = scene.bench.material;
    lid.mass = 500.0;
    const BodyId id = scene.bench.world.add_boundary(lid);
    BallSpec<Dim> tooth;
    tooth.radius = 0.2;
    tooth.density = 1000.0;
    tooth.glued_to = id;
    tooth.material = scene.bench.material;
    tooth.position = lid.position + 2.5 * axis<Dim>(0);
    scene.bench.world.add_ball(tooth);
    scene.bench.world.release(id, Dim - 1);
    scene.bench.world.set_loads(id, {{Dim - 1, force(constant(-1e4)), {}}});
    add_lattice(scene.bench, count, 5, 0.6, 9);
    return scene;
}

/// One of each solid, by turns.
[[nodiscard]] inline ShapeSpec nth_solid(int i, InPlane) {
    const std::vector<ShapeSpec> all = {{"box", {0.7, 0.4}},
                                        {"capsule", {0.5, 0.15}},
                                        {"polygon", {0.4, 0.0, 0.1, 0.4, -0.3, 0.2, -0.2, -0.3, 0.2, -0.35}}};
    return all[static_cast<std::size_t>(i) % all.size()];
}
[[nodiscard]] inline ShapeSpec nth_solid(int i, InSpace) {
    const std::vector<ShapeSpec> all = {
        {"box", {0.6, 0.4, 0.3}},
        {"capsule", {0.4, 0.2}},
        {"cylinder", {0.25, 0.5}},
        {"polyhedron", {0.4, 0, 0, -0.3, 0.2, 0.1, -0.2, -0.3, 0, 0.1, 0.3, 0.3, 0, 0, -0.4, 0.2, -0.2, 0.3}},
        {"frustum", {0.3, 0.15, 0.4}}};
    return all[static_cast<std::size_t>(i) % all.size()];
}

/// Solids of every kind among balls, on a fixed block and in a box, by the `gap` rule.
template <int Dim>
[[nodiscard]] Scene<Dim> solids(int count) {
    Settings<Dim> settings = everyday<Dim>(2e-3);
    settings.rule = ContactRule::gap;
    Scene<Dim> scene{Bench<Dim>(settings, {"coulomb", 0.5, 0.0, 0.0})};
    std::vector<double> sides(Dim, 3.0);
    sides.back() = 100.0;
    scene.bench.boundary({"box_inside", sides}, Vec<Dim>::Constant(1.5) + 48.5 * up<Dim>());
    Random random(13);
    for (int i = 0; i < count; ++i) {
        Vec<Dim> c;
        int index = i;
        for (int k = 0; k + 1 < Dim; ++k, index /= 3) c[k] = 0.5 + index % 3;
        c[Dim - 1] = 0.6 + index;
        if (i % 4 == 3) {
            scene.bench.ball(c, random.uniform(0.2, 0.4));
            continue;
        }
        BodySpec<Dim> spec;
        spec.shape = nth_solid(i, std::integral_constant<int, Dim>{});
        spec.position = c;
        spec.density = 1000.0;
        spec.material = scene.bench.material;
        spec.velocity = random.vector<Dim>(-1.0, 1.0);
        spec.spin = random.spin<Dim>(3.0);
        spec.fixed = i == 0;
        scene.bench.world.add_body(spec);
    }
    return scene;
}

template <int Dim>
using SceneMaker = std::function<Scene<Dim>()>;

template <int Dim>
[[nodiscard]] std::vector<std::pair<std::string, SceneMaker<Dim>>> all_scenes() {
    const int count = Dim == 3 ? 125 : 40;
    return {{"settling", [=] { return settling<Dim>(count); }},
            {"settling_accelerated", [=] { return settling<Dim>(count, "accelerated"); }},
            {"coming_and_going", [=] { return coming_and_going<Dim>(count); }},
            {"press", [=] { return press<Dim>(count); }},
            {"solids", [=] { return solids<Dim>(Dim == 3 ? 45 : 24); }}};
}

}  // namespace talus::test
