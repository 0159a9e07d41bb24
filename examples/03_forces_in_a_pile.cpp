// 03  The forces inside a pyramid of cannonballs
//
// Contact Dynamics finds the forces that hold a pile together, not only its motion. A square pyramid of
// four layers stands on a fixed lowest layer; the program asks whether it is in equilibrium, with one
// step from rest that is undone [moreau2001, sec. 2.1], and prints what each base ball carries.

#include <talus/talus.h>

#include <cmath>
#include <cstdio>
#include <vector>

int main() {
    const int layers = 4;
    const double radius = 0.05, gravity = 9.81, hair = 1e-9;
    talus::Settings<3> settings;
    settings.gravity = {0.0, 0.0, -gravity};
    settings.step = 1e-3;
    settings.solver.tolerance = 1e-10;  // tight: forces are wanted, not a film
    settings.solver.max_sweeps = 100000;
    talus::World<3> world(settings);
    const auto iron = world.add_material("iron");
    world.set_law(iron, iron, {"coulomb", 0.4, 0.0, 0.0});

    // Neighbours within a layer are a hair apart, layers a hair into each other.
    const double spacing = 2.0 * radius * (1.0 + hair), touch = 2.0 * radius * (1.0 - hair);
    const double rise = std::sqrt(touch * touch - 0.5 * spacing * spacing);
    std::vector<talus::BodyId> base;
    for (int layer = 0; layer < layers; ++layer)
        for (int i = 0; i < layers - layer; ++i)
            for (int j = 0; j < layers - layer; ++j) {
                talus::BallSpec<3> ball;
                ball.position = {spacing * (i + 0.5 * layer), spacing * (j + 0.5 * layer), rise * layer};
                ball.radius = radius;
                ball.density = 7000.0;
                ball.material = iron;
                ball.fixed = layer == 0;
                const auto id = world.add_ball(ball);
                if (layer == 0) base.push_back(id);
            }

    const talus::Equilibrium equilibrium = world.check_equilibrium(1e-6);
    std::printf("%s: from rest the fastest ball reaches %.1e of g h\n",
                equilibrium.holds ? "in equilibrium" : "not in equilibrium", equilibrium.max_velocity / equilibrium.v_ref);

    // The check leaves the contacts for reading; force = impulse / step.
    const double weight = world.masses()[0] * gravity;
    double total = 0.0;
    for (std::size_t k = 0; k < base.size(); ++k) {
        const double carried = 1.0 - world.contact_impulse(base[k])[2] / settings.step / weight;
        std::printf("%7.4f%s", carried, (k + 1) % layers == 0 ? "\n" : "");
        total += carried;
    }
    const double expected = layers * (layers + 1) * (2 * layers + 1) / 6.0;
    std::printf("together %.6f ball weights, of %.0f balls\n", total, expected);
    return equilibrium.holds && std::abs(total - expected) < 1e-6 * expected ? 0 : 1;
}
