#include "explore/exploration.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace talus::explore {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr const char* axis_names[] = {"x", "y", "z"};

BoundFound found(const Bound& b, Flat forces) { return {b.kind, b.value, std::move(forces), b.certificate}; }

/// The part of an axis to show: bounds where there are, else samples and what the state carries.
void fit(const QuantityFound& q, double unit, double& low, double& high, bool& goes_on) {
    low = high = q.found;
    if (std::isfinite(q.sample_least)) {
        low = std::min(low, q.sample_least);
        high = std::max(high, q.sample_greatest);
    }
    for (const BoundFound* b : {&q.least, &q.greatest}) {
        if (b->kind == BoundKind::attained) {
            low = std::min(low, b->value);
            high = std::max(high, b->value);
        }
        goes_on = goes_on || b->kind == BoundKind::unbounded;
    }
    const double size = std::max(high - low, 0.05 * std::max(unit, std::abs(high)));
    const double middle = 0.5 * (low + high);
    // Without samples nothing says how far an unbounded side is of interest: three times what is known.
    const double grow = goes_on && !std::isfinite(q.sample_least) ? 3.0 : 1.16;
    low = std::min(low, middle - 0.5 * grow * size);
    high = std::max(high, middle + 0.5 * grow * size);
}

}  // namespace

bool QuantityFound::varies(double unit) const {
    if (least.kind != BoundKind::attained || greatest.kind != BoundKind::attained) return least.kind != BoundKind::none;
    return greatest.value - least.value > 1e-7 * std::max(unit, std::abs(greatest.value));
}

int Exploration::outside() const {
    int sum = 0;
    for (const auto& q : quantities) sum += q.outside;
    return sum;
}

bool Exploration::is_unsure() const {
    const auto unsure = [](const auto& range) { return range.least.kind == BoundKind::unsure || range.greatest.kind == BoundKind::unsure; };
    return existence == "unsure" || std::any_of(quantities.begin(), quantities.end(), unsure) ||
           std::any_of(collapses.begin(), collapses.end(), unsure);
}

template <int Dim>
Explorer<Dim>::Explorer(World<Dim>& world, const SampleSettings& settings)
    : world_(world), set_(force_set(world, settings.solver)) {
    out_.samples.settings = settings;
    describe();
    const Existence<Dim> e = find_equilibrium(set_, world.size());
    using Kind = typename Existence<Dim>::Kind;
    out_.existence = e.kind == Kind::some ? "some" : e.kind == Kind::none ? "none" : "unsure";
    out_.certificate = e.certificate;
    for (const std::size_t i : e.untouched) out_.untouched.push_back(world.ids()[i]);
    if (e.kind == Kind::none) out_.mechanism = table(e.mechanism);
    out_.found = flat(set_.found);
    out_.found_rests = set_.check.holds;
    out_.found_solved = set_.check.report.converged;
}

template <int Dim>
void Explorer<Dim>::describe() {
    out_.dimension = Dim;
    out_.gravity = world_.settings().gravity.norm();
    out_.h = set_.h;
    out_.unit = set_.unit;
    out_.bodies.assign(world_.ids().begin(), world_.ids().end());
    for (const auto& c : set_.contacts) {
        ContactTable& t = out_.contacts;
        t.a.push_back(c.contact.a);
        t.b.push_back(c.contact.b);
        t.feature.push_back(c.contact.feature);
        t.point.insert(t.point.end(), c.contact.point.begin(), c.contact.point.end());
        t.normal.insert(t.normal.end(), c.contact.normal.begin(), c.contact.normal.end());
        t.friction.push_back(c.contact.friction);
        t.gap.push_back(c.contact.gap);
    }
}

template <int Dim>
Flat Explorer<Dim>::flat(const Eigen::VectorXd& f) const {
    Flat out;
    if (f.size() == 0) return out;
    for (std::size_t k = 0; k < set_.contacts.size(); ++k) {
        const Vec<Dim> world = set_.force(f, k);
        out.insert(out.end(), world.begin(), world.end());
    }
    return out;
}

template <int Dim>
MotionTable Explorer<Dim>::table(const Motion<Dim>& motion) const {
    MotionTable t;
    for (const auto& v : motion.velocity) t.velocity.insert(t.velocity.end(), v.begin(), v.end());
    for (const auto& w : motion.spin) t.spin.insert(t.spin.end(), w.begin(), w.end());
    return t;
}

template <int Dim>
void Explorer<Dim>::add_sample() {
    SamplesFound& s = out_.samples;
    const Sample<Dim> sample = draw_sample(set_, world_, s.settings, static_cast<int>(s.size()));
    s.outcome.push_back(static_cast<std::uint8_t>(sample.outcome));
    s.velocity.push_back(sample.velocity);
    s.sweeps.push_back(sample.sweeps);
    s.sweeps_again.push_back(sample.sweeps_again);
    s.start.push_back(flat(sample.start));
    s.forces.push_back(flat(sample.forces));
    sampled_.push_back(sample.forces);
    s.stay += sample.outcome == Outcome::stays;
    s.move += sample.outcome == Outcome::moves;
    s.unsolved += sample.outcome == Outcome::unsolved;
    s.fixed_points += sample.outcome == Outcome::stays && sample.sweeps_again == 1;
}

template <int Dim>
void Explorer<Dim>::add_quantity(const Quantity& quantity) {
    QuantityFound q;
    q.name = quantity.name;
    q.weights = flat(quantity.weights);  // the frame is orthonormal: weights turn as forces do
    if (out_.existence != "none") {
        const Range range = bounds(set_, quantity);
        q.least = found(range.least, flat(range.least.forces));
        q.greatest = found(range.greatest, flat(range.greatest.forces));
    }
    q.found = quantity.weights.dot(set_.found);
    out_.quantities.push_back(std::move(q));
    quantities_.push_back(quantity);
}

template <int Dim>
LimitFound Explorer<Dim>::limit(const Limit<Dim>& l) const {
    return {l.kind, l.multiplier, flat(l.forces), table(l.mechanism), l.certificate};
}

template <int Dim>
void Explorer<Dim>::add_collapse(const Thrust& load) {
    const Collapse<Dim> c = collapse(set_, load, world_.size());
    out_.collapses.push_back({load.name, load.unit, limit(c.least), limit(c.greatest)});
}

template <int Dim>
std::optional<std::size_t> Explorer<Dim>::least_determined_contact() const {
    constexpr std::size_t few = 100;
    std::optional<std::size_t> best;
    double widest = 1e-7 * set_.unit;
    for (std::size_t k = 0; k < set_.contacts.size(); ++k) {
        double width = 0.0;
        const auto at = static_cast<Eigen::Index>(k) * Dim;
        if (set_.contacts.size() <= few && out_.existence == "some") {
            const Range r = bounds(set_, normal_force<Dim>(set_, {k}, ""));
            width = r.is_bounded() ? r.greatest.value - r.least.value : r.greatest.kind == BoundKind::unbounded ? 1e300 : 0.0;
        } else {
            double low = 1e300, high = -1e300;
            for (std::size_t i = 0; i < sampled_.size(); ++i) {
                if (out_.samples.outcome[i] != static_cast<std::uint8_t>(Outcome::stays)) continue;
                low = std::min(low, sampled_[i][at]);
                high = std::max(high, sampled_[i][at]);
            }
            width = high - low;
        }
        if (width > widest) {
            widest = width;
            best = k;
        }
    }
    return best;
}

template <int Dim>
void Explorer<Dim>::add_default_quantities(const std::vector<std::pair<BodyId, std::string>>& names) {
    const auto find = [&](BodyId id) { return std::find_if(names.begin(), names.end(), [&](const auto& n) { return n.first == id; }); };
    const auto name_of = [&](BodyId id) { return find(id) != names.end() ? find(id)->second : std::to_string(id); };
    std::vector<Quantity> all;
    bool unnamed = false;
    for (int axis = 0; axis < Dim; ++axis)
        all.push_back({std::string("all walls: ") + axis_names[axis], Eigen::VectorXd::Zero(set_.columns())});
    for (std::size_t i = 0; i < world_.size(); ++i) {
        if (!world_.is_wall(i) || set_.carrier[i] != static_cast<std::int32_t>(i)) continue;
        const BodyId id = world_.ids()[i];
        for (int axis = 0; axis < Dim; ++axis) {
            const Quantity q = total_force(set_, i, axis, "wall " + name_of(id) + ": " + axis_names[axis]);
            const bool touched = std::any_of(set_.contacts.begin(), set_.contacts.end(), [&](const auto& c) {
                return set_.carrier[c.a] == static_cast<std::int32_t>(i) || set_.carrier[c.b] == static_cast<std::int32_t>(i);
            });
            all[static_cast<std::size_t>(axis)].weights += q.weights;
            if (touched && find(id) != names.end()) add_quantity(q);
            unnamed = unnamed || (touched && find(id) == names.end());
        }
    }
    if (unnamed)
        for (const Quantity& q : all) add_quantity(q);
    if (const auto k = least_determined_contact()) {
        const auto& c = set_.contacts[*k].contact;
        const std::string pair = "contact " + name_of(c.a) + "," + name_of(c.b) + ": ";
        add_quantity(normal_force<Dim>(set_, {*k}, pair + "normal"));
        add_quantity(tangential_force<Dim>(set_, {*k}, pair + "tangent"));
    }
}

template <int Dim>
void Explorer<Dim>::judge_samples(QuantityFound& q, const Quantity& quantity) const {
    q.sample_least = q.sample_greatest = nan;
    const auto beyond = [&](const BoundFound& b, double excess) {
        return b.kind == BoundKind::attained && excess > out_.inside_tolerance * std::max(set_.unit, std::abs(b.value));
    };
    for (std::size_t i = 0; i < sampled_.size(); ++i) {
        const double value = quantity.weights.dot(sampled_[i]);
        q.samples.push_back(value);
        if (out_.samples.outcome[i] != static_cast<std::uint8_t>(Outcome::stays)) continue;
        q.sample_least = std::fmin(q.sample_least, value);
        q.sample_greatest = std::fmax(q.sample_greatest, value);
        q.outside += beyond(q.least, q.least.value - value) || beyond(q.greatest, value - q.greatest.value);
    }
}

template <int Dim>
void Explorer<Dim>::look_at(std::size_t x, std::size_t y) {
    PlaneFound plane{x, y, {}, {}, false, false};
    fit(out_.quantities[x], set_.unit, plane.window.x_low, plane.window.x_high, plane.x_goes_on);
    fit(out_.quantities[y], set_.unit, plane.window.y_low, plane.window.y_high, plane.y_goes_on);
    if (out_.existence == "some") plane.projection = project(set_, quantities_[x], quantities_[y], plane.window);
    out_.plane = std::move(plane);
}

template <int Dim>
Exploration Explorer<Dim>::finish(std::optional<std::pair<std::size_t, std::size_t>> plane) {
    for (std::size_t k = 0; k < quantities_.size(); ++k) judge_samples(out_.quantities[k], quantities_[k]);
    if (plane) {
        look_at(plane->first, plane->second);
    } else if (out_.quantities.size() >= 2) {
        std::vector<std::size_t> order;  // those that vary first
        for (const bool varying : {true, false})
            for (std::size_t k = 0; k < out_.quantities.size(); ++k)
                if (out_.quantities[k].varies(set_.unit) == varying) order.push_back(k);
        look_at(order[0], order[1]);
    }
    return std::move(out_);
}

template class Explorer<2>;
template class Explorer<3>;

}  // namespace talus::explore
