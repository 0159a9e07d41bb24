#pragma once
/// \file
/// Boundaries as lines (2D) and polygons (3D), for pictures only: a plane becomes a square about as
/// large as the grains' extent, round things become 64-gons.

#include "record/vtp.h"
#include "step/snapshot.h"

namespace talus::record {

/// One mesh with all boundaries of the frame; cell data `id`, `material`, `tag`.
template <int Dim>
[[nodiscard]] VtpMesh boundary_mesh(const Snapshot<Dim>& snapshot);

}  // namespace talus::record
