/// \file
/// Random grains in a region, none overlapping; grains that are not round by the balls that hold them.
///
/// Random sequential addition, largest balls first, reaches about 0.35 of the volume in space and 0.5 of
/// the area in the plane. When it saturates, all balls are put in at random and pushed apart
/// (scene/packing.h), which reaches random packings. What cannot be placed is reported, never dropped.
#include <algorithm>
#include <numeric>

#include "scene/generate/generator_registry.h"
#include "scene/packing.h"
#include "scene/read.h"

namespace talus {
namespace {

using namespace scene;

struct FillPlan {
    Region region;
    std::int64_t count = 0;
    double solid_fraction = 0.0;  ///< > 0: instead of the count
    double gap = 0.0;
    std::array<bool, 3> open{};  ///< axes along which the region spans the periodic cell
};

FillPlan read_plan(GeneratorInput& input) {
    Reader& keys = input.keys;
    FillPlan plan;
    if (const Node* region = keys.need("region", "{box: {low: [0, 0], high: [1, 1]}}"))
        plan.region = read_region(*region, "'region' of " + keys.what(), keys.context());
    const std::string amount = keys.one_of({"count", "solid_fraction"}, "amount ('count' or 'solid_fraction')");
    if (amount == "count") plan.count = keys.integer("count", 1, 100'000'000, 1);
    if (amount == "solid_fraction")
        plan.solid_fraction = keys.number("solid_fraction", quantity::number, {0.0, 0.9, true, false}, 0.1);
    plan.gap = keys.number("gap", quantity::length, range::not_negative, 0.0);
    const Scene& scene = input.scene;
    Point low, high;
    plan.region.bounds(low, high);
    for (int k = 0; k < scene.dimension; ++k) {
        const double slack = 1e-9 * (scene.cell_high[k] - scene.cell_low[k]);
        plan.open[static_cast<std::size_t>(k)] = scene.periodic[static_cast<std::size_t>(k)] &&
                                                 low[k] <= scene.cell_low[k] + slack &&
                                                 high[k] >= scene.cell_high[k] - slack;
    }
    return plan;
}

double ball_volume_of(double r, int dimension) { return dimension == 2 ? M_PI * r * r : 4.0 / 3.0 * M_PI * r * r * r; }

/// Radii in the order they are drawn, until the count or the volume is reached.
std::vector<double> draw_radii(const FillPlan& plan, const GeneratorInput& input, Random& random) {
    std::vector<double> radii;
    const double wanted = plan.solid_fraction * plan.region.volume();
    double volume = 0.0;
    while (plan.count > 0 ? static_cast<std::int64_t>(radii.size()) < plan.count : volume < wanted) {
        const double r = input.sizes.draw(radii.size(), random);
        const double v = plan.count > 0 ? 0.0 : input.shapes.volume(r, input.seed, radii.size());
        // The last ball goes in when that brings the volume nearer.
        if (plan.count == 0 && volume + v - wanted > wanted - volume) break;
        volume += v;
        radii.push_back(r);
        if (radii.size() > 50'000'000) break;
    }
    return radii;
}

/// Random sequential addition; returns how many found a place.
std::size_t add_one_by_one(std::vector<PackingBall>& balls, const std::vector<std::size_t>& order,
                           const Packing& packing, BallGrid grid, Random& random) {
    constexpr int attempts = 2000;
    for (std::size_t n = 0; n < order.size(); ++n) {
        PackingBall& ball = balls[order[n]];
        bool free = false;
        for (int attempt = 0; attempt < attempts && !free; ++attempt) {
            ball.position = packing.region.sample(random, ball.margin, packing.open);
            free = packing.standing.gap(ball.position, ball.radius, 0.0) >= 0.0 &&
                   grid.gap(ball.position, ball.radius, 0.0) >= 0.0;
        }
        if (!free) return n;
        grid.insert(ball.position, ball.radius);
    }
    return order.size();
}

/// Everything at random, small, then grown in stages and pushed apart.
bool grow(std::vector<PackingBall>& balls, const Packing& packing, const BallGrid& empty, Random& random) {
    for (auto& ball : balls) ball.position = packing.region.sample(random, ball.margin, packing.open);
    std::vector<double> full;
    for (const auto& ball : balls) full.push_back(ball.radius);
    bool apart = false;
    for (const double part : {0.5, 0.7, 0.8, 0.9, 0.95, 1.0}) {
        for (std::size_t i = 0; i < balls.size(); ++i) balls[i].radius = part * full[i];
        apart = separate(balls, packing, empty);
        if (!apart) break;
    }
    for (std::size_t i = 0; i < balls.size(); ++i) balls[i].radius = full[i];
    return apart;
}

void report_failure(GeneratorInput& input, std::size_t placed, const FillPlan& plan,
                    const std::vector<PackingBall>& balls) {
    double volume = 0.0;
    for (const auto& ball : balls) volume += ball_volume_of(ball.margin, input.scene.dimension);
    const std::string fraction = number_text(volume / plan.region.volume(), 3);
    input.keys.fail("region", "only " + std::to_string(placed) + " of " + std::to_string(balls.size()) +
                                  " balls could be placed at random (they would take " + fraction +
                                  " of the region); enlarge the region or lower the " +
                                  (plan.count > 0 ? "count" : "solid fraction"));
}

std::vector<GeneratedGrain> make_fill(GeneratorInput& input) {
    const FillPlan plan = read_plan(input);
    std::vector<GeneratedGrain> made;
    if (!input.keys.context().errors.empty()) return made;
    const int dim = input.scene.dimension;
    Random random(input.seed);
    const auto radii = draw_radii(plan, input, random);
    std::vector<PackingBall> balls;
    for (const double r : radii) balls.push_back({Point::Zero(), r + 0.5 * plan.gap, r});
    std::vector<std::size_t> order(balls.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return radii[a] > radii[b]; });
    const BallGrid empty(dim, input.scene.periodic, input.scene.cell_low, input.scene.cell_high);
    const Packing packing{plan.region, plan.open, input.placed};
    const std::size_t placed = add_one_by_one(balls, order, packing, empty, random);
    if (placed < balls.size() && !grow(balls, packing, empty, random)) {
        report_failure(input, placed, plan, balls);
        return made;
    }
    for (std::size_t i = 0; i < balls.size(); ++i)
        made.push_back({empty.wrapped(balls[i].position), radii[i], Point::Zero(), false});
    return made;
}

}  // namespace

void register_fill(GeneratorRegistry& registry) { registry.add("fill", {make_fill, false, Generator::Grains::shaped}); }

}  // namespace talus
