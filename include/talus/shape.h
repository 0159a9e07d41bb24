#pragma once
/// \file
/// Shapes of bodies. Solids (balls, boxes, polygons, cylinders...) can be bodies with mass or walls; the
/// others are boundaries. A shape is a name of `src/shapes/` and its numbers; the file of that name
/// lists them.

#include <string>
#include <vector>

namespace talus {

/// A shape by name, with its sizes in the order its file states.
///
/// | solid | where | sizes | described from |
/// |---|---|---|---|
/// | `ball` | 2D 3D | (the body's radius) | its centre |
/// | `box` | 2D 3D | side lengths (Dim numbers) | its centre |
/// | `polygon` | 2D | x y of each corner, convex | any origin |
/// | `capsule` | 2D 3D | length of the straight part, radius; along x in 2D, z in 3D | its centre |
/// | `polyhedron` | 3D | x y z of points whose convex hull it is | any origin |
/// | `cylinder` | 3D | radius, length; axis z, flat ends | its centre |
/// | `frustum` | 3D | lower radius, upper radius, height; axis z, flat ends; a radius of 0 makes a cone | halfway its height |
/// | `clump` | 2D 3D | a rigid union of the above, see `src/shapes/clump.h` | any origin |
///
/// | boundary | where | sizes | solid part |
/// |---|---|---|---|
/// | `plane` | 2D 3D | unit normal (Dim numbers) | below: free space is on the side of the normal |
/// | `segment` | 2D | length | the segment itself, both sides and ends, along local x |
/// | `plate` | 3D | length x, length y | the rectangle itself, both sides and edges |
/// | `box_inside` | 2D 3D | side lengths (Dim numbers) | outside; an infinite side has no faces |
/// | `ball_inside` | 2D 3D | radius | outside (drum in 2D, vessel in 3D) |
/// | `cylinder_inside` | 3D | radius, length | outside; axis local z, origin at half its length; infinite length: no ends |
/// | `cone_inside` | 3D | lower radius, upper radius, height | the side itself, touched from within and without; axis local z, origin in the lower rim's plane, open at both ends |
/// | `mesh` | 3D | x y z of the three corners of each triangle | the triangles themselves, both sides |
///
/// Solids can be boundaries as well. A `box_inside` whose sides are all infinite has no surface at all: a
/// carrier for glued balls.
struct ShapeSpec {
    std::string name = "ball";
    std::vector<double> sizes;  ///< [m], except for directions
};

}  // namespace talus
