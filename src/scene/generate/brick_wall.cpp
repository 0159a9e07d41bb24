/// \file
/// A dry wall in running bond: every other course is shifted by half a brick and has half bricks at its ends.
/// Openings take whole courses; bricks that reach into one are cut, or left out. A lintel may bridge it.
#include <cmath>

#include "scene/read.h"
#include "scene/structure.h"

namespace talus {
namespace {

using namespace scene;

/// Along the wall from its left end, upwards from its base.
struct Opening {
    double low[2] = {0.0, 0.0}, high[2] = {0.0, 0.0};
    double bearing = 0.0;  ///< > 0: a lintel that reaches so far beyond each side
};

struct WallPlan {
    double length = 0.0, depth = 0.0, height = 0.0;  ///< of a brick
    std::int64_t courses = 1, bricks = 1;
    double joint = 0.0;
    bool cut = true;
    std::vector<Opening> openings;
};

using Interval = std::array<double, 2>;

Opening read_opening(const Node& node, const std::string& what, Context& context) {
    Reader keys(node, context, what);
    Opening opening;
    for (const auto& [key, out] : {std::pair("low", opening.low), std::pair("high", opening.high)})
        if (const Node* corner = keys.need(key, "[0.4, 0]"))
            if (const auto values = read_numbers(*corner, key, 2, range::any, context))
                for (std::size_t k = 0; k < 2; ++k) out[k] = context.si((*values)[k], quantity::length);
    opening.bearing = keys.number("lintel", quantity::length, range::positive, 0.0);
    if (keys.has("low") && keys.has("high") && !(opening.low[0] < opening.high[0] && opening.low[1] < opening.high[1]))
        keys.fail("high", "'high' of " + what + " is not above and beyond 'low'; exchange them");
    keys.finish();
    return opening;
}

WallPlan read_plan(GeneratorInput& input) {
    Reader& keys = input.keys;
    Context& context = keys.context();
    WallPlan plan;
    const auto dim = static_cast<std::size_t>(context.dimension());
    if (const Node* size = keys.need("brick", dim == 2 ? "[0.2, 0.1]" : "[0.2, 0.1, 0.1]"))
        if (const auto values = read_numbers(*size, "brick", dim, range::positive, context)) {
            plan.length = context.si(values->front(), quantity::length);
            plan.depth = context.si((*values)[1], quantity::length);
            plan.height = context.si(values->back(), quantity::length);
        }
    plan.courses = keys.need_integer("courses", 1, 10000, "8");
    plan.bricks = keys.need_integer("bricks", 1, 10000, "10");
    plan.joint = keys.number("joint", quantity::length, range::not_negative, 0.0);
    plan.cut = keys.flag("cut", true);
    if (plan.joint > 0.0 && plan.joint >= 0.5 * plan.length)
        keys.fail("joint", "the joints leave nothing of half bricks; write a 'joint' below half a brick");
    for (const Node* item : read_list(keys, "openings", "{low: [0.4, 0], high: [0.8, 0.4]}"))
        plan.openings.push_back(read_opening(*item, "an opening of " + keys.what(), context));
    return plan;
}

/// Bricks of a course, from the left end of the wall.
std::vector<Interval> course_of(const WallPlan& plan, std::int64_t course) {
    std::vector<Interval> bricks;
    const double end = plan.length * static_cast<double>(plan.bricks);
    double from = 0.0, to = course % 2 == 0 ? plan.length : 0.5 * plan.length;
    for (std::int64_t k = 1; from < end * (1.0 - 1e-12); ++k) {
        bricks.push_back({from, std::min(to, end)});
        from = bricks.back()[1];
        to = plan.length * (static_cast<double>(k) + (course % 2 == 0 ? 1.0 : 0.5));
    }
    return bricks;
}

/// What the hole leaves of the bricks.
std::vector<Interval> without(const std::vector<Interval>& bricks, const Interval& hole, bool cut, double least) {
    std::vector<Interval> left;
    for (const auto& b : bricks) {
        if (b[1] <= hole[0] + least || b[0] >= hole[1] - least) {
            left.push_back(b);
        } else if (cut) {
            if (hole[0] - b[0] > least) left.push_back({b[0], hole[0]});
            if (b[1] - hole[1] > least) left.push_back({hole[1], b[1]});
        }
    }
    return left;
}

std::vector<GeneratedGrain> make_wall(GeneratorInput& input) {
    const Site site(input);
    const WallPlan plan = read_plan(input);
    std::vector<GeneratedGrain> blocks;
    if (!input.keys.context().errors.empty()) return blocks;
    const double middle = 0.5 * plan.length * static_cast<double>(plan.bricks), least = 1e-6 * plan.length;
    for (std::int64_t course = 0; course < plan.courses; ++course) {
        const double low = plan.height * static_cast<double>(course), high = low + plan.height;
        auto bricks = course_of(plan, course);
        std::vector<Interval> lintels;
        for (const Opening& o : plan.openings) {
            const double slack = 1e-6 * plan.height;
            if (low < o.high[1] - slack && high > o.low[1] + slack)
                bricks = without(bricks, {o.low[0], o.high[0]}, plan.cut, least);
            // The first course that lies above the opening.
            const bool above = low >= o.high[1] - slack && low - plan.height < o.high[1] - slack;
            if (o.bearing == 0.0 || !above) continue;
            lintels.push_back({o.low[0] - o.bearing, o.high[0] + o.bearing});
            bricks = without(bricks, lintels.back(), true, least);
        }
        bricks.insert(bricks.end(), lintels.begin(), lintels.end());
        for (const auto& b : bricks)
            if (b[1] - b[0] > plan.joint + least)
                blocks.push_back(site.block(0.5 * (b[0] + b[1]) - middle, 0.5 * (low + high), b[1] - b[0] - plan.joint,
                                            plan.depth, plan.height));
    }
    return blocks;
}

}  // namespace

void register_brick_wall(GeneratorRegistry& registry) {
    registry.add("brick_wall", {make_wall, false, Generator::Grains::own});
}

}  // namespace talus
