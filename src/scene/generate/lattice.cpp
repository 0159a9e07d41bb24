/// \file
/// Regular lattices: square and triangular in the plane; cubic, face-centred (square layers) and
/// hexagonal close-packed (triangular layers) in space. All have neighbours `spacing` apart.
#include <cmath>

#include "scene/generate/generator_registry.h"
#include "scene/read.h"

namespace talus {
namespace {

using namespace scene;

struct LatticePlan {
    std::string kind;
    std::vector<std::int64_t> counts;
    double spacing = 0.0, jitter = 0.0;
    Point origin = Point::Zero();
    bool shorter = false;
    std::optional<Region> within;
    std::int64_t limit = std::numeric_limits<std::int64_t>::max();
};

/// Node (i, j, k) of a lattice of unit spacing.
Point node_at(const std::string& kind, double i, double j, double k) {
    const bool odd_j = static_cast<std::int64_t>(j) % 2 != 0, odd_k = static_cast<std::int64_t>(k) % 2 != 0;
    if (kind == "triangular") return {i + (odd_j ? 0.5 : 0.0), j * std::sqrt(0.75), 0.0};
    if (kind == "fcc") return {i + (odd_k ? 0.5 : 0.0), j + (odd_k ? 0.5 : 0.0), k * std::sqrt(0.5)};
    if (kind == "hexagonal")
        return {i + (odd_j != odd_k ? 0.5 : 0.0), std::sqrt(0.75) * (j + (odd_k ? 1.0 / 3.0 : 0.0)),
                k * std::sqrt(2.0 / 3.0)};
    return {i, j, k};
}

LatticePlan read_plan(GeneratorInput& input) {
    Reader& keys = input.keys;
    Context& context = keys.context();
    const auto dim = static_cast<std::size_t>(context.dimension());
    LatticePlan plan;
    plan.kind = keys.choice("kind",
                            dim == 2 ? std::vector<std::string>{"square", "triangular"}
                                     : std::vector<std::string>{"cubic", "fcc", "hexagonal"},
                            "");
    plan.counts.assign(3, 1);
    if (const Node* node = keys.need("counts", dim == 2 ? "[10, 10]" : "[10, 10, 10]")) {
        if (!node->is_list() || node->items.size() != dim) {
            keys.fail("counts",
                      "'counts' is " +
                          (node->is_list() ? "a list of " + std::to_string(node->items.size()) : describe(*node)) +
                          "; write " + std::to_string(dim) + " whole numbers");
        } else {
            for (std::size_t k = 0; k < dim; ++k)
                plan.counts[k] =
                    read_integer(node->items[k], "counts[" + std::to_string(k) + "]", 1, 1'000'000, context)
                        .value_or(1);
        }
    }
    plan.spacing = keys.number("spacing", quantity::length, range::positive, 2.0 * input.sizes.max());
    plan.origin = keys.vector("origin", quantity::length);
    plan.jitter = keys.number("jitter", quantity::length, range::not_negative, 0.0);
    plan.shorter = keys.choice("odd_rows", {"full", "shorter"}, "full") == "shorter";
    if (const Node* within = keys.find("within"))
        plan.within = read_region(*within, "'within' of " + keys.what(), context);
    plan.limit = keys.integer("limit", 1, std::numeric_limits<std::int64_t>::max(), plan.limit);
    return plan;
}

std::vector<GeneratedGrain> make_lattice(GeneratorInput& input) {
    const LatticePlan plan = read_plan(input);
    std::vector<GeneratedGrain> balls;
    if (!input.keys.context().errors.empty()) return balls;
    Random random(input.seed);
    const int dim = input.scene.dimension;
    for (std::int64_t k = 0; k < plan.counts[2]; ++k)
        for (std::int64_t j = 0; j < plan.counts[1]; ++j)
            for (std::int64_t i = 0; i < plan.counts[0] - (plan.shorter && j % 2 != 0 ? 1 : 0); ++i) {
                GeneratedGrain ball;
                ball.radius = input.sizes.draw(balls.size(), random);
                ball.position = plan.origin + plan.spacing * node_at(plan.kind, static_cast<double>(i),
                                                                     static_cast<double>(j), static_cast<double>(k));
                for (int a = 0; plan.jitter > 0.0 && a < dim; ++a)
                    ball.position[a] += random.uniform(-plan.jitter, plan.jitter);
                // A ball that touches the region's edge is inside, rounding or not.
                if (plan.within && plan.within->depth(ball.position) < ball.radius * (1.0 - 1e-9)) continue;
                balls.push_back(ball);
                if (static_cast<std::int64_t>(balls.size()) == plan.limit) return balls;
            }
    return balls;
}

}  // namespace

void register_lattice(GeneratorRegistry& registry) {
    registry.add("lattice", {make_lattice, false, Generator::Grains::shaped});
}

}  // namespace talus
