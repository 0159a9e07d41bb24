#include "laws/freeze.h"

#include <algorithm>
#include <array>
#include <span>

#include "laws/link.h"
#include "math/snug.h"

namespace talus {
namespace {

constexpr std::size_t chunk = 512;  ///< contacts frozen together

template <int Dim>
ImpactSpeeds impact_speeds(const Vec<Dim>& before, const Vec<Dim>& normal) {
    const double un = before.dot(normal);
    return {std::abs(un), (before - un * normal).norm()};
}

template <int Dim>
std::int32_t find_law(const FreezeInput<Dim>& in, const Touch<Dim>& t) {
    const MaterialId a = in.bodies.material[t.a], b = in.bodies.material[t.b];
    const std::int32_t law = in.materials.law_of(a, b);
    if (law < 0)
        throw InputError("materials '" + in.materials.name(a) + "' and '" + in.materials.name(b) +
                         "' touch but have no law; state one for this pair");
    return law;
}

/// The coefficients of a chunk of contacts: one batch for each law. The lines of the problem are still those of before the step.
template <int Dim>
class FrozenChunk {
public:
    FrozenChunk(const FreezeInput<Dim>& in, const ContactProblem<Dim>& problem, std::size_t begin, std::size_t end) : size_(end - begin) {
        for (std::size_t k = 0; k < size_; ++k) {
            law_[k] = find_law(in, in.touches[begin + k]);
            before_[k] = velocity_of(problem, in.links, begin + k);
            speeds_[k] = impact_speeds<Dim>(before_[k], in.touches[begin + k].normal);
        }
        const std::span<const std::int32_t> laws(law_.data(), size_);
        const auto [low, high] = std::minmax_element(laws.begin(), laws.end());
        if (*low == *high) {
            in.laws[*low].freeze({speeds_.data(), size_}, {coefficients_.data(), size_});
            return;
        }
        for (std::int32_t one = *low; one <= *high; ++one) freeze_one(in.laws[one], one, laws);
    }
    [[nodiscard]] const FrozenCoefficients& operator[](std::size_t k) const { return coefficients_[k]; }
    [[nodiscard]] const Vec<Dim>& before(std::size_t k) const { return before_[k]; }   ///< U- [m/s]
    [[nodiscard]] std::int32_t law(std::size_t k) const { return law_[k]; }

private:
    void freeze_one(const ContactLaw& law, std::int32_t number, std::span<const std::int32_t> laws) {
        std::array<ImpactSpeeds, chunk> speeds;
        std::array<FrozenCoefficients, chunk> coefficients;
        std::array<std::size_t, chunk> member;
        std::size_t count = 0;
        for (std::size_t k = 0; k < size_; ++k) {
            if (laws[k] != number) continue;
            speeds[count] = speeds_[k];
            member[count++] = k;
        }
        if (count == 0) return;
        law.freeze({speeds.data(), count}, {coefficients.data(), count});
        for (std::size_t m = 0; m < count; ++m) coefficients_[member[m]] = coefficients[m];
    }

    std::size_t size_;
    std::array<std::int32_t, chunk> law_;
    std::array<Vec<Dim>, chunk> before_;
    std::array<ImpactSpeeds, chunk> speeds_;
    std::array<FrozenCoefficients, chunk> coefficients_;
};

/// The constant of the formal velocity, world axes. Under the `gap` rule a contact that is still
/// apart may close: U_N+ >= -g/h.
template <int Dim>
Vec<Dim> formal_constant(const FreezeInput<Dim>& in, const FrozenCoefficients& c, std::size_t k, const Vec<Dim>& before) {
    const Touch<Dim>& t = in.touches[k];
    const Vec<Dim> W = in.links.W(k);
    const Vec<Dim> gu = before - W;
    const double gn = gu.dot(t.normal), wn = W.dot(t.normal);
    double cn = c.rho * gn + (1.0 + c.rho) * wn;
    if (in.rule == ContactRule::gap && t.gap > 0.0) cn = wn + t.gap / in.h;
    return cn * t.normal + c.tau * (gu - gn * t.normal) + (1.0 + c.tau) * (W - wn * t.normal);
}

template <int Dim>
bool is_closed(const FreezeInput<Dim>& in, const Touch<Dim>& t) {
    if (in.rule == ContactRule::moreau || t.gap <= in.touch * smaller_diameter(in.bodies, t)) return true;
    return t.cached >= 0 && !in.cache.bond.empty() && in.cache.bond[t.cached] == BondState::intact;
}

template <int Dim>
BondState bond_of(const FreezeInput<Dim>& in, const Touch<Dim>& t, std::int32_t law) {
    const LawSpec& spec = in.materials.laws()[static_cast<std::size_t>(law)];
    if (spec.cohesion == 0.0) return BondState::none;
    bool bonded = is_closed(in, t);
    if (spec.brittle && !in.materials.bonding()[static_cast<std::size_t>(law)])
        bonded = t.cached >= 0 && !in.cache.bond.empty() && in.cache.bond[t.cached] == BondState::intact;
    return bonded ? BondState::intact : BondState::broken;
}

/// Gives the bodies the pulls of cohesion, and the contacts the impulse S + C h n to start from.
template <int Dim>
void pull_together(const FreezeInput<Dim>& in, ContactProblem<Dim>& problem) {
    ContactLinks<Dim>& links = in.links;
    links.pull.clear();
    links.bond.clear();
    links.unpulled.clear();
    if (!in.materials.any_cohesion()) return;
    links.unpulled = problem.free_lines;
    auto& lines = problem.free_lines;
    for (std::size_t k = 0; k < in.touches.size(); ++k) {
        const std::int32_t law = find_law(in, in.touches[k]);
        links.bond.push_back(bond_of(in, in.touches[k], law));
        const double C = in.materials.laws()[static_cast<std::size_t>(law)].cohesion;
        const double pull = links.bond[k] == BondState::intact ? C * in.h : 0.0;
        links.pull.push_back(pull);
        const ContactRecord r = links.record(k);
        if (r.kind() == ContactRecord::Kind::ball) {
            const BallContact<Dim> c = problem.balls[r.index()];
            problem.balls.set_impulse(r.index(), std::max(0.0, c.pn + pull), c.pt);
            const Vec<Dim> p = -pull * c.n;
            lines[c.a].v += problem.lines[c.a].inv_mass * p;
            lines[c.b].v -= problem.lines[c.b].inv_mass * p;
        } else if (r.kind() == ContactRecord::Kind::general) {
            GeneralContact<Dim>& c = problem.generals[r.index()];
            c.S[0] = std::max(0.0, c.S[0] + pull);
            apply(c, Vec<Dim>(-pull * Vec<Dim>::Unit(0)), lines[c.a], lines[c.b]);
        } else {
            using Rows = typename LinkContact<Dim>::Rows;
            LinkContact<Dim>& c = problem.links[r.index()];
            c.S[0] = std::max(0.0, c.S[0] + pull);
            apply(c, Rows(-pull * Rows::Unit(0)), lines[c.a], lines[c.b]);
        }
    }
}

/// The frozen law of a link. Couples are in units of the effective radius, the length of its couple rows.
/// An elliptic cone without a direction for its axes is round, with the smaller coefficient.
template <int Dim>
LinkLaw link_law(const LawSpec& spec, const LinkContact<Dim>& c, double mu) {
    LinkLaw law;
    law.kind = LinkLaw::Kind::contact;
    law.mu = law.mu_second = mu;
    if (spec.friction_second >= 0.0) {
        law.mu_second = spec.friction_second;
        Mat<Dim> frame;
        if (!frame_along<Dim>(c.line.row(0).transpose(), spec.axis, frame)) law.mu = law.mu_second = std::min(law.mu, law.mu_second);
    }
    law.mu_static = std::max(law.mu, spec.static_friction);
    law.held = law.mu_static > law.mu;
    law.rolling = spec.rolling > 0.0 ? spec.rolling : spec.rolling_length / c.length;
    law.pivoting = spec.pivoting > 0.0 ? spec.pivoting : spec.pivoting_length / c.length;
    return law;
}

/// A starting impulse was turned with its normal and may pull, by rounding.
double friction_limit(double mu, double pn) { return std::max(0.0, mu * pn); }

/// Puts the law into a ball contact, and its starting impulse into the cone.
template <int Dim>
void set_ball_law(std::size_t index, const BallContact<Dim>& law, ContactProblem<Dim>& problem) {
    problem.balls.set_law(index, law);
    const double pn = problem.balls.pn(index), limit = friction_limit(law.mu, pn);
    Tangential<Dim> pt = problem.balls.pt(index);
    const double square = pt.squared();
    if (square > limit * limit) problem.balls.set_impulse(index, pn, pt *= limit / std::sqrt(square));
}

/// The usual case: contacts [begin, end) are of balls, nothing driven moves, coefficients are the same at all speeds and no law gives
/// tangential velocity back. Then only the normal velocity before the step matters.
template <int Dim>
void set_plain_laws(const FreezeInput<Dim>& in, std::size_t begin, std::size_t end, ContactProblem<Dim>& problem) {
    const std::int32_t only = in.materials.size() == 1 ? in.materials.law_of(0, 0) : -1;   // else, or where there is none: by body
    for (std::size_t k = begin; k < end; ++k) {
        look_ahead_at_bodies(problem, in.links, k);
        const Touch<Dim>& t = in.touches[k];
        const FrozenCoefficients& f = in.laws.constants()[static_cast<std::size_t>(only >= 0 ? only : find_law(in, t))];
        const LinePair pair = problem.balls.lines(k);
        const double un = (problem.lines[pair.a].v - problem.lines[pair.b].v).dot(t.normal);
        BallContact<Dim> c;
        c.cn = in.rule == ContactRule::gap && t.gap > 0.0 ? t.gap / in.h : f.rho * un;
        c.mu = f.mu;
        c.impact = std::max(0.0, -un);
        set_ball_law(k, c, problem);
    }
}

/// Puts coefficients and constants into contact k, and its starting impulse into the cone.
template <int Dim>
void set_law(const FreezeInput<Dim>& in, std::size_t k, const FrozenCoefficients& f, const Vec<Dim>& before, std::int32_t law,
             ContactProblem<Dim>& problem) {
    const Vec<Dim>& n = in.touches[k].normal;
    const Vec<Dim> constant = formal_constant(in, f, k, before);
    const double impact = std::max(0.0, -before.dot(n));
    const ContactRecord r = in.links.record(k);
    if (r.kind() == ContactRecord::Kind::ball) {
        BallContact<Dim> c;
        c.cn = constant.dot(n);
        if (problem.balls.has_shifts()) c.ct = tangential_of(constant, n);
        c.mu = f.mu;
        c.impact = impact;
        set_ball_law(r.index(), c, problem);
    } else if (r.kind() == ContactRecord::Kind::general) {
        GeneralContact<Dim>& c = problem.generals[r.index()];
        c.c = c.frame * constant;
        c.mu = f.mu;
        c.impact = impact;
        auto tangent = c.S.template tail<Dim - 1>();
        const double limit = friction_limit(f.mu, c.S[0]), size = tangent.norm();
        if (size > limit) tangent *= limit / size;
    } else {
        LinkContact<Dim>& c = problem.links[r.index()];
        c.c.template head<Dim>() = c.line.template topRows<Dim>() * constant;
        // A couple has no restitution: it sees the relative spin after the step.
        c.c.template tail<spin_size<Dim>>() = in.links.couple_wall[r.index()];
        c.law = link_law(in.materials.laws()[static_cast<std::size_t>(law)], c, f.mu);
        c.impact = impact;
        bring_into_bounds<Dim>(c.law, c.S);
    }
}

}  // namespace

void LawTable::update(const Materials& materials) {
    if (revision_ == materials.revision()) return;
    laws_.clear();
    constants_.clear();
    for (const LawSpec& spec : materials.laws()) laws_.push_back(law_registry().make(spec));
    for (const auto& law : laws_)
        if (const auto constant = law->constant()) constants_.push_back(*constant);
    if (constants_.size() != laws_.size()) constants_.clear();
    revision_ = materials.revision();
}

bool LawTable::any_bounces() const {
    return std::any_of(laws_.begin(), laws_.end(), [](const auto& law) { return law->bounces(); });
}
bool LawTable::any_springs_back() const {
    return std::any_of(laws_.begin(), laws_.end(), [](const auto& law) { return law->springs_back(); });
}

template <int Dim>
FrozenCoefficients frozen_coefficients(const ContactLaw& law, const Vec<Dim>& before, const Vec<Dim>& normal) {
    const ImpactSpeeds speeds = impact_speeds<Dim>(before, normal);
    FrozenCoefficients out;
    law.freeze({&speeds, 1}, {&out, 1});
    return out;
}

template <int Dim>
void freeze_laws(const FreezeInput<Dim>& in, ContactProblem<Dim>& problem) {
    pull_together(in, problem);
    const bool plain = in.links.records.empty() && in.links.pull.empty() && !problem.balls.has_shifts() && !in.laws.constants().empty();
    in.threads.for_chunks(in.touches.size(), chunk, [&](std::size_t begin, std::size_t end) {
        if (plain) return set_plain_laws(in, begin, end, problem);
        const FrozenChunk<Dim> coefficients(in, problem, begin, end);
        for (std::size_t k = begin; k < end; ++k) {
            look_ahead(problem, in.links, k);
            set_law(in, k, coefficients[k - begin], coefficients.before(k - begin), coefficients.law(k - begin), problem);
        }
    });
}

#define TALUS_INSTANTIATE(Dim)                                                                                   \
    template FrozenCoefficients frozen_coefficients<Dim>(const ContactLaw&, const Vec<Dim>&, const Vec<Dim>&);   \
    template void freeze_laws(const FreezeInput<Dim>&, ContactProblem<Dim>&);
TALUS_INSTANTIATE(2)
TALUS_INSTANTIATE(3)
#undef TALUS_INSTANTIATE

}  // namespace talus
