#pragma once
/// \file
/// The judge of all solvers: how far a set of impulses is from satisfying every contact law.
///
/// For contact alpha, e = |H (S - S*)|, S* being the exact impulse of alpha with the others held and
/// the velocities recomputed from the impulses. v_ref = g h; without gravity the mean of |H S| over
/// loaded contacts; a colliding contact adds its own |U_N-| to its own v_ref. The mean and the
/// largest of e/v_ref over contacts with S != 0 or e != 0 are `law_error` and `law_error_max`.
///
/// Two more errors are those of other codes: the natural map of the De Saxce form (Siconos), and the gap
/// of the bipotential [sanni2009, eq. 32]. They see plain contacts only, not links.

#include "solve/kernel_sums.h"
#include "solve/refresh.h"
#include "solve/solver_registry.h"

namespace talus {

/// Refreshes the velocities from the impulses, then judges them. Impulses are not changed.
template <int Dim>
[[nodiscard]] LawError judge(ContactProblem<Dim>& problem);
template <int Dim>
[[nodiscard]] LawError judge(MatrixProblem<Dim>& problem);

/// The reference velocity: g h, or its stand-in for the present impulses [m/s].
template <int Dim>
[[nodiscard]] double reference_velocity(const ContactProblem<Dim>& problem);
template <int Dim>
[[nodiscard]] double reference_velocity(const MatrixProblem<Dim>& problem);

/// The projection of r on Coulomb's cone |r_T| <= mu r_N [sanni2009, eq. 26].
template <int Dim>
[[nodiscard]] Vec<Dim> project_on_cone(const Vec<Dim>& r, double mu);

/// e = r - P_K(r - u^), u^ = u + (mu |u_T|, 0...), K the cone: zero where the law holds.
struct NaturalError {
    double absolute = 0.0;   ///< sqrt of the sum of |e|^2
    double relative = 0.0;   ///< over max(|q|, |r|, |u|), vectors of all contacts: Siconos' full error
};
/// The velocities of the problem must be those of its impulses.
template <int Dim>
[[nodiscard]] NaturalError natural_error(const ContactProblem<Dim>& problem);
template <int Dim>
[[nodiscard]] NaturalError natural_error(const MatrixProblem<Dim>& problem);

/// The sum over contacts of u.r + mu |u_T| r_N after r was brought into its cone and u_N to u_N >= 0;
/// then every term is >= 0, and zero where the law holds.
struct BipotentialGap {
    double absolute = 0.0;   ///< [J]
    double relative = 0.0;   ///< over the sum of |u| |r|
    double moved_r = 0.0;    ///< how far r was moved, largest over contacts [N s]
    double moved_u = 0.0;    ///< how far u_N was moved, largest [m/s]
};
template <int Dim>
[[nodiscard]] BipotentialGap bipotential_gap(const ContactProblem<Dim>& problem);
template <int Dim>
[[nodiscard]] BipotentialGap bipotential_gap(const MatrixProblem<Dim>& problem);

/// Is the error within the tolerance, up to the rounding of a sum over contacts? The same answer judged in two forms differs by that.
[[nodiscard]] inline bool is_within(double error, double tolerance) { return error <= tolerance * (1.0 + 1e-12); }

/// Does the law error, or the error that the settings name, meet them?
[[nodiscard]] inline bool meets(const LawError& e, const SolverSettings& settings) {
    return is_within(e.mean, settings.tolerance) && (settings.tolerance_max <= 0.0 || is_within(e.max, settings.tolerance_max));
}

/// The error that the settings name, of the present impulses; the velocities are refreshed.
template <int Dim>
[[nodiscard]] double error_of(ContactProblem<Dim>& problem, const SolverSettings& settings);
template <int Dim>
[[nodiscard]] double error_of(MatrixProblem<Dim>& problem, const SolverSettings& settings);

/// Judges the impulses: fills `law`, `error` and `converged` of the report.
template <int Dim>
void conclude(ContactProblem<Dim>& problem, const SolverSettings& settings, SolveReport& report);
template <int Dim>
void conclude(MatrixProblem<Dim>& problem, const SolverSettings& settings, SolveReport& report);

/// e for one contact with the present lines, and the impulse that would satisfy its law.
template <int Dim>
[[nodiscard]] double law_defect(const BallContact<Dim>& c, double dpn, double dpt_squared) {
    const double en = dpn / c.inv_wn;
    return std::sqrt(en * en + dpt_squared / (c.inv_wt * c.inv_wt));
}

/// Collects e/v_ref into a mean and a maximum.
class ErrorTally {
public:
    explicit ErrorTally(double v_ref = 0.0) : v_ref_(v_ref) {}
    void add(double e, double impact, bool loaded) {
        if (e == 0.0 && !loaded) return;
        ++working_;
        if (e == 0.0) return;
        const double relative = e / (v_ref_ + impact);  // no reference at all: infinite, never converged
        sum_ += relative;
        max_ = std::max(max_, relative);
    }
    /// Of several contacts: their sum and largest e over reference, and how many.
    void add(double sum, double max, std::int64_t working) {
        sum_ += sum;
        max_ = std::max(max_, max);
        working_ += working;
    }
    void add(const KernelSums& sums) { add(sum_of(sums.error), largest_of(sums.worst), static_cast<std::int64_t>(sum_of(sums.working))); }
    void add(const ErrorTally& other) { add(other.sum_, other.max_, other.working_); }
    [[nodiscard]] double reference() const { return v_ref_; }
    [[nodiscard]] LawError result() const {
        // Where no contact works the sum is zero, or no number, which must show.
        return {working_ > 0 ? sum_ / static_cast<double>(working_) : sum_, max_, working_, v_ref_};
    }

private:
    double v_ref_, sum_ = 0.0, max_ = 0.0;
    std::int64_t working_ = 0;
};

}  // namespace talus
