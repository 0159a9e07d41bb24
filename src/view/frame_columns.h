#pragma once
/// \file
/// Which quantities of a snapshot the viewer gets, and how exactly.

#include "step/snapshot.h"
#include "view/columns.h"

namespace talus::view {

/// What is kept of a frame.
struct Detail {
    bool exact = false;           ///< 32-bit floats, every quantity: what the server sends
    double length_step = 0.0;     ///< of positions [m]; a small part of the smallest radius
    double speed_step = 0.0;      ///< of velocities [m/s]; slower than half of it is at rest, which costs nothing
    double spin_step = 0.0;       ///< of angular velocities [rad/s]
    bool rotations = true;        ///< of balls; other shapes always have theirs
    bool contacts = true;
    bool idle_contacts = true;    ///< those without force too
    bool sums = true;             ///< impulses over the frame's interval, if the run has them
};

/// The columns of a frame. Positions are relative to `origin`, so that 32 bits do wherever the scene lies.
/// Vectors have three components in the plane too (rotations: quaternions), the page draws in space.
template <int Dim>
[[nodiscard]] FrameColumns frame_columns(const Snapshot<Dim>& snapshot, std::uint32_t number, const Vec<Dim>& origin,
                                         const Detail& detail);

}  // namespace talus::view
