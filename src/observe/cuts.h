#pragma once
/// \file
/// Force through a cut: the resultant of the contact forces between grains with their centres on either
/// side of a surface, of those contacts whose points project onto it [moreau-jean1996, fig. 2;
/// moreau2001, sec. 3.4-3.5; moreau2003, sec. 9.3].
///
/// A cut is a segment of the plane, a plane, a rectangle of it, or a ribbon: what a segment of a meridian
/// half-plane sweeps when it turns about a vertical axis (a cylinder or a cone; in the plane, the segment and
/// its mirror image). It has a normal n; the
/// force is what the side behind n gives the side that n points to, so that its normal component is
/// positive in compression and, in a continuous medium, the force is the stress times n times the area.
///
/// For ribbons each force is taken in the meridian half-plane of its contact: R_r away from the axis, R_z
/// along it, R_theta across [moreau2003, sec. 9.3].
///
/// Limits: bodies without a centre (planes, containers) never count, those without freedom only when
/// asked. A ribbon near its axis has few contacts. With periodic borders a cut does not wrap.

#include <limits>
#include <string>
#include <vector>

#include "observe/forces.h"
#include "observe/space.h"

namespace talus::observe {

template <int Dim>
struct Cut {
    enum class Kind : std::uint8_t { plane, segment, rectangle, ribbon } kind = Kind::plane;
    std::string label;
    Vec<Dim> point = Vec<Dim>::Zero();    ///< of the plane; middle of a segment or rectangle; on a ribbon's axis [m]
    Vec<Dim> normal = Vec<Dim>::UnitX();  ///< unit
    Vec<Dim> along = Vec<Dim>::Zero();    ///< unit, in the plane: segment, rectangle
    double half_length = 0.0;             ///< along `along` [m]
    double half_width = 0.0;              ///< across both (rectangle) [m]
    Vec<2> from = Vec<2>::Zero(), to = Vec<2>::Zero();   ///< ribbon: distance from the axis and height [m]

    /// Length or area; NaN for a plane without border [m], [m2].
    [[nodiscard]] double measure() const;
    /// Inclination of the cut from the horizontal, in (-90, 90] [deg].
    [[nodiscard]] double angle(const Vec<Dim>& up) const;
};

/// What passed through a cut.
template <int Dim>
struct CutForce {
    Vec<Dim> force = Vec<Dim>::Zero();    ///< resultant [N]; of a ribbon the axial part only
    double normal = 0.0;                  ///< sum of components along n, local ones for a ribbon [N]
    double tangential = 0.0;              ///< size of what is left; signed, along the cut, in the plane and for ribbons [N]
    double axial = 0.0, radial = 0.0, azimuthal = 0.0;   ///< ribbon: R_z, R_r, R_theta [N]
    long contacts = 0;

    /// Direction of the force in the vertical plane of the cut, in (-90, 90] [deg].
    double angle = std::numeric_limits<double>::quiet_NaN();
};

/// One of `segment`, `plane`, `rectangle`, `ribbon`, and `label`.
template <int Dim>
[[nodiscard]] Cut<Dim> read_cut(Parameters& parameters);

/// `walls`: bodies without freedom that have a centre count too.
template <int Dim>
[[nodiscard]] CutForce<Dim> force_through(const Snapshot<Dim>& snapshot, const std::vector<ContactForce<Dim>>& forces,
                                          const Cut<Dim>& cut, bool walls);

}  // namespace talus::observe
