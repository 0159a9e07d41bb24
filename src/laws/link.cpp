#include "laws/link.h"

#include <algorithm>
#include <array>
#include <cmath>

#include <Eigen/QR>

#include "laws/bounded.h"

namespace talus {
namespace {

template <int Dim>
using RowsOf = typename LinkContact<Dim>::Rows;

template <int Dim>
RowsOf<Dim> solve_joint(const LinkContact<Dim>& c, const RowsOf<Dim>& b) {
    RowsOf<Dim> S = RowsOf<Dim>::Zero();
    S.head(c.rows) = -c.H.topLeftCorner(c.rows, c.rows).completeOrthogonalDecomposition().solve(b.head(c.rows));
    return S;
}

/// Where the blocks begin and end: friction, rolling, pivoting.
template <int Dim>
constexpr std::array<int, 4> block_ends = {1, Dim, 2 * Dim - 1, LinkContact<Dim>::size};

/// Bounds of the rows over S_N.
template <int Dim>
RowsOf<Dim> bounds_of(const LinkLaw& law, double mu, double mu_second) {
    RowsOf<Dim> bound = RowsOf<Dim>::Constant(law.pivoting);
    bound[0] = 1.0;
    bound.template segment<Dim - 1>(1).setConstant(mu_second);
    bound[1] = mu;
    bound.template segment<Dim - 1>(Dim).setConstant(law.rolling);
    return bound;
}

/// The static cone has the shape of the other.
double static_second(const LinkLaw& law) {
    return law.mu > 0.0 ? law.mu_second * (law.mu_static / law.mu) : law.mu_static;
}

/// A contact with its rows divided by their bounds. Rows without a bound have no impulse and are left out.
template <int Dim>
class Reduced {
public:
    Reduced(const LinkContact<Dim>& c, const RowsOf<Dim>& b, double mu, double mu_second)
        : bound_(bounds_of<Dim>(c.law, mu, mu_second)) {
        bound_.tail(LinkContact<Dim>::size - c.rows).setZero();
        rows_[count_++] = 0;
        for (int k = 0; k < 3; ++k) add_block(block_ends<Dim>[k], block_ends<Dim>[k + 1]);
        problem_.H.resize(count_, count_);
        problem_.b.resize(count_);
        for (int i = 0; i < count_; ++i) {
            problem_.b[i] = bound_[rows_[i]] * b[rows_[i]];
            for (int j = 0; j < count_; ++j)
                problem_.H(i, j) = bound_[rows_[i]] * bound_[rows_[j]] * c.H(rows_[i], rows_[j]);
        }
        // Held freedoms leave H singular. A share of rounding makes it regular, and is one more rounding.
        constexpr double share = 1e-14;
        for (int i = 1; i < count_; ++i) {
            const double d = bound_[rows_[i]];
            problem_.H(i, i) += share * d * d * (c.H(rows_[i], rows_[i]) + c.H(0, 0));
        }
    }

    [[nodiscard]] RowsOf<Dim> solve(const RowsOf<Dim>& start) const {
        BoundedContact::Vector x(count_);
        for (int i = 0; i < count_; ++i) x[i] = start[rows_[i]] / bound_[rows_[i]];
        x = solve_bounded(problem_, x);
        RowsOf<Dim> S = RowsOf<Dim>::Zero();
        for (int i = 0; i < count_; ++i) S[rows_[i]] = bound_[rows_[i]] * x[i];
        return S;
    }

private:
    void add_block(int first, int end) {
        BoundedContact::Block block{count_, 0};
        for (int i = first; i < end; ++i) {
            if (!(bound_[i] > 0.0)) continue;
            rows_[count_++] = i;
            ++block.size;
        }
        if (block.size > 0) problem_.block[problem_.blocks++] = block;
    }

    RowsOf<Dim> bound_;
    std::array<int, BoundedContact::most_rows> rows_{};
    int count_ = 0;
    BoundedContact problem_;
};

/// The contact presses, and an impulse along the normal can do something about it.
template <int Dim>
bool is_pressed(const LinkContact<Dim>& c, const RowsOf<Dim>& b) {
    constexpr double singular = 1e-14;
    return b[0] < 0.0 && c.H(0, 0) > singular * c.H.template topLeftCorner<Dim, Dim>().trace();
}

template <int Dim>
RowsOf<Dim> solve_contact(const LinkContact<Dim>& c, const RowsOf<Dim>& b) {
    if (!is_pressed(c, b)) return RowsOf<Dim>::Zero();
    if (c.law.held) return Reduced<Dim>(c, b, c.law.mu_static, static_second(c.law)).solve(c.S);
    return Reduced<Dim>(c, b, c.law.mu, c.law.mu_second).solve(c.S);
}

/// Length of a block in units of its bounds; infinite where something is without a bound.
template <class Rows>
double used(const Rows& bound, const Rows& S, int first, int end) {
    double sum = 0.0;
    for (int i = first; i < end; ++i) {
        const double limit = bound[i] * S[0];
        if (S[i] != 0.0) sum += limit > 0.0 ? (S[i] / limit) * (S[i] / limit) : HUGE_VAL;
    }
    return std::sqrt(sum);
}

}  // namespace

template <int Dim>
RowsOf<Dim> solve_link(const LinkContact<Dim>& c, const RowsOf<Dim>& b) {
    return c.law.kind == LinkLaw::Kind::contact ? solve_contact(c, b) : solve_joint(c, b);
}

template <int Dim>
void bring_into_bounds(const LinkLaw& law, RowsOf<Dim>& S) {
    const RowsOf<Dim> bound = law.held ? bounds_of<Dim>(law, law.mu_static, static_second(law))
                                       : bounds_of<Dim>(law, law.mu, law.mu_second);
    for (int k = 0; k < 3; ++k) {
        const int first = block_ends<Dim>[k], end = block_ends<Dim>[k + 1];
        const double share = used(bound, S, first, end);
        if (share > 1.0) S.segment(first, end - first) *= 1.0 / share;
    }
}

template <int Dim>
double friction_used(const LinkLaw& law, const RowsOf<Dim>& S) {
    if (law.mu == 0.0 || law.mu_second == 0.0) return 1.0;
    return used(bounds_of<Dim>(law, law.mu, law.mu_second), S, 1, Dim);
}

template <int Dim>
bool release_sliders(ContactProblem<Dim>& problem, const LawError& error) {
    constexpr double edge = 1e-9;
    bool any = false;
    for (auto& c : problem.links) {
        if (c.law.kind != LinkLaw::Kind::contact || !c.law.held || !(c.S[0] > 0.0)) continue;
        if (used(bounds_of<Dim>(c.law, c.law.mu_static, static_second(c.law)), c.S, 1, Dim) < 1.0 - edge) continue;
        const RowsOf<Dim> V = formal_velocity(c, problem.lines[c.a], problem.lines[c.b]);
        const double explained = 10.0 * error.max * (error.v_ref + c.impact);
        if (V.template segment<Dim - 1>(1).norm() <= explained) continue;
        c.law.held = false;
        any = true;
    }
    return any;
}

template <int Dim>
bool holds_any(const ContactProblem<Dim>& problem) {
    return std::any_of(problem.links.begin(), problem.links.end(), [](const auto& c) { return c.law.held; });
}

template <int Dim>
void keep_start(const ContactProblem<Dim>& problem, StartImpulses<Dim>& start) {
    start.balls = problem.balls;
    start.generals = problem.generals;
    start.links = problem.links;
}

template <int Dim>
void start_again(const StartImpulses<Dim>& start, ContactProblem<Dim>& problem) {
    for (std::size_t k = 0; k < problem.balls.size(); ++k) problem.balls.set_impulse(k, start.balls.pn(k), start.balls.pt(k));
    for (std::size_t k = 0; k < problem.generals.size(); ++k) problem.generals[k].S = start.generals[k].S;
    for (std::size_t k = 0; k < problem.links.size(); ++k) {
        problem.links[k].S = start.links[k].S;
        if (problem.links[k].law.kind == LinkLaw::Kind::contact) bring_into_bounds<Dim>(problem.links[k].law, problem.links[k].S);
    }
}

#define TALUS_INSTANTIATE(Dim)                                                        \
    template bool holds_any(const ContactProblem<Dim>&);                                  \
    template void keep_start(const ContactProblem<Dim>&, StartImpulses<Dim>&);            \
    template void start_again(const StartImpulses<Dim>&, ContactProblem<Dim>&);           \
    template RowsOf<Dim> solve_link(const LinkContact<Dim>&, const RowsOf<Dim>&);     \
    template void bring_into_bounds<Dim>(const LinkLaw&, RowsOf<Dim>&);                   \
    template bool release_sliders(ContactProblem<Dim>&, const LawError&);                 \
    template double friction_used<Dim>(const LinkLaw&, const RowsOf<Dim>&);
TALUS_INSTANTIATE(2)
TALUS_INSTANTIATE(3)
#undef TALUS_INSTANTIATE

}  // namespace talus
