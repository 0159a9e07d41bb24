#include "scene/build_world.h"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

#include "scene/diagnostics.h"
#include "scene/to_world.h"
#include "shapes/solids.h"
#include "talus/error.h"

namespace talus::scene {

namespace {

/// What the world refuses is told with the place in the scene.
template <class F>
BodyId placed(const Mark& mark, F&& add) {
    try {
        return add();
    } catch (const InputError& e) {
        throw InputError(mark.text() + ": " + e.what());
    }
}

template <int Dim>
const ShapeSpec& shape_of(const Snapshot<Dim>& frame, std::size_t i) {
    return frame.shapes[static_cast<std::size_t>(frame.shape[i])];
}
template <int Dim>
bool is_solid(const Snapshot<Dim>& frame, std::size_t i) {
    return frame.shape[i] != 0 && shape_registry().find(shape_of(frame, i).name).is_solid;
}
/// Not round, and nothing holds it. Without the record of driven freedoms: it is no wall.
template <int Dim>
bool is_free_solid(const Snapshot<Dim>& frame, std::size_t i) {
    return is_solid(frame, i) && (frame.driven.empty() ? frame.wall[i] == 0 : frame.driven[i] == 0);
}

/// Boundaries and walls of the scene with those of the frame: the k-th of a shape with the k-th of that shape. A
/// solid with every freedom free is a grain in both, and is not matched.
template <int Dim>
std::unordered_map<std::size_t, std::size_t> match_boundaries(const Scene& scene, const Snapshot<Dim>& frame) {
    std::unordered_map<std::string, std::vector<std::size_t>> by_shape;
    for (std::size_t i = 0; i < frame.size(); ++i)
        if (frame.shape[i] != 0 && !is_free_solid(frame, i)) by_shape[shape_of(frame, i).name].push_back(i);
    std::unordered_map<std::string, std::size_t> used;
    std::unordered_map<std::size_t, std::size_t> match;
    for (std::size_t b = 0; b < scene.bodies.size(); ++b) {
        if (scene.bodies[b].is_made_free()) continue;
        const auto& shape = scene.bodies[b].shape.name;
        const auto& candidates = by_shape[shape];
        const std::size_t k = used[shape]++;
        if (k < candidates.size()) match[b] = candidates[k];
    }
    return match;
}

/// In some stage the body is free to move in every direction. A solid that never is (a floor, a lid, a
/// piston) is a boundary: it does not touch other boundaries.
bool goes_anywhere(const Scene& scene, std::size_t b) {
    return std::any_of(scene.stages.begin(), scene.stages.end(), [&](const Stage& stage) {
        const auto& freedoms = stage.motions[b].freedoms;
        return std::all_of(freedoms.begin(), freedoms.begin() + scene.dimension,
                           [](const Freedom& f) { return f.kind == Freedom::Kind::free; });
    });
}

/// Mass and moments of a solid that serves as a boundary, where they are not stated.
template <int Dim>
void fill_inertia(BoundarySpec<Dim>& spec, double density) {
    const CentredShape<Dim> shape = centred<Dim>(spec.shape);
    if (spec.mass == 0.0) spec.mass = density * shape.volume;
    if (spec.inertia.isZero(0.0) && shape.volume > 0.0) spec.inertia = spec.mass / shape.volume * shape.inertia;
}

template <int Dim>
class Builder {
public:
    Builder(const Scene& scene, const FrameLoader<Dim>& loader)
        : scene_(scene), out_{World<Dim>(settings_of<Dim>(scene, scene.stages.front())), {}, {}, {}, {}, {}} {
        for (const auto& material : scene.materials) out_.world.add_material(material.name);
        for (const auto& law : scene.stages.front().laws) out_.world.set_law(law.a, law.b, law.law);
        if (scene.start) load_frame(loader);
    }

    BuiltWorld<Dim> build() {
        for (std::size_t b = 0; b < scene_.bodies.size(); ++b) add_body(b);
        for (const auto& joint : scene_.joints) add_joint(joint);
        out_.groups.resize(scene_.groups.size());
        out_.world.reserve(out_.world.size() + scene_.grains.size());
        for (const auto& grain : scene_.grains) add_grain(grain);
        if (scene_.start) add_frame_grains();
        std::sort(out_.attached.begin(), out_.attached.end());
        out_.attached.erase(std::unique(out_.attached.begin(), out_.attached.end()), out_.attached.end());
        return std::move(out_);
    }

private:
    void load_frame(const FrameLoader<Dim>& loader) {
        if (!loader)
            throw InputError(scene_.start->mark.text() + ": this program cannot read run files; remove 'start'");
        frame_ = loader(*scene_.start);
        match_ = match_boundaries<Dim>(scene_, frame_);
        for (const auto& [body, index] : match_) matched_.insert(index);
    }

    void add_body(std::size_t b) {
        const BodyPlan& body = scene_.bodies[b];
        const BodyId id = placed(body.mark, [&] {
            if (body.is_ball) return out_.world.add_ball(ball_spec<Dim>(body, scene_));
            if (body.is_solid && goes_anywhere(scene_, b))
                return out_.world.add_body(moved_with_frame(b, solid_spec<Dim>(body, scene_)));
            auto spec = boundary_spec<Dim>(body);
            spec.has_weight = body.has_weight && (!body.is_solid || body.weight_stated);
            if (body.is_solid) fill_inertia(spec, scene_.materials[static_cast<std::size_t>(body.material)].density);
            return out_.world.add_boundary(moved_with_frame(b, spec));
        });
        out_.bodies.push_back(id);
        out_.velocities.push_back(body.velocity.head<Dim>());
        out_.spins.push_back(body.spin.head<spin_size<Dim>>());
        const auto found = match_.find(b);
        if (found == match_.end()) return;
        id_of_[frame_.id[found->second]] = id;
        if (!scene_.start->move_boundaries || frame_.velocity.empty() || frame_.spin.empty()) return;
        out_.velocities.back() = frame_.velocity[found->second];
        out_.spins.back() = frame_.spin[found->second];
    }

    void add_joint(const JointPlan& plan) {
        JointSpec<Dim> spec;
        spec.kind = plan.kind;
        for (const int b : {plan.a, plan.b}) check_unmoved(plan, b);
        spec.a = out_.bodies[static_cast<std::size_t>(plan.a)];
        if (plan.b >= 0) spec.b = out_.bodies[static_cast<std::size_t>(plan.b)];
        spec.at = plan.at.head<Dim>();
        spec.to = plan.to.head<Dim>();
        spec.axis = plan.axis.head<Dim>();
        spec.length = plan.length;
        spec.collide = plan.collide;
        (void)placed(plan.mark, [&] { return out_.world.add_joint(spec); });
    }
    /// The place of a joint is that of the scene; a body that the frame took elsewhere would be joined at the wrong one.
    void check_unmoved(const JointPlan& plan, int b) const {
        if (b < 0 || !scene_.start || !scene_.start->move_boundaries) return;
        const auto found = match_.find(static_cast<std::size_t>(b));
        if (found == match_.end()) return;
        const BodyPlan& body = scene_.bodies[static_cast<std::size_t>(b)];
        if (frame_.position[found->second] == body.position.head<Dim>()) return;
        throw InputError(plan.mark.text() + ": this joint holds body '" + body.name +
                         "', which stood elsewhere in the frame to start from; write 'boundaries: as_written' in 'start', or "
                         "go on with 'talus run --resume'");
    }

    /// Body `b` placed where it stands in the frame.
    template <class Spec>
    Spec moved_with_frame(std::size_t b, Spec spec) const {
        const auto found = match_.find(b);
        if (found == match_.end() || !scene_.start->move_boundaries) return spec;
        const std::size_t i = found->second;
        if (!frame_.rotation.empty()) spec.rotation = frame_.rotation[i];
        spec.position = frame_.position[i];
        if (frame_.radius[i] > 0.0) {
            // The frame places such a body by its centre of mass and principal axes, the scene by its description.
            const CentredShape<Dim> shape = centred<Dim>(spec.shape);
            spec.rotation = compose<Dim>(spec.rotation, inverse<Dim>(shape.turn));
            spec.position -= matrix_of<Dim>(spec.rotation) * shape.centre;
        }
        return spec;
    }

    void add_grain(const GrainPlan& grain) {
        if (grain.shape < 0) return add_ball(grain);
        const auto group = static_cast<std::size_t>(grain.group);
        const auto spec = solid_spec<Dim>(grain, scene_);
        out_.groups[group].push_back(placed(scene_.groups[group].mark, [&] { return out_.world.add_body(spec); }));
    }

    void add_ball(const GrainPlan& ball) {
        const auto group = static_cast<std::size_t>(ball.group);
        auto spec = ball_spec<Dim>(ball, scene_);
        if (ball.glued_to >= 0) spec.glued_to = out_.bodies[static_cast<std::size_t>(ball.glued_to)];
        const BodyId id = placed(scene_.groups[group].mark, [&] { return out_.world.add_ball(spec); });
        out_.groups[group].push_back(id);
        if (ball.glued_to >= 0) {
            out_.attached.push_back(id);
            out_.attached.push_back(spec.glued_to);
        }
    }

    MaterialId material_named(const std::string& name) const {
        for (std::size_t m = 0; m < scene_.materials.size(); ++m)
            if (scene_.materials[m].name == name) return static_cast<MaterialId>(m);
        std::vector<std::string> names;
        for (const auto& material : scene_.materials) names.push_back(material.name);
        throw InputError(scene_.start->mark.text() + ": the frame has grains of material '" + name +
                         "', which this scene has not; " + suggest(name, names, "materials"));
    }

    /// Balls and other solids of the frame, but for those that are bodies of the scene.
    void add_frame_grains() {
        for (std::size_t i = 0; i < frame_.size(); ++i) {
            const bool is_ball = frame_.shape[i] == 0;
            if ((!is_ball && !is_solid(frame_, i)) || matched_.contains(i)) continue;
            if (frame_.wall[i] != 0 && !scene_.start->fixed_balls) continue;
            id_of_[frame_.id[i]] =
                placed(scene_.start->mark, [&] { return is_ball ? add_frame_ball(i) : add_frame_solid(i); });
        }
        if (scene_.start->impulses) carry_impulses();
    }
    BodyId add_frame_ball(std::size_t i) {
        BallSpec<Dim> spec;
        spec.radius = frame_.radius[i];
        copy_from_frame(i, spec);
        return out_.world.add_ball(spec);
    }
    BodyId add_frame_solid(std::size_t i) {
        BodySpec<Dim> spec;
        spec.shape = shape_of(frame_, i);
        // Moments follow from mass and shape, but for clumps whose parts overlap.
        if (spec.shape.name == "clump" && !frame_.inertia.empty()) spec.inertia = frame_.inertia[i];
        copy_from_frame(i, spec);
        const BodyId id = out_.world.add_body(spec);
        for (int k = 0; k < freedoms<Dim> && !frame_.driven.empty() && !spec.fixed; ++k)
            if (frame_.driven[i] >> k & 1u) out_.world.fix(id, k);
        return id;
    }
    template <class Spec>
    void copy_from_frame(std::size_t i, Spec& spec) const {
        spec.position = frame_.position[i];
        spec.mass = frame_.mass.empty() ? 0.0 : frame_.mass[i];
        spec.material = material_named(frame_.material_names[static_cast<std::size_t>(frame_.material[i])]);
        if (spec.mass == 0.0) spec.density = scene_.materials[static_cast<std::size_t>(spec.material)].density;
        if (!frame_.velocity.empty()) spec.velocity = frame_.velocity[i];
        if (!frame_.spin.empty()) spec.spin = frame_.spin[i];
        if (!frame_.rotation.empty()) spec.rotation = frame_.rotation[i];
        if (!frame_.tag.empty()) spec.tag = frame_.tag[i];
        spec.fixed = frame_.wall[i] != 0;
    }

    /// History of the contacts whose two bodies came along, rescaled when the step differs: a force lasts.
    void carry_impulses() {
        std::vector<Contact<Dim>> history;
        const double ratio = frame_.h > 0.0 ? scene_.stages.front().step / frame_.h : 1.0;
        for (auto contact : frame_.contacts) {
            const auto a = id_of_.find(contact.a), b = id_of_.find(contact.b);
            if (a == id_of_.end() || b == id_of_.end()) continue;
            contact.a = a->second;
            contact.b = b->second;
            contact.impulse *= ratio;
            contact.couple *= ratio;
            history.push_back(contact);
        }
        out_.world.set_history(history);
    }

    const Scene& scene_;
    Snapshot<Dim> frame_;
    std::unordered_map<std::size_t, std::size_t> match_;  ///< body of the scene -> index in the frame
    std::unordered_set<std::size_t> matched_;             ///< indices in the frame that `match_` leads to
    std::unordered_map<BodyId, BodyId> id_of_;            ///< of the frame -> of the world
    BuiltWorld<Dim> out_;
};

}  // namespace

template <int Dim>
BuiltWorld<Dim> build_world(const Scene& scene, const FrameLoader<Dim>& loader) {
    return Builder<Dim>(scene, loader).build();
}

template BuiltWorld<2> build_world<2>(const Scene&, const FrameLoader<2>&);
template BuiltWorld<3> build_world<3>(const Scene&, const FrameLoader<3>&);

}  // namespace talus::scene
