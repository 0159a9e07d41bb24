#pragma once
/// \file
/// Shapes of bodies. A ball (disk in 2D, sphere in 3D) is what grains are made of; the others are
/// boundaries. A shape is a name of `src/shapes/` and its numbers; the file of that name lists them.

#include <string>
#include <vector>

namespace talus {

/// A shape by name, with its sizes in the order its file states.
///
/// | name | where | sizes | solid part |
/// |---|---|---|---|
/// | `ball` | 2D 3D | (the body's radius) | inside |
/// | `plane` | 2D 3D | unit normal (Dim numbers) | below: free space is on the side of the normal |
/// | `segment` | 2D | length | the segment itself, both sides and ends, along local x |
/// | `plate` | 3D | length x, length y | the rectangle itself, both sides and edges |
/// | `box` | 2D 3D | side lengths (Dim numbers) | inside |
/// | `box_inside` | 2D 3D | side lengths (Dim numbers) | outside; an infinite side has no faces |
/// | `ball_inside` | 2D 3D | radius | outside (drum in 2D, vessel in 3D) |
/// | `cylinder_inside` | 3D | radius, length | outside; axis local z, origin at half its length; infinite length: no ends |
/// | `cone_inside` | 3D | lower radius, upper radius, height | the side itself, touched from within and without; axis local z, origin in the lower rim's plane, open at both ends |
///
/// A `box_inside` whose sides are all infinite has no surface at all: a carrier for glued balls.
struct ShapeSpec {
    std::string name = "ball";
    std::vector<double> sizes;  ///< [m], except for directions
};

}  // namespace talus
