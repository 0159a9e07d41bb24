#pragma once
/// \file
/// Solids from shapes: convex pieces, mass properties, principal axes.

#include "shapes/shape_registry.h"
#include "math/rotation.h"

namespace talus {

/// The shape is made of pieces (a solid, or a flat piece).
template <int Dim>
[[nodiscard]] bool has_pieces(const ShapeSpec& spec);

/// Pieces and mass properties of a shape in its own axes. The ball (`sizes` empty) has radius 1 here:
/// balls have their radius in the body. \throws InputError when the sizes are impossible.
template <int Dim>
[[nodiscard]] Solid<Dim> solid_of(const ShapeSpec& spec);

/// A shape described from its centre of mass along its principal axes, and where those are in the axes
/// of the description it came from: x_described = centre + turn x.
template <int Dim>
struct CentredShape {
    ShapeSpec spec;
    Vec<Dim> centre = Vec<Dim>::Zero();
    Rotation<Dim> turn = {};
    double volume = 0.0;                      ///< [m3], [m2]
    Spin<Dim> inertia = Spin<Dim>::Zero();    ///< principal moments for density 1 [m5], [m4]
    double bound = 0.0;                       ///< [m]
};
template <int Dim>
[[nodiscard]] CentredShape<Dim> centred(const ShapeSpec& spec);

// --- pieces, for the files of this folder --------------------------------------------------------
[[nodiscard]] Polytope<2> polygon_of(const std::vector<Vec<2>>& counter_clockwise, double radius = 0.0);
/// Convex hull of points in space (Qhull), coplanar facets merged, in a fixed order.
/// \throws InputError when the points are fewer than four or lie in a plane.
[[nodiscard]] Polytope<3> hull_of(const std::vector<Vec<3>>& points, double radius = 0.0);
/// A convex polygon in space with two faces. \throws InputError when its points are not convex or not flat.
[[nodiscard]] Polytope<3> flat_of(const std::vector<Vec<3>>& loop);
[[nodiscard]] Polytope<2> point_core(const Vec<2>& x, double radius);
[[nodiscard]] Polytope<3> point_core(const Vec<3>& x, double radius);
[[nodiscard]] Polytope<2> segment_core(const Vec<2>& from, const Vec<2>& to, double radius);
[[nodiscard]] Polytope<3> segment_core(const Vec<3>& from, const Vec<3>& to, double radius);
[[nodiscard]] Polytope<3> box_core(const Vec<3>& side_lengths);

/// Sets the measures of a core from its vertices; what is made here has them.
template <int Dim>
void measure(Polytope<Dim>& polytope);

template <int Dim>
[[nodiscard]] Piece<Dim> piece_of(Polytope<Dim> polytope);
[[nodiscard]] Piece<3> piece_of(const Frustum& frustum);
/// The same piece moved: x -> shift + axes x.
template <int Dim>
[[nodiscard]] Piece<Dim> moved(const Piece<Dim>& piece, const Mat<Dim>& axes, const Vec<Dim>& shift);
/// Bound of a solid from its pieces.
template <int Dim>
void set_bound(Solid<Dim>& solid);

/// Exact mass properties of one piece [rounded polytopes: point and segment cores, and polygons in the plane].
[[nodiscard]] MassProperties<2> mass_of(const Polytope<2>& polytope);
[[nodiscard]] MassProperties<3> mass_of(const Polytope<3>& polytope);
[[nodiscard]] MassProperties<3> mass_of(const Frustum& frustum);
/// Properties of two bodies taken as one.
template <int Dim>
[[nodiscard]] MassProperties<Dim> together(const MassProperties<Dim>& a, const MassProperties<Dim>& b);

}  // namespace talus
