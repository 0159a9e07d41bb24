#include "scene/emission.h"

#include <algorithm>
#include <cmath>

#include "math/rotation.h"
#include "scene/lowest_free.h"
#include "step/closed_contacts.h"
#include "talus/error.h"

namespace talus::scene {

namespace {

constexpr std::uint64_t place_stream = 1;
constexpr int tries_per_step = 20;  // at a fixed height; a crowded source waits for the next step

}  // namespace

template <int Dim>
void Emission<Dim>::switch_to(const std::vector<bool>& on, double time) {
    for (std::size_t i = 0; i < states_.size(); ++i) {
        if (on[i] && states_[i].on == 0) {
            states_[i].origin = time;
            states_[i].made_before = states_[i].made;
        }
        states_[i].on = on[i] ? 1 : 0;
    }
}

template <int Dim>
bool Emission<Dim>::is_due(std::size_t i, double time) const {
    const EmitterPlan& emitter = scene_.emitters[i];
    const EmitterState& state = states_[i];
    const double since = time - state.origin;
    // A billionth of the interval: a due date that rounding put just after the step is meant to be on it.
    const double slack = 1e-9 / emitter.rate;
    if (state.on == 0 || state.made >= emitter.count || since > emitter.stop) return false;
    return since + slack >= emitter.start + static_cast<double>(state.made - state.made_before) / emitter.rate;
}

template <int Dim>
bool Emission<Dim>::release(World<Dim>& world) {
    bool waited = false;
    for (std::size_t i = 0; i < states_.size(); ++i)
        if (is_due(i, world.time())) waited = !release_one(i, world) || waited;
    has_stored_apex_ = false;
    return waited;
}

template <int Dim>
bool Emission<Dim>::release_one(std::size_t i, World<Dim>& world) {
    const EmitterPlan& emitter = scene_.emitters[i];
    EmitterState& state = states_[i];
    const auto k = static_cast<std::uint64_t>(state.made);
    Random random(emitter.seed, 0, k);
    BallSpec<Dim> spec;
    spec.radius = emitter.sizes.draw(k, random);
    const auto place = find_place(i, spec.radius, world);
    if (!place) return false;
    spec.position = *place;
    spec.velocity = (emitter.velocity + emitter.dispersion * random.in_unit_ball(Dim)).template head<Dim>();
    spec.density = scene_.materials[static_cast<std::size_t>(emitter.material)].density;
    spec.material = emitter.material;
    spec.tag = emitter.tag;
    if (emitter.shapes.is_ball()) world.add_ball(spec);
    else add_solid(i, spec, world);
    ++state.made;
    state.attempt = 0;
    return true;
}

/// The grain that `ball` holds.
template <int Dim>
void Emission<Dim>::add_solid(std::size_t i, const BallSpec<Dim>& ball, World<Dim>& world) const {
    const EmitterPlan& emitter = scene_.emitters[i];
    const auto number = static_cast<std::uint64_t>(states_[i].made);
    const GrainShapes::Drawn drawn = emitter.shapes.draw(ball.radius, emitter.seed, number);
    BodySpec<Dim> spec;
    spec.shape = drawn.shape;
    spec.rotation = rotation_by<Dim>(Spin<Dim>(drawn.turn.head<spin_size<Dim>>()));
    spec.position = ball.position;
    spec.velocity = ball.velocity;
    spec.density = ball.density;
    spec.material = ball.material;
    spec.tag = ball.tag;
    world.add_body(spec);
}

template <int Dim>
std::optional<Vec<Dim>> Emission<Dim>::find_place(std::size_t i, double radius, World<Dim>& world) {
    const EmitterPlan& emitter = scene_.emitters[i];
    EmitterState& state = states_[i];
    const auto k = static_cast<std::uint64_t>(state.made);
    const bool drops = emitter.height_rule == EmitterPlan::Height::lowest_free;
    double s = 0.0, t = 0.0;
    for (int n = 0; n < (drops ? 1 : tries_per_step); ++n) {
        // A grain that is let down keeps its place while it waits: trying others would prefer low spots.
        Random random(emitter.seed + place_stream, k, drops ? 0 : static_cast<std::uint64_t>(state.attempt++));
        emitter.region.sample(random, s, t);
        double height = emitter.height;
        if (drops) {
            const auto lowest = lowest_free(emitter, s, t, radius, world);
            if (!lowest) return {};
            height = *lowest;
        } else if (emitter.height_rule == EmitterPlan::Height::in_box) {
            height = random.uniform(emitter.height, emitter.height_high);
        }
        const Vec<Dim> place = scene_.frame.at(s, t, height).template head<Dim>();
        if (drops || world.clearance(place, radius) >= 0.0) return place;
    }
    return {};
}

template <int Dim>
std::optional<double> Emission<Dim>::lowest_free(const EmitterPlan& emitter, double s, double t, double radius,
                                                 const World<Dim>& world) const {
    const Column<Dim> column{scene_.frame, s, t, radius};
    const Landing landing = land(world, column, emitter.drop_from);
    if (landing.kind == Landing::Kind::bottomless)
        throw InputError(scene_.path + ": emitter '" + emitter.name +
                         "' with 'height: lowest_free' finds nothing below its region to lie on; put a floor there, or "
                         "write a number for 'height'");
    if (landing.kind == Landing::Kind::blocked) return {};
    if (emitter.above_apex < infinity) {
        const auto top = has_stored_apex_ ? stored_apex_ : apex(world);
        if (top && landing.height > *top + emitter.above_apex) return {};
    }
    return landing.height;
}

template <int Dim>
std::optional<double> Emission<Dim>::apex(const World<Dim>& world) const {
    std::vector<int> touches(world.size(), 0);
    for (const auto& [a, b] : closed_contacts(world)) {
        ++touches[static_cast<std::size_t>(a)];
        ++touches[static_cast<std::size_t>(b)];
    }
    std::optional<double> highest;
    for (std::size_t i = 0; i < world.size(); ++i) {
        if (touches[i] < 2 || !world.is_grain(i)) continue;
        const double height = world.positions()[i].dot(scene_.frame.up.template head<Dim>());
        highest = std::max(highest.value_or(height), height);
    }
    return highest;
}

template <int Dim>
bool Emission<Dim>::is_done(double time) const {
    for (std::size_t i = 0; i < states_.size(); ++i)
        if (states_[i].on != 0 && states_[i].made < scene_.emitters[i].count &&
            time - states_[i].origin <= scene_.emitters[i].stop)
            return false;
    return true;
}

template <int Dim>
void Emission<Dim>::save(ByteWriter& out, const World<Dim>& world) const {
    for (const auto& state : states_) {
        out.put(state.made);
        out.put(state.made_before);
        out.put(state.origin);
        out.put(state.attempt);
        out.put(state.on);
    }
    const bool wanted = std::any_of(scene_.emitters.begin(), scene_.emitters.end(),
                                    [](const EmitterPlan& e) { return e.above_apex < infinity; });
    const auto top = !wanted ? std::optional<double>() : has_stored_apex_ ? stored_apex_ : apex(world);
    out.put(static_cast<std::uint8_t>(top.has_value()));
    out.put(top.value_or(0.0));
}

template <int Dim>
void Emission<Dim>::load(ByteReader& in) {
    for (auto& state : states_) {
        state.made = in.get<std::int64_t>();
        state.made_before = in.get<std::int64_t>();
        state.origin = in.get<double>();
        state.attempt = in.get<std::int64_t>();
        state.on = in.get<std::uint8_t>();
    }
    const bool has = in.get<std::uint8_t>() != 0;
    const double top = in.get<double>();
    stored_apex_ = has ? std::optional<double>(top) : std::nullopt;
    has_stored_apex_ = true;
}

template class Emission<2>;
template class Emission<3>;

}  // namespace talus::scene
