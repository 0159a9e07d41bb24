#pragma once
/// \file
/// What a step tells about itself.

#include <cstdint>

namespace talus {

/// How far the impulses are from satisfying every contact law, judged by `src/solve/residual.cpp`
/// alone. For contact alpha, e = |H (S - S*)| [m/s], S* the exact solution with the others held.
struct LawError {
    double mean = 0.0;           ///< `law_error`: mean of e / v_ref over working contacts [-]
    double max = 0.0;            ///< `law_error_max` [-]
    std::int64_t working = 0;    ///< contacts with S != 0 or e != 0
    double v_ref = 0.0;          ///< the reference velocity g h, or its stand-in [m/s]
};

/// Where the energy of one step went [J]. `residual` is what does not close.
///
/// kinetic + potential change = drive_work + load_work - impact - friction + correction + rotation
///                              + created - removed - frozen + residual
struct EnergyLedger {
    double kinetic = 0.0;      ///< at the end of the step
    double potential = 0.0;    ///< at the end of the step (weight of free bodies)
    double drive_work = 0.0;   ///< done by driven bodies, with V_wall(t_m)
    double load_work = 0.0;    ///< done by stated forces
    double impact = 0.0;       ///< lost in normal direction: sum -S_N (U_N+ + U_N-)/2
    double friction = 0.0;     ///< lost in tangential direction: sum -S_T.(U_T+ + U_T-)/2
    double correction = 0.0;   ///< potential energy given by position correction
    double rotation = 0.0;     ///< work of the gyroscopic term on bodies that are not round and touch others
    double created = 0.0;      ///< energy of bodies added since the last step
    double removed = 0.0;      ///< energy of bodies removed since the last step
    double frozen = 0.0;       ///< energy of bodies frozen since the last step
    double residual = 0.0;     ///< what does not close
};

/// Wall-clock seconds of the stages of one step. Never written to places compared bit by bit.
struct StepTimes {
    double predict = 0.0, pair = 0.0, touch = 0.0, gather = 0.0, solve = 0.0, finish = 0.0;
    [[nodiscard]] double detect() const { return pair + touch; }
    [[nodiscard]] double total() const { return predict + pair + touch + gather + solve + finish; }
};

/// One step, after it was made.
struct StepReport {
    std::int64_t step = 0;              ///< index, from 1
    double time = 0.0;                  ///< end of the step [s]
    std::int64_t bodies = 0;
    std::int64_t contacts = 0;          ///< potential contacts: those the rule admits at q_m
    std::int64_t working_contacts = 0;  ///< effective contacts: those with an impulse
    std::int64_t sweeps = 0;
    std::int64_t updates = 0;           ///< contacts visited, all sweeps together
    bool converged = true;              ///< false: the sweep cap was hit above the tolerance
    LawError law;
    double moreau_change = 0.0;         ///< largest |H_N dS_N| of the last cycle [m/s]
    EnergyLedger energy;
    bool energy_gained = false;         ///< contacts created energy beyond rounding (possible when rho != tau)
    double momentum_residual = 0.0;     ///< |change - forces - wall impulses| over the largest of them [-]
    double max_overlap = 0.0;           ///< over the smaller body's diameter, at q_m [-]
    double mean_overlap = 0.0;          ///< over contacts, 0 for those apart [-]
    double joint_error = 0.0;           ///< largest defect of position left in a joint [m], [rad]
    double max_speed = 0.0;             ///< of free bodies, end of step [m/s]
    bool rebuilt = false;               ///< the candidate list was made anew or patched
    StepTimes seconds;
};

}  // namespace talus
