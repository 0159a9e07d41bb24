#pragma once
/// \file
/// First half of a step: t_m = t + h/2, q_m = q + (h/2) u; driven freedoms are placed by their law.

#include "detect/broad/candidates.h"
#include "state/drives.h"

namespace talus {

/// What a drive wants at some time.
struct DriveState {
    double displacement = 0.0;  ///< since its anchor [m or rad]
    double velocity = 0.0;      ///< [m/s or rad/s]
};
[[nodiscard]] inline DriveState state_at(const Drive& drive, double t) {
    return {drive.law->value(t) - drive.law->value(drive.anchor_time), drive.law->slope(t)};
}

/// Places all bodies at t + h/2 and finds the velocities of driven freedoms there.
template <int Dim>
void predict(const Bodies<Dim>& bodies, const std::vector<Drive>& drives, const std::vector<std::size_t>& drive_index,
             double t, double h, const Threads& threads, Placement<Dim>& at, DrivenMotion<Dim>& motion);

/// Puts glued bodies where their carriers are.
template <int Dim>
void place_glued(const Bodies<Dim>& bodies, std::vector<Vec<Dim>>& position, const std::vector<Rotation<Dim>>& rotation);

}  // namespace talus
