#pragma once
/// \file
/// The judge of all solvers: how far a set of impulses is from satisfying every contact law.
///
/// For contact alpha, e = |H (S - S*)|, S* being the exact impulse of alpha with the others held and
/// the velocities recomputed from the impulses. v_ref = g h; without gravity the mean of |H S| over
/// loaded contacts; a colliding contact adds its own |U_N-| to its own v_ref. The mean and the
/// largest of e/v_ref over contacts with S != 0 or e != 0 are `law_error` and `law_error_max`.

#include "contact/problem.h"
#include "talus/report.h"

namespace talus {

/// Refreshes the velocities from the impulses, then judges them. Impulses are not changed.
template <int Dim>
[[nodiscard]] LawError judge(ContactProblem<Dim>& problem);

/// The reference velocity: g h, or its stand-in for the present impulses [m/s].
template <int Dim>
[[nodiscard]] double reference_velocity(const ContactProblem<Dim>& problem);

/// e for one contact with the present lines, and the impulse that would satisfy its law.
template <int Dim>
[[nodiscard]] double law_defect(const BallContact<Dim>& c, double dpn, double dpt_squared) {
    const double en = dpn / c.inv_wn;
    return std::sqrt(en * en + dpt_squared / (c.inv_wt * c.inv_wt));
}

/// Collects e/v_ref into a mean and a maximum.
class ErrorTally {
public:
    explicit ErrorTally(double v_ref) : v_ref_(v_ref) {}
    void add(double e, double impact, bool loaded) {
        if (e == 0.0 && !loaded) return;
        ++working_;
        if (e == 0.0) return;
        const double relative = e / (v_ref_ + impact);  // no reference at all: infinite, never converged
        sum_ += relative;
        max_ = std::max(max_, relative);
    }
    [[nodiscard]] LawError result() const {
        return {working_ > 0 ? sum_ / static_cast<double>(working_) : 0.0, max_, working_, v_ref_};
    }

private:
    double v_ref_, sum_ = 0.0, max_ = 0.0;
    std::int64_t working_ = 0;
};

}  // namespace talus
