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

/// A ball or other solid of the scene with what decides whether its overlaps matter.
struct Candidate {
    Point centre;
    double radius;  ///< of the ball, or of one that holds the solid
    bool is_wall;
    int glued_to;   ///< body, or -1
    int owner;      ///< body index, or -1 - group index
    bool is_ball;
    std::size_t index;  ///< in the bodies or the grains of the scene

    [[nodiscard]] bool stands() const { return is_wall || glued_to >= 0; }
};

/// The two are held by a joint that keeps them from touching.
bool are_joined(const Scene& scene, int a, int b) {
    return std::any_of(scene.joints.begin(), scene.joints.end(), [&](const JointPlan& j) {
        return !j.collide && ((j.a == a && j.b == b) || (j.a == b && j.b == a));
    });
}

std::vector<Candidate> candidates(const Scene& scene) {
    std::vector<Candidate> all;
    for (std::size_t i = 0; i < scene.bodies.size(); ++i) {
        const auto& body = scene.bodies[i];
        if (!body.is_ball && !(body.is_solid && body.can_move())) continue;  // what is held is looked at as a boundary
        const double radius = body.is_ball ? body.radius : bound_of(body.shape, scene.dimension);
        all.push_back({body.position, radius, !body.can_move(), -1, static_cast<int>(i), body.is_ball, i});
    }
    for (std::size_t i = 0; i < scene.grains.size(); ++i) {
        const auto& grain = scene.grains[i];
        const bool is_ball = grain.shape < 0;
        all.push_back({grain.position, grain.radius, grain.fixed, grain.glued_to, -1 - grain.group, is_ball, i});
    }
    return all;
}

/// The worst overlap of balls or solids of one owner with another, and how many there are.
struct Worst {
    double depth = 0.0;
    bool is_ball = true;
    Point where = Point::Zero();
    std::size_t count = 0;
};

class Overlaps {
public:
    explicit Overlaps(Context& context) : context_(context) {}

    /// `body` is `depth` inside `other`, if that is more than rounding; `size` is the smaller diameter of the two.
    void note(const Candidate& body, int other, double depth, double size) {
        if (!(depth > tolerance * size)) return;
        Worst& worst = worst_[{body.owner, other}];
        ++worst.count;
        if (depth <= worst.depth) return;
        worst.depth = depth;
        worst.where = body.centre;
        worst.is_ball = body.is_ball;
    }
    void report() const {
        for (const auto& [owners, worst] : worst_) {
            const auto [owner, other] = owners;
            const std::string more =
                worst.count > 1 ? " (the deepest of " + std::to_string(worst.count) + " overlaps)" : "";
            context_.errors.add(mark_of(owner), (worst.is_ball ? "the ball of " : "the body of ") + name_of(owner) +
                                                    " at " +
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

/// All balls and solids in a world, which judges the pairs that are not two balls. Only made where there are solids.
template <int Dim>
class SolidJudge {
public:
    SolidJudge(const std::vector<Candidate>& all, const Scene& scene)
        : world_(settings_of<Dim>(scene, scene.stages.front())) {
        if (std::all_of(all.begin(), all.end(), [](const Candidate& c) { return c.is_ball; })) return;
        world_.add_material("any");
        for (const Candidate& c : all) ids_.push_back(c.is_ball ? add_ball(c) : add_solid(c, scene));
    }
    /// How deep candidate i is in candidate j; negative: apart.
    [[nodiscard]] double depth(std::size_t i, std::size_t j) const { return -world_.gap(ids_[i], ids_[j]); }

private:
    BodyId add_ball(const Candidate& c) {
        BallSpec<Dim> spec;
        spec.position = c.centre.head<Dim>();
        spec.radius = c.radius;
        spec.fixed = true;
        return world_.add_ball(spec);
    }
    BodyId add_solid(const Candidate& c, const Scene& scene) {
        auto spec = c.owner < 0 ? solid_spec<Dim>(scene.grains[c.index], scene)
                                : solid_spec<Dim>(scene.bodies[c.index], scene);
        spec.material = 0;
        spec.fixed = true;
        return world_.add_body(spec);
    }

    World<Dim> world_;
    std::vector<BodyId> ids_;
};

template <int Dim>
void check_pairs_of(const std::vector<Candidate>& all, const Scene& scene, Overlaps& overlaps) {
    const SolidJudge<Dim> judge(all, scene);
    BallGrid grid(scene.dimension, scene.periodic, scene.cell_low, scene.cell_high);
    for (const auto& c : all) grid.insert(grid.wrapped(c.centre), c.radius);
    for (std::size_t i = 0; i < all.size(); ++i)
        grid.for_each_near(grid.centre(i), all[i].radius, [&](std::size_t j) {
            if (j <= i) return;
            const Candidate &a = all[i], &b = all[j];
            if ((a.stands() && b.stands()) || (a.glued_to >= 0 && a.glued_to == b.owner) ||
                (b.glued_to >= 0 && b.glued_to == a.owner))
                return;
            if (a.owner >= 0 && b.owner >= 0 && are_joined(scene, a.owner, b.owner)) return;
            double depth = a.radius + b.radius - grid.between(grid.centre(i), grid.centre(j)).norm();
            if (depth > 0.0 && !(a.is_ball && b.is_ball)) depth = judge.depth(i, j);
            overlaps.note(b, a.owner, depth, 2.0 * std::min(a.radius, b.radius));
        });
}

/// Solids are put beside the boundary one by one: a world that is never stepped.
template <int Dim>
void check_boundary(const std::vector<Candidate>& all, World<Dim>& world, BodyId boundary, int number,
                    const Scene& scene, Overlaps& overlaps) {
    for (const auto& c : all) {
        if (c.stands() || (c.owner >= 0 && are_joined(scene, c.owner, number))) continue;
        double depth = -world.clearance(c.centre.head<Dim>(), c.radius);
        if (!c.is_ball && depth > 0.0) {
            auto spec = c.owner < 0 ? solid_spec<Dim>(scene.grains[c.index], scene)
                                    : solid_spec<Dim>(scene.bodies[c.index], scene);
            spec.material = 0;
            const BodyId solid = world.add_body(spec);
            depth = -world.gap(solid, boundary);
            world.remove({&solid, 1});
        }
        overlaps.note(c, number, depth, 2.0 * c.radius);
    }
}

/// Each boundary alone in a world judges balls and solids; the engine's own geometry, so that both agree.
template <int Dim>
void check_boundaries(const std::vector<Candidate>& all, Context& context, Overlaps& overlaps, bool report_overlap) {
    const Scene& scene = context.scene;
    for (std::size_t i = 0; i < scene.bodies.size(); ++i) {
        const BodyPlan& body = scene.bodies[i];
        if (body.is_ball) continue;
        World<Dim> world(settings_of<Dim>(scene, scene.stages.front()));
        world.add_material("any");
        BodyId boundary = -1;
        try {
            if (body.is_solid && body.can_move()) {
                auto spec = solid_spec<Dim>(body, scene);
                spec.material = 0;
                world.add_body(spec);
                continue;  // the pairs have it
            }
            auto spec = boundary_spec<Dim>(body);
            spec.material = 0;
            boundary = world.add_boundary(spec);
        } catch (const InputError& e) {
            context.errors.add(body.mark, e.what());
            continue;
        }
        if (report_overlap) check_boundary<Dim>(all, world, boundary, static_cast<int>(i), scene, overlaps);
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
    context.errors.raise();  // what the engine refuses cannot be judged further
    if (!report_overlap) return;
    if (context.dimension() == 2) {
        check_pairs_of<2>(all, context.scene, overlaps);
    } else {
        check_pairs_of<3>(all, context.scene, overlaps);
    }
    overlaps.report();
}

}  // namespace talus::scene
