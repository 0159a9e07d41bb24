// Stress and strain of a sample between pairs of walls [moreau-jean1996, fig. 3; moreau2001, fig. 3]: for each
// axis with a pair, the distance of the two walls, its shortening since a reference, and the mean of the
// forces on both over the area, the product of the other distances. Compression is positive.
//
// A wall's place is the position of its body: right for planes and segments; for plates with a
// thickness the distance is that of their middles.

#include <array>
#include <cmath>

#include "observe/forces.h"
#include "observe/registry.h"
#include "observe/space.h"

namespace talus {

namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

template <int Dim>
struct Options {
    std::array<std::set<std::int32_t>, Dim> low, high;   ///< tags of the walls; empty: no pair
    Vec<Dim> size = Vec<Dim>::Constant(nan);             ///< where there is no pair [m]
    std::optional<double> from;                          ///< of the reference [s]
    bool average = false;
};

template <int Dim>
struct Sample {
    Vec<Dim> length = Vec<Dim>::Constant(nan), force = Vec<Dim>::Constant(nan);

    [[nodiscard]] double area(int k) const { return length.prod() / length[k]; }
    [[nodiscard]] Vec<Dim> stress() const {
        Vec<Dim> stress;
        for (int k = 0; k < Dim; ++k) stress[k] = force[k] / area(k);
        return stress;
    }
};

/// Mean place of the bodies of these tags along an axis.
template <int Dim>
double place_of(const Snapshot<Dim>& snapshot, const std::set<std::int32_t>& tags, int k) {
    double sum = 0.0, count = 0.0;
    for (std::size_t i = 0; i < snapshot.size(); ++i) {
        if (!tags.contains(snapshot.tag[i])) continue;
        sum += snapshot.position[i][k];
        ++count;
    }
    return sum / count;
}

/// What grains give the walls of these tags along an axis.
template <int Dim>
double force_on(const Snapshot<Dim>& snapshot, const std::set<std::int32_t>& tags, int k, bool average) {
    double sum = 0.0;
    for (const auto& contact : observe::wall_forces(snapshot, observe::WallChoice{tags}, average)) sum -= contact.force[k];
    return sum;
}

template <int Dim>
class WallStress final : public observe::Memory<Dim> {
public:
    explicit WallStress(const Options<Dim>& options) : options_(options) {}

    [[nodiscard]] bool wants(const observe::Moment& moment) const override {
        return !seen_ && (!options_.from || moment.has_reached(*options_.from));
    }
    void see(const Snapshot<Dim>& now, const observe::Moment&) override {
        reference_ = lengths(now);
        time_ = now.time;
        seen_ = true;
    }
    [[nodiscard]] observe::Result measure(const Snapshot<Dim>& now) const override;
    void save(ByteWriter& out) const override {
        out.put(seen_);
        out.put(time_);
        for (int k = 0; k < Dim; ++k) out.put(reference_[k]);
    }
    void load(ByteReader& in) override {
        seen_ = in.get<bool>();
        time_ = in.get<double>();
        for (int k = 0; k < Dim; ++k) reference_[k] = in.get<double>();
    }

private:
    [[nodiscard]] Vec<Dim> lengths(const Snapshot<Dim>& now) const {
        Vec<Dim> length = options_.size;
        for (int k = 0; k < Dim; ++k)
            if (!options_.low[k].empty()) length[k] = place_of(now, options_.high[k], k) - place_of(now, options_.low[k], k);
        return length;
    }

    Options<Dim> options_;
    bool seen_ = false;
    double time_ = nan;                               ///< of the reference [s]
    Vec<Dim> reference_ = Vec<Dim>::Constant(nan);    ///< lengths [m]
};

template <int Dim>
observe::Result WallStress<Dim>::measure(const Snapshot<Dim>& now) const {
    Sample<Dim> sample;
    sample.length = lengths(now);
    for (int k = 0; k < Dim; ++k)
        if (!options_.low[k].empty())
            sample.force[k] = 0.5 * (force_on(now, options_.high[k], k, options_.average) - force_on(now, options_.low[k], k, options_.average));
    const Vec<Dim> stress = sample.stress();
    const char* unit = observe::pressure_unit(now.gravity);
    observe::Result result;
    double largest = nan, least = nan, sum = 0.0, pairs = 0.0;
    for (int k = 0; k < Dim; ++k) {
        if (options_.low[k].empty()) continue;
        const std::string axis = observe::axis_names[static_cast<std::size_t>(k)];
        result.add("length_" + axis, sample.length[k], "m");
        result.add("strain_" + axis, (reference_[k] - sample.length[k]) / reference_[k]);
        result.add("stress_" + axis, stress[k], unit);
        largest = std::isnan(largest) ? stress[k] : std::max(largest, stress[k]);
        least = std::isnan(least) ? stress[k] : std::min(least, stress[k]);
        sum += stress[k];
        ++pairs;
    }
    const double volume = sample.length.prod(), before = reference_.prod();
    result.add("mean_stress", sum / pairs, unit);
    result.add("deviator", largest - least, unit);
    result.add("volume", volume, observe::volume_unit(now.gravity));
    result.add("strain_volume", (before - volume) / before);
    result.add("solid_fraction", observe::grain_totals(now).volume / volume);
    result.add("reference_time", time_, "s");
    return result;
}

template <int Dim>
observe::Measurement<Dim> make(observe::Parameters& parameters) {
    Options<Dim> options;
    int pairs = 0;
    for (int k = 0; k < Dim; ++k) {
        const std::string axis = observe::axis_names[static_cast<std::size_t>(k)];
        if (!parameters.has(axis)) continue;
        const observe::Spec spec = parameters.child(axis);
        observe::Parameters walls(spec, Dim);
        options.low[k] = walls.tags("low");
        options.high[k] = walls.tags("high");
        if (options.low[k].empty()) walls.fail("low", "is missing; give it: the tag of the wall on that side");
        if (options.high[k].empty()) walls.fail("high", "is missing; give it: the tag of the wall on that side");
        walls.finish();
        ++pairs;
    }
    if (pairs == 0) parameters.fail("x", "is missing; give it: `x: {low: tag, high: tag}` names a pair of walls; so do `y` and, in 3D, `z`");
    if (parameters.has("size")) {
        const auto size = parameters.lengths("size", Dim);
        for (int k = 0; k < Dim; ++k) options.size[k] = size[static_cast<std::size_t>(k)];
    }
    options.from = parameters.seconds("from");
    options.average = parameters.flag("average", false);
    return std::shared_ptr<observe::Memory<Dim>>(std::make_shared<WallStress<Dim>>(options));
}

}  // namespace

void register_wall_stress(ObservableRegistry& registry) {
    registry.add("wall_stress", "stress and strain of a sample between pairs of walls", make<2>, make<3>, observe::Needs::frames);
}

}  // namespace talus
