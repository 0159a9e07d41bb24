#pragma once
/// \file
/// A bed of grains by heights: its lowest point and the height it would have if it were even, twice the
/// height of the middle of its grains' volume above the lowest point. (The highest grain may be in flight.)

#include <algorithm>
#include <limits>

#include "observe/forces.h"
#include "observe/space.h"

namespace talus::observe {

struct Bed {
    double bottom = std::numeric_limits<double>::quiet_NaN();   ///< height of the lowest point [m]
    double height = std::numeric_limits<double>::quiet_NaN();   ///< [m]
};

template <int Dim>
[[nodiscard]] Bed measure_bed(const Snapshot<Dim>& snapshot) {
    const Vertical<Dim> axis = vertical(snapshot, Vec<Dim>::Zero().eval());
    double bottom = std::numeric_limits<double>::infinity(), moment = 0.0, volume = 0.0;
    for (std::size_t i = 0; i < snapshot.size(); ++i) {
        if (!is_grain(snapshot, i)) continue;
        const double z = axis.height(snapshot.position[i]);
        bottom = std::min(bottom, z - snapshot.radius[i]);
        moment += snapshot.volume(i) * z;
        volume += snapshot.volume(i);
    }
    return volume > 0.0 ? Bed{bottom, 2.0 * (moment / volume - bottom)} : Bed{};
}

}  // namespace talus::observe
