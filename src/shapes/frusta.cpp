/// \file
/// Straight solids of revolution with flat ends as pieces, and their mass properties in closed form.
#include <algorithm>
#include <cmath>

#include "shapes/solids.h"

namespace talus {
namespace {

/// Height on the axis, from the middle, of the centre of the smallest ball that holds both rims. It is
/// as far from one rim as from the other, unless the ball on the larger rim holds all.
double centre_of_bound(const Frustum& f) {
    const double even = (f.high * f.high - f.low * f.low) / (4.0 * f.half);
    return std::clamp(even, -f.half, f.half);
}

}  // namespace

Piece<3> piece_of(const Frustum& frustum) {
    Piece<3> piece;
    piece.kind = Piece<3>::Kind::frustum;
    piece.frustum = frustum;
    const double z = centre_of_bound(frustum);
    piece.centre = frustum.middle + z * frustum.axis;
    const double low = frustum.half + z, high = frustum.half - z;
    piece.bound = std::sqrt(std::max(frustum.low * frustum.low + low * low, frustum.high * frustum.high + high * high));
    return piece;
}

/// Integrals over the height H of powers of the radius r(z) = m + (d/H) z, z from the middle.
MassProperties<3> mass_of(const Frustum& frustum) {
    const double H = 2.0 * frustum.half, m = 0.5 * (frustum.low + frustum.high), d = frustum.high - frustum.low;
    const double r2 = H * (m * m + d * d / 12.0);
    const double z_r2 = m * d * H * H / 6.0;
    const double zz_r2 = H * H * H * (m * m / 12.0 + d * d / 80.0);
    const double r4 = H * (m * m * m * m + 0.5 * m * m * d * d + d * d * d * d / 80.0);
    const double z = z_r2 / r2;
    const double along = 0.5 * M_PI * r4;
    const double across = 0.25 * M_PI * r4 + M_PI * (zz_r2 - z * z * r2);
    MassProperties<3> mass;
    mass.volume = M_PI * r2;
    mass.centre = frustum.middle + z * frustum.axis;
    mass.inertia = across * Mat<3>::Identity() + (along - across) * frustum.axis * frustum.axis.transpose();
    return mass;
}

}  // namespace talus
