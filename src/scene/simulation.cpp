#include "scene/simulation.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "math/rotation.h"
#include "scene/build_world.h"
#include "scene/culling.h"
#include "scene/emission.h"
#include "scene/stage_switch.h"
#include "state/archive.h"
#include "talus/error.h"

namespace talus::scene {

namespace {

constexpr std::uint64_t magic = 0x3253554C41544Eull;

/// What changed the drives of named bodies, in order: a resumed run repeats it on a fresh world.
struct Event {
    enum class Kind : std::uint8_t { stage, remove, freeze } kind = Kind::stage;
    double time = 0.0;  ///< stage: when it began [s]
    BodyId body = -1;   ///< remove, freeze
};

Scene without_grains(const Scene& scene) {
    Scene copy = scene;
    copy.grains.clear();
    copy.grains.shrink_to_fit();
    copy.shapes.clear();
    copy.shapes.shrink_to_fit();
    return copy;
}

}  // namespace

template <int Dim>
struct Simulation<Dim>::Impl {
    explicit Impl(const Scene& full, const FrameLoader<Dim>& loader)
        : scene(without_grains(full)), built(build_world<Dim>(full, loader)), emission(scene) {
        named.insert(built.bodies.begin(), built.bodies.end());
        for (const auto& freeze : scene.freezes) {
            auto& ids = targets.emplace_back();
            for (const int b : freeze.bodies) ids.push_back(built.bodies[static_cast<std::size_t>(b)]);
            for (const int g : freeze.groups)
                ids.insert(ids.end(), built.groups[static_cast<std::size_t>(g)].begin(),
                           built.groups[static_cast<std::size_t>(g)].end());
            std::sort(ids.begin(), ids.end());
        }
        counts.emitted.assign(scene.emitters.size(), 0);
        counts.removed.assign(scene.sinks.size(), 0);
    }

    [[nodiscard]] const Stage& stage() const { return scene.stages[std::min(index, scene.stages.size() - 1)]; }
    [[nodiscard]] double elapsed() const { return built.world.time() - begin; }

    /// The next stage, at time `time`.
    void begin_stage(double time) {
        const Stage* before = events.empty() ? nullptr : &scene.stages[index - 1];
        enter_stage<Dim>(built.world, scene, built.bodies, before, scene.stages[index], time,
                         [this](BodyId id) { return gone.contains(id); });
        emission.switch_to(scene.stages[index].emitter_on, time);
        begin = time;
        events.push_back({Event::Kind::stage, time, -1});
    }
    /// Free directions of bodies that are not balls take the velocity they are said to start with.
    void start_boundaries() {
        for (std::size_t b = 0; b < built.bodies.size(); ++b)
            if (!scene.bodies[b].is_ball &&
                (built.velocities[b].squaredNorm() > 0.0 || built.spins[b].squaredNorm() > 0.0))
                built.world.set_velocity(built.bodies[b], built.velocities[b], built.spins[b]);
    }
    void drop(BodyId id, Event::Kind kind) {
        if (!named.contains(id)) return;
        gone.insert(id);
        events.push_back({kind, 0.0, id});
    }
    void freeze_touching() {
        if (targets.empty()) return;
        for (const BodyId id : grains_to_freeze<Dim>(built.world, scene, targets)) {
            built.world.freeze(id);
            ++counts.frozen;
            drop(id, Event::Kind::freeze);
        }
    }
    void empty_sinks() {
        if (scene.sinks.empty()) return;
        const auto leaving = grains_in_sinks<Dim>(built.world, scene, built.attached);
        std::vector<BodyId> all;
        for (std::size_t k = 0; k < leaving.size(); ++k) {
            counts.removed[k] += static_cast<std::int64_t>(leaving[k].size());
            all.insert(all.end(), leaving[k].begin(), leaving[k].end());
        }
        std::sort(all.begin(), all.end());
        built.world.remove(all);
        for (const BodyId id : all) drop(id, Event::Kind::remove);
    }
    [[nodiscard]] bool stage_is_over() const {
        const Stage& now = stage();
        const double half_step = 0.5 * built.world.step_length();
        if (elapsed() > now.duration - half_step) return true;
        if (!now.until.is_set() || elapsed() < now.until.after - half_step) return false;
        return until_holds(now.until);
    }
    [[nodiscard]] bool until_holds(const Until& until) const {
        const auto& world = built.world;
        const double g = world.settings().gravity.norm();
        double energy = 0.0, relative = 0.0, fastest = 0.0;
        std::int64_t grains = 0;
        for (std::size_t i = 0; i < world.size(); ++i) {
            if (!world.is_grain(i)) continue;
            const double m = world.masses()[i], r = world.radii()[i];
            // The greatest moment of inertia: a grain that is not round seems to turn a little harder than it does.
            const double e = 0.5 * (m * world.velocities()[i].squaredNorm() +
                                    world.inertias()[i].maxCoeff() * world.spins()[i].squaredNorm());
            energy += e;
            if (g > 0.0) relative += e / (m * g * 2.0 * r);
            fastest = std::max(fastest, world.velocities()[i].norm());
            ++grains;
        }
        if (grains > 0) relative /= static_cast<double>(grains);
        return energy < until.kinetic_energy && relative < until.kinetic_energy_per_grain &&
               fastest < until.max_speed && (!until.emitters_done || emission.is_done(world.time()));
    }
    /// Repeats on a fresh world, whose first stage is in force, what happened after it began.
    void repeat(const std::vector<Event>& past) {
        for (std::size_t k = 1; k < past.size(); ++k) {
            const Event& event = past[k];
            if (event.kind == Event::Kind::stage) {
                if (++index >= scene.stages.size())
                    throw IoError("checkpoint does not fit: it was made by a scene with more stages");
                begin_stage(event.time);
            } else if (event.kind == Event::Kind::remove) {
                const BodyId id = event.body;
                built.world.remove({&id, 1});
                drop(id, event.kind);
            } else {
                built.world.freeze(event.body);
                drop(event.body, event.kind);
            }
        }
    }

    Scene scene;
    BuiltWorld<Dim> built;
    Emission<Dim> emission;
    std::vector<std::vector<BodyId>> targets;  ///< of each freezing rule
    std::set<BodyId> named;                    ///< bodies that stages may change
    std::set<BodyId> gone;                     ///< those of them that were removed or frozen
    std::vector<Event> events;
    std::size_t index = 0;  ///< stage; one past the last: finished
    double begin = 0.0;     ///< of the stage [s]
    Counts counts;
};

template <int Dim>
Simulation<Dim>::Simulation(const Scene& scene, const FrameLoader<Dim>& loader) {
    if (scene.dimension != Dim)
        throw InputError(scene.path + ": the scene has " + std::to_string(scene.dimension) + " dimensions, not " +
                         std::to_string(Dim));
    impl_ = std::make_unique<Impl>(scene, loader);
    impl_->begin_stage(0.0);
    impl_->start_boundaries();
}
template <int Dim>
Simulation<Dim>::~Simulation() = default;
template <int Dim>
Simulation<Dim>::Simulation(Simulation&&) noexcept = default;
template <int Dim>
Simulation<Dim>& Simulation<Dim>::operator=(Simulation&&) noexcept = default;

template <int Dim>
World<Dim>& Simulation<Dim>::world() {
    return impl_->built.world;
}
template <int Dim>
const World<Dim>& Simulation<Dim>::world() const {
    return impl_->built.world;
}
template <int Dim>
const Scene& Simulation<Dim>::scene() const {
    return impl_->scene;
}

template <int Dim>
StepReport Simulation<Dim>::advance(const BeforeStep& before_step) {
    Impl& s = *impl_;
    if (s.emission.release(s.built.world)) ++s.counts.delayed_steps;
    for (std::size_t i = 0; i < s.counts.emitted.size(); ++i) s.counts.emitted[i] = s.emission.states()[i].made;
    if (before_step) before_step(s.built.world);
    const StepReport report = s.built.world.step();
    s.freeze_touching();
    s.empty_sinks();
    if (!finished() && s.stage_is_over()) {
        ++s.index;
        if (s.index < s.scene.stages.size()) s.begin_stage(s.built.world.time());
    }
    return report;
}

template <int Dim>
bool Simulation<Dim>::finished() const {
    const Impl& s = *impl_;
    return s.index >= s.scene.stages.size() || s.built.world.time() > s.scene.duration - 0.5 * s.built.world.step_length();
}

template <int Dim>
double Simulation<Dim>::end_time() const {
    const Impl& s = *impl_;
    if (finished()) return s.built.world.time();
    double end = s.begin;
    for (std::size_t i = s.index; i < s.scene.stages.size(); ++i) end += s.scene.stages[i].duration;
    return std::min(end, s.scene.duration);
}

template <int Dim>
double Simulation<Dim>::progress() const {
    const Impl& s = *impl_;
    if (finished()) return 1.0;
    const double end = end_time();
    if (std::isfinite(end)) return std::clamp(s.built.world.time() / end, 0.0, 1.0);
    const double duration = s.stage().duration;
    const double part = std::isfinite(duration) ? std::min(1.0, s.elapsed() / duration) : 0.0;
    return (static_cast<double>(s.index) + part) / static_cast<double>(s.scene.stages.size());
}

template <int Dim>
std::string Simulation<Dim>::stage() const {
    return impl_->stage().name;
}
template <int Dim>
std::size_t Simulation<Dim>::stage_index() const {
    return impl_->index;
}
template <int Dim>
bool Simulation<Dim>::demands_tolerance() const {
    return impl_->stage().demand;
}
template <int Dim>
const Counts& Simulation<Dim>::counts() const {
    return impl_->counts;
}

template <int Dim>
BodyId Simulation<Dim>::body(const std::string& name) const {
    for (std::size_t i = 0; i < impl_->scene.bodies.size(); ++i)
        if (impl_->scene.bodies[i].name == name) return impl_->built.bodies[i];
    throw InputError("there is no body named '" + name + "' in " + impl_->scene.path);
}

template <int Dim>
void Simulation<Dim>::checkpoint(const ByteSink& sink) const {
    const Impl& s = *impl_;
    ByteWriter out(sink);
    out.put(magic);
    for (const std::size_t n :
         {s.scene.bodies.size(), s.scene.groups.size(), s.scene.emitters.size(), s.scene.sinks.size()})
        out.put(static_cast<std::uint64_t>(n));
    out.put(static_cast<std::uint64_t>(s.events.size()));
    for (const auto& event : s.events) {
        out.put(event.kind);
        out.put(event.time);
        out.put(event.body);
    }
    out.put(static_cast<std::uint64_t>(s.index));
    out.put_array(s.counts.emitted);
    out.put_array(s.counts.removed);
    out.put(s.counts.frozen);
    out.put(s.counts.delayed_steps);
    s.emission.save(out, s.built.world);
    out.flush();
    s.built.world.checkpoint(sink);
}

template <int Dim>
std::vector<std::byte> Simulation<Dim>::checkpoint() const {
    std::vector<std::byte> bytes;
    checkpoint([&](std::span<const std::byte> piece) { bytes.insert(bytes.end(), piece.begin(), piece.end()); });
    return bytes;
}

template <int Dim>
void Simulation<Dim>::restore(std::span<const std::byte> bytes) {
    Impl& s = *impl_;
    ByteReader in(bytes);
    if (in.get<std::uint64_t>() != magic) throw IoError("not a checkpoint of this version of talus");
    for (const std::size_t n :
         {s.scene.bodies.size(), s.scene.groups.size(), s.scene.emitters.size(), s.scene.sinks.size()})
        if (in.get<std::uint64_t>() != n)
            throw IoError(
                "checkpoint does not fit: it was made by a scene with other bodies, generators, emitters or sinks");
    std::vector<Event> past;
    for (auto n = in.get<std::uint64_t>(); n > 0; --n) {
        const auto kind = in.get<Event::Kind>();
        const auto time = in.get<double>();
        past.push_back({kind, time, in.get<BodyId>()});
    }
    const auto index = in.get<std::uint64_t>();
    in.get_array(s.counts.emitted);
    in.get_array(s.counts.removed);
    s.counts.frozen = in.get<std::int64_t>();
    s.counts.delayed_steps = in.get<std::int64_t>();
    if (s.events.size() != 1 || s.built.world.steps() != 0)
        throw InputError("a checkpoint is restored into a fresh simulation");
    s.repeat(past);
    s.index = index;
    s.emission.load(in);
    s.built.world.restore(in.rest());
}

template class Simulation<2>;
template class Simulation<3>;

}  // namespace talus::scene
