#pragma once
/// \file
/// The shapes of a run as triangles and edges in the axes of their bodies, packed once for all frames.

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "step/snapshot.h"

namespace talus::view {

/// Triangles to fill and lines to draw, in a body's own axes [m].
struct Mesh {
    std::vector<float> points;              ///< x y z of each
    std::vector<std::uint32_t> triangles;   ///< three points each
    std::vector<std::uint32_t> edges;       ///< two points each
};

/// Shapes by their number in the run, boundaries by the id of their body.
struct Geometry {
    std::map<std::int64_t, Mesh> shapes, boundaries;
};

/// Adds what this frame shows and what is not there yet. The square that stands for a plane is as large as the
/// grains' extent in the frame, so boundaries are replaced where `replace` says that this frame is larger.
template <int Dim>
void add_geometry(Geometry& geometry, const Snapshot<Dim>& snapshot, bool replace);

/// "TLG1", u32 count of shapes, u32 count of boundaries; each: i32 number, u32 points, u32 triangles, u32 edges, f32 points, u32 indices.
[[nodiscard]] std::string encode_geometry(const Geometry& geometry);

}  // namespace talus::view
