#include "scene/build_world.h"

#include <algorithm>
#include <unordered_map>

#include "scene/diagnostics.h"
#include "scene/to_world.h"
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

/// Boundaries of the scene with those of the frame: the k-th of a shape with the k-th of that shape.
template <int Dim>
std::unordered_map<std::size_t, std::size_t> match_boundaries(const Scene& scene, const Snapshot<Dim>& frame) {
    std::unordered_map<std::string, std::vector<std::size_t>> by_shape;
    for (std::size_t i = 0; i < frame.size(); ++i)
        if (frame.shape[i] != 0) by_shape[frame.shapes[static_cast<std::size_t>(frame.shape[i])].name].push_back(i);
    std::unordered_map<std::string, std::size_t> used;
    std::unordered_map<std::size_t, std::size_t> match;
    for (std::size_t b = 0; b < scene.bodies.size(); ++b) {
        if (scene.bodies[b].is_ball) continue;
        const auto& shape = scene.bodies[b].shape.name;
        const auto& candidates = by_shape[shape];
        const std::size_t k = used[shape]++;
        if (k < candidates.size()) match[b] = candidates[k];
    }
    return match;
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
        out_.groups.resize(scene_.groups.size());
        for (const auto& ball : scene_.balls) add_ball(ball);
        if (scene_.start) add_frame_balls();
        std::sort(out_.attached.begin(), out_.attached.end());
        out_.attached.erase(std::unique(out_.attached.begin(), out_.attached.end()), out_.attached.end());
        return std::move(out_);
    }

private:
    void load_frame(const FrameLoader<Dim>& loader) {
        if (!loader)
            throw InputError(scene_.start->mark.text() + ": this program cannot read run files; remove 'start'");
        frame_ = loader(*scene_.start);
        if (scene_.start->move_boundaries || scene_.start->impulses) match_ = match_boundaries<Dim>(scene_, frame_);
    }

    void add_body(std::size_t b) {
        const BodyPlan& body = scene_.bodies[b];
        const BodyId id = placed(body.mark, [&] {
            if (body.is_ball) return out_.world.add_ball(ball_spec<Dim>(body, scene_));
            auto spec = boundary_spec<Dim>(body);
            const auto found = match_.find(b);
            if (found != match_.end() && scene_.start->move_boundaries) {
                spec.position = frame_.position[found->second];
                if (!frame_.rotation.empty()) spec.rotation = frame_.rotation[found->second];
            }
            return out_.world.add_boundary(spec);
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

    void add_ball(const BallPlan& ball) {
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
        throw InputError(scene_.start->mark.text() + ": the frame has balls of material '" + name +
                         "', which this scene has not; " + suggest(name, names, "materials"));
    }

    void add_frame_balls() {
        for (std::size_t i = 0; i < frame_.size(); ++i) {
            if (frame_.shape[i] != 0) continue;
            const bool is_wall = frame_.wall[i] != 0;
            if (is_wall && !scene_.start->fixed_balls) continue;
            BallSpec<Dim> spec;
            spec.position = frame_.position[i];
            spec.radius = frame_.radius[i];
            spec.mass = frame_.mass[i];
            spec.material = material_named(frame_.material_names[static_cast<std::size_t>(frame_.material[i])]);
            if (!frame_.velocity.empty()) spec.velocity = frame_.velocity[i];
            if (!frame_.spin.empty()) spec.spin = frame_.spin[i];
            if (!frame_.rotation.empty()) spec.rotation = frame_.rotation[i];
            if (!frame_.tag.empty()) spec.tag = frame_.tag[i];
            spec.fixed = is_wall;
            id_of_[frame_.id[i]] = placed(scene_.start->mark, [&] { return out_.world.add_ball(spec); });
        }
        if (scene_.start->impulses) carry_impulses();
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
            history.push_back(contact);
        }
        out_.world.set_history(history);
    }

    const Scene& scene_;
    Snapshot<Dim> frame_;
    std::unordered_map<std::size_t, std::size_t> match_;  ///< body of the scene -> index in the frame
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
