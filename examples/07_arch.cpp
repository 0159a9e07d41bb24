// 07  An arch of blocks that stands, and one that does not
//
// Bodies may have any convex shape. Here 15 voussoirs make a semicircular arch of mean radius 1 m. Statics
// (Milankovitch 1907) says that with these joints it needs a thickness of 0.1063 m; nothing holds the blocks but
// their weight and friction. A little thicker it stands, a little thinner it falls.

#include <talus/talus.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <numbers>
#include <vector>

/// How far the blocks have come after `seconds` [m].
double sag(double thickness, double seconds) {
    talus::Settings<2> settings;
    settings.gravity = {0.0, -9.81};
    settings.step = 2e-3;
    settings.touch = 1e-6;             // faces laid on each other touch, whatever the last bit of a position
    settings.solver.tolerance = 1e-6;
    settings.solver.max_sweeps = 20000;
    talus::World<2> world(settings);
    const auto stone = world.add_material("stone");
    world.set_law(stone, stone, {"coulomb", 0.7, 0.0, 0.0});
    world.add_boundary({.shape = {"plane", {0.0, 1.0}}, .material = stone});

    const int count = 15;
    const double inner = 1.0 - 0.5 * thickness, outer = 1.0 + 0.5 * thickness;
    for (int k = 0; k < count; ++k) {
        const double a = std::numbers::pi * k / count, b = std::numbers::pi * (k + 1) / count;
        talus::BodySpec<2> block;      // its corners in the axes of the world: the position stays zero
        block.shape = {"polygon", {inner * std::cos(a), inner * std::sin(a), outer * std::cos(a), outer * std::sin(a),
                                   outer * std::cos(b), outer * std::sin(b), inner * std::cos(b), inner * std::sin(b)}};
        block.density = 2400.0;
        block.material = stone;
        world.add_body(block);
    }
    const std::vector<talus::Vec<2>> start(world.positions().begin(), world.positions().end());
    while (world.time() < seconds) world.step();
    double moved = 0.0;
    for (std::size_t i = 0; i < world.size(); ++i) moved = std::max(moved, (world.positions()[i] - start[i]).norm());
    return moved;
}

int main() {
    const double thick = sag(1.03 * 0.10627, 2.0), thin = sag(0.97 * 0.10627, 4.0);
    std::printf("3 %% thicker than needed: %.1e m after 2 s\n3 %% thinner:             %.2f m after 4 s\n", thick, thin);
    return thick < 1e-3 && thin > 0.3 ? 0 : 1;
}
