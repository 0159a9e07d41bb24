#include "laws/freeze.h"

#include <algorithm>

namespace talus {
namespace {

template <int Dim>
void find_laws(const FreezeInput<Dim>& in, FrozenContacts& frozen) {
    const std::size_t n = in.touches.size();
    frozen.law.resize(n);
    frozen.speeds.resize(n);
    for (std::size_t k = 0; k < n; ++k) {
        const Touch<Dim>& t = in.touches[k];
        const MaterialId a = in.bodies.material[t.a], b = in.bodies.material[t.b];
        frozen.law[k] = in.materials.law_of(a, b);
        if (frozen.law[k] < 0)
            throw InputError("materials '" + in.materials.name(a) + "' and '" + in.materials.name(b) +
                             "' touch but have no law; state one for this pair");
        const double un = in.links.before[k].dot(t.normal);
        frozen.speeds[k] = {std::abs(un), (in.links.before[k] - un * t.normal).norm()};
    }
}

/// One batch for each law.
void evaluate(const LawTable& laws, std::size_t law_count, FrozenContacts& frozen) {
    const std::size_t n = frozen.law.size();
    frozen.coefficients.resize(n);
    for (std::size_t law = 0; law < law_count; ++law) {
        frozen.batch.clear();
        frozen.batch_speeds.clear();
        for (std::size_t k = 0; k < n; ++k) {
            if (frozen.law[k] != static_cast<std::int32_t>(law)) continue;
            frozen.batch.push_back(static_cast<std::int32_t>(k));
            frozen.batch_speeds.push_back(frozen.speeds[k]);
        }
        frozen.batch_coefficients.resize(frozen.batch.size());
        laws[static_cast<std::int32_t>(law)].freeze(frozen.batch_speeds, frozen.batch_coefficients);
        for (std::size_t m = 0; m < frozen.batch.size(); ++m)
            frozen.coefficients[frozen.batch[m]] = frozen.batch_coefficients[m];
    }
}

/// The constant of the formal velocity, world axes. Under the `gap` rule a contact that is still
/// apart may close: U_N+ >= -g/h.
template <int Dim>
Vec<Dim> formal_constant(const FreezeInput<Dim>& in, const FrozenCoefficients& c, std::size_t k) {
    const Touch<Dim>& t = in.touches[k];
    const Vec<Dim> W = in.links.W(k);
    const Vec<Dim> gu = in.links.before[k] - W;
    const double gn = gu.dot(t.normal), wn = W.dot(t.normal);
    double cn = c.rho * gn + (1.0 + c.rho) * wn;
    if (in.rule == ContactRule::gap && t.gap > 0.0) cn = wn + t.gap / in.h;
    return cn * t.normal + c.tau * (gu - gn * t.normal) + (1.0 + c.tau) * (W - wn * t.normal);
}

}  // namespace

void LawTable::update(const Materials& materials) {
    if (revision_ == materials.revision()) return;
    laws_.clear();
    for (const LawSpec& spec : materials.laws()) laws_.push_back(law_registry().make(spec));
    revision_ = materials.revision();
}

bool LawTable::any_bounces() const {
    return std::any_of(laws_.begin(), laws_.end(), [](const auto& law) { return law->bounces(); });
}

template <int Dim>
void freeze_laws(const FreezeInput<Dim>& in, FrozenContacts& frozen, ContactProblem<Dim>& problem) {
    find_laws(in, frozen);
    evaluate(in.laws, in.materials.laws().size(), frozen);
    for (std::size_t k = 0; k < in.touches.size(); ++k) {
        const FrozenCoefficients& f = frozen.coefficients[k];
        const Vec<Dim>& n = in.touches[k].normal;
        const Vec<Dim> constant = formal_constant(in, f, k);
        const double impact = std::max(0.0, -in.links.before[k].dot(n));
        const std::int32_t r = in.links.record[k];
        if (r >= 0) {
            BallContact<Dim>& c = problem.balls[r];
            c.cn = constant.dot(n);
            c.ct = tangential_of(constant, n);
            c.mu = f.mu;
            c.impact = impact;
            const double limit = f.mu * c.pn, size = std::sqrt(c.pt.squared());
            if (size > limit) c.pt *= limit / size;
        } else {
            GeneralContact<Dim>& c = problem.generals[~r];
            c.c = c.frame * constant;
            c.mu = f.mu;
            c.impact = impact;
            auto tangent = c.S.template tail<Dim - 1>();
            const double limit = f.mu * c.S[0], size = tangent.norm();
            if (size > limit) tangent *= limit / size;
        }
    }
}

template void freeze_laws(const FreezeInput<2>&, FrozenContacts&, ContactProblem<2>&);
template void freeze_laws(const FreezeInput<3>&, FrozenContacts&, ContactProblem<3>&);

}  // namespace talus
