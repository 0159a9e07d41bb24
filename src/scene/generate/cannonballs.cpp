/// \file
/// Stacks of equal balls: pyramids on a square or triangular base in space, of rows in the plane. A
/// ball lies in the hollow between those below it; `spacing` may open the layers.
#include <cmath>

#include "scene/generate/generator_registry.h"

namespace talus {
namespace {

using namespace scene;

/// Centres of one layer with `side` balls along its edge, around the middle, unit spacing.
std::vector<std::array<double, 2>> layer(const std::string& base, std::int64_t side) {
    std::vector<std::array<double, 2>> centres;
    const double middle = 0.5 * static_cast<double>(side - 1);
    if (base == "row") {
        for (std::int64_t i = 0; i < side; ++i) centres.push_back({static_cast<double>(i) - middle, 0.0});
    } else if (base == "square") {
        for (std::int64_t j = 0; j < side; ++j)
            for (std::int64_t i = 0; i < side; ++i)
                centres.push_back({static_cast<double>(i) - middle, static_cast<double>(j) - middle});
    } else {
        // Rows of side, side - 1, ...; the centroid of the triangle is a third of its height up.
        const double height = std::sqrt(0.75);
        for (std::int64_t j = 0; j < side; ++j)
            for (std::int64_t i = 0; i < side - j; ++i)
                centres.push_back({static_cast<double>(i) + 0.5 * static_cast<double>(j) - middle,
                                   height * (static_cast<double>(j) - middle * 2.0 / 3.0)});
    }
    return centres;
}

std::vector<GeneratedGrain> make_cannonballs(GeneratorInput& input) {
    Reader& keys = input.keys;
    const bool plane = input.scene.dimension == 2;
    const std::int64_t layers = keys.need_integer("layers", 1, 1000, "10");
    const std::string base = plane ? "row" : keys.choice("base", {"square", "triangular"}, "");
    const Point origin = keys.vector("origin", quantity::length);
    const double diameter = 2.0 * input.sizes.max();
    const double spacing = keys.number("spacing", quantity::length, range::positive, diameter);
    const bool fixed_base = keys.flag("fixed_base", false);
    if (input.sizes.min() != input.sizes.max())
        keys.fail("layers", "a stack needs equal balls; write one 'diameter' or 'radius'");
    // Square of the horizontal distance from a hollow to the balls around it, over spacing^2.
    const double hollow = base == "row" ? 0.25 : base == "square" ? 0.5 : 1.0 / 3.0;
    const double rise2 = diameter * diameter - hollow * spacing * spacing;
    if (spacing < diameter * (1.0 - 1e-12) || rise2 <= 0.0)
        keys.fail("spacing", "balls cannot be stacked at this spacing; write one from the diameter to 1.4 of it");
    std::vector<GeneratedGrain> balls;
    if (!keys.context().errors.empty()) return balls;
    for (std::int64_t k = 0; k < layers; ++k)
        for (const auto& centre : layer(base, layers - k)) {
            GeneratedGrain ball;
            ball.radius = input.sizes.max();
            ball.position = origin + input.scene.frame.at(spacing * centre[0], spacing * centre[1],
                                                          static_cast<double>(k) * std::sqrt(rise2));
            ball.fixed = fixed_base && k == 0;
            balls.push_back(ball);
        }
    return balls;
}

}  // namespace

void register_cannonballs(GeneratorRegistry& registry) { registry.add("cannonballs", {make_cannonballs, false}); }

}  // namespace talus
