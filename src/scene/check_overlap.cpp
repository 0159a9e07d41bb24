// Bodies that start inside each other.
#include <algorithm>
#include <map>

#include "math/rotation.h"
#include "scene/ball_grid.h"
#include "scene/read.h"
#include "scene/to_world.h"
#include "talus/error.h"

namespace talus::scene {

namespace {

/// Overlaps below this part of the smaller diameter are rounding: balls that touch.
constexpr double tolerance = 1e-6;

/// A ball of the scene with what decides whether its overlaps matter.
struct Candidate {
    Point centre;
    double radius;
    bool is_wall;
    int glued_to;  ///< body, or -1
    int owner;     ///< body index, or -1 - group index
};

std::vector<Candidate> candidates(const Scene& scene) {
    std::vector<Candidate> all;
    for (std::size_t i = 0; i < scene.bodies.size(); ++i) {
        const auto& body = scene.bodies[i];
        const bool free = std::any_of(body.motion.freedoms.begin(), body.motion.freedoms.end(),
                                      [](const Freedom& f) { return f.kind == Freedom::Kind::free; });
        if (body.is_ball) all.push_back({body.position, body.radius, !free, -1, static_cast<int>(i)});
    }
    for (const auto& ball : scene.balls)
        all.push_back({ball.position, ball.radius, ball.fixed, ball.glued_to, -1 - ball.group});
    return all;
}

/// The worst overlap of balls of one owner with another, and how many there are.
struct Worst {
    double depth = 0.0;
    Point where = Point::Zero();
    std::size_t count = 0;
};

class Overlaps {
public:
    explicit Overlaps(Context& context) : context_(context) {}

    /// A ball of `owner` at `where` is `depth` inside `other`.
    void note(int owner, int other, double depth, const Point& where) {
        Worst& worst = worst_[{owner, other}];
        ++worst.count;
        if (depth <= worst.depth) return;
        worst.depth = depth;
        worst.where = where;
    }
    void report() const {
        for (const auto& [owners, worst] : worst_) {
            const auto [owner, other] = owners;
            const std::string more =
                worst.count > 1 ? " (the deepest of " + std::to_string(worst.count) + " overlaps)" : "";
            context_.errors.add(mark_of(owner), "the ball of " + name_of(owner) + " at " +
                                                    context_.point_text(worst.where) + " overlaps " +
                                                    (owner == other ? "another one" : name_of(other)) + " by " +
                                                    number_text(context_.user(worst.depth, quantity::length), 3) +
                                                    more + "; move one of them, or write 'allow: [overlap]'");
        }
    }

private:
    std::string name_of(int owner) const {
        const Scene& scene = context_.scene;
        const std::string& name = owner < 0 ? scene.groups[static_cast<std::size_t>(-1 - owner)].name
                                            : scene.bodies[static_cast<std::size_t>(owner)].name;
        return name.empty() ? "the entry at " + mark_of(owner).text() : "'" + name + "'";
    }
    Mark mark_of(int owner) const {
        const Scene& scene = context_.scene;
        return owner < 0 ? scene.groups[static_cast<std::size_t>(-1 - owner)].mark
                         : scene.bodies[static_cast<std::size_t>(owner)].mark;
    }

    Context& context_;
    std::map<std::pair<int, int>, Worst> worst_;
};

void check_balls(const std::vector<Candidate>& all, const Scene& scene, Overlaps& overlaps) {
    BallGrid grid(scene.dimension, scene.periodic, scene.cell_low, scene.cell_high);
    for (const auto& ball : all) grid.insert(grid.wrapped(ball.centre), ball.radius);
    for (std::size_t i = 0; i < all.size(); ++i)
        grid.for_each_near(grid.centre(i), all[i].radius, [&](std::size_t j) {
            if (j <= i) return;
            const Candidate &a = all[i], &b = all[j];
            const bool a_wall = a.is_wall || a.glued_to >= 0, b_wall = b.is_wall || b.glued_to >= 0;
            if ((a_wall && b_wall) || (a.glued_to >= 0 && a.glued_to == b.owner) ||
                (b.glued_to >= 0 && b.glued_to == a.owner))
                return;
            const double depth = a.radius + b.radius - grid.between(grid.centre(i), grid.centre(j)).norm();
            if (depth > tolerance * 2.0 * std::min(a.radius, b.radius))
                overlaps.note(b.owner, a.owner, depth, b.centre);
        });
}

/// Each boundary alone in a world judges the balls; the engine's own geometry, so that both agree.
template <int Dim>
void check_boundaries(const std::vector<Candidate>& all, Context& context, Overlaps& overlaps, bool report_overlap) {
    const Scene& scene = context.scene;
    for (std::size_t i = 0; i < scene.bodies.size(); ++i) {
        if (scene.bodies[i].is_ball) continue;
        World<Dim> world(settings_of<Dim>(scene, scene.stages.front()));
        world.add_material("any");
        try {
            auto spec = boundary_spec<Dim>(scene.bodies[i]);
            spec.material = 0;
            world.add_boundary(spec);
        } catch (const InputError& e) {
            context.errors.add(scene.bodies[i].mark, e.what());
            continue;
        }
        if (!report_overlap) continue;
        for (const auto& ball : all) {
            if (ball.is_wall || ball.glued_to >= 0) continue;
            const double depth = -world.clearance(ball.centre.head<Dim>(), ball.radius);
            if (depth > tolerance * 2.0 * ball.radius)
                overlaps.note(ball.owner, static_cast<int>(i), depth, ball.centre);
        }
    }
}

}  // namespace

void check_overlap(Context& context) {
    const bool report_overlap = !context.allowed.contains("overlap");
    const auto all = candidates(context.scene);
    Overlaps overlaps(context);
    if (context.dimension() == 2) {
        check_boundaries<2>(all, context, overlaps, report_overlap);
    } else {
        check_boundaries<3>(all, context, overlaps, report_overlap);
    }
    if (report_overlap) check_balls(all, context.scene, overlaps);
    overlaps.report();
}

}  // namespace talus::scene
