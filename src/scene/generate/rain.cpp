/// \file
/// Layers of grains one above the other, each grain disturbed within its own cell, so that they never
/// overlap and arrive one after the other.
#include <algorithm>
#include <cmath>

#include "scene/generate/generator_registry.h"
#include "scene/read.h"

namespace talus {
namespace {

using namespace scene;

/// Cell centres of one layer such that a ball anywhere in its cell lies inside the cross-section.
std::vector<std::array<double, 2>> cells_of(const CrossSection& section, double pitch, double play, double radius) {
    const double reach = play + radius;
    double low[2], high[2];
    section.bounds(low, high);
    const bool plane = section.dimension == 2;
    const auto fits = [&](double s, double t) {
        if (section.kind != CrossSection::Kind::disk) return true;
        const double ds = s - section.centre[0], dt = t - section.centre[1];
        return std::sqrt(ds * ds + dt * dt) + std::sqrt(2.0) * play + radius <= section.radius;
    };
    std::int64_t n[2] = {1, 1};
    double first[2] = {section.centre[0], section.centre[1]};
    for (int k = 0; k < section.dimension - 1; ++k) {
        const double room = high[k] - low[k] - 2.0 * reach;
        n[k] = room < -1e-12 * pitch ? 0 : static_cast<std::int64_t>(room / pitch + 1e-9) + 1;
        first[k] = 0.5 * (low[k] + high[k]) - 0.5 * pitch * static_cast<double>(n[k] - 1);
    }
    std::vector<std::array<double, 2>> cells;
    for (std::int64_t j = 0; j < n[1]; ++j)
        for (std::int64_t i = 0; i < n[0]; ++i) {
            const double s = first[0] + pitch * static_cast<double>(i),
                         t = plane ? 0.0 : first[1] + pitch * static_cast<double>(j);
            if (fits(s, t)) cells.push_back({s, t});
        }
    return cells;
}

struct RainPlan {
    CrossSection section;
    std::int64_t count = 1;
    double height = 0.0, spacing = 1.5, dispersion = 0.0;
};

RainPlan read_plan(Reader& keys) {
    Context& context = keys.context();
    RainPlan plan;
    if (const Node* region =
            keys.need("region", context.dimension() == 2 ? "{interval: [-1, 1]}" : "{disk: {radius: 1}}"))
        plan.section = read_cross_section(*region, "'region' of " + keys.what(), context);
    plan.count = keys.need_integer("count", 1, 100'000'000, "1000");
    plan.height = keys.need_number("height", quantity::length, range::any, "1");
    plan.spacing = keys.number("spacing", quantity::number, {1.0, 1000.0, false, false}, plan.spacing);
    plan.dispersion = keys.number("dispersion", quantity::velocity, range::not_negative, 0.0);
    return plan;
}

std::vector<GeneratedGrain> make_rain(GeneratorInput& input) {
    const RainPlan plan = read_plan(input.keys);
    std::vector<GeneratedGrain> balls;
    if (!input.keys.context().errors.empty()) return balls;
    const double diameter = 2.0 * input.sizes.max(), pitch = plan.spacing * diameter;
    // A centre may move this far without leaving its cell; a hair less, so that rounding makes no touch.
    const double play = 0.5 * (pitch - diameter) * (1.0 - 1e-6);
    auto cells = cells_of(plan.section, pitch, play, 0.5 * diameter);
    if (cells.empty()) {
        input.keys.fail("region", "no grain of the largest size fits in the region; widen it");
        return balls;
    }
    Random random(input.seed);
    const int dim = input.scene.dimension;
    for (std::int64_t layer = 0; static_cast<std::int64_t>(balls.size()) < plan.count; ++layer) {
        for (std::size_t i = cells.size(); i > 1; --i)
            std::swap(cells[i - 1], cells[random.below(i)]);  // a part-filled layer has no side
        for (const auto& cell : cells) {
            if (static_cast<std::int64_t>(balls.size()) == plan.count) break;
            GeneratedGrain ball;
            ball.radius = input.sizes.draw(balls.size(), random);
            const double ds = random.uniform(-play, play), dt = dim == 2 ? 0.0 : random.uniform(-play, play),
                         dz = random.uniform(-play, play);
            ball.position =
                input.scene.frame.at(cell[0] + ds, cell[1] + dt, plan.height + pitch * static_cast<double>(layer) + dz);
            ball.velocity = plan.dispersion * random.in_unit_ball(dim);
            balls.push_back(ball);
        }
    }
    return balls;
}

}  // namespace

void register_rain(GeneratorRegistry& registry) { registry.add("rain", {make_rain, false, Generator::Grains::shaped}); }

}  // namespace talus
