#pragma once
/// \file
/// Bodies that are not balls as faces (3D) or filled outlines (2D): what pictures and ParaView show of them.

#include "record/vtp.h"
#include "step/snapshot.h"

namespace talus::record {

/// One mesh with all solids of the frame that are not balls; cell data `id`, `material`, `tag`, `mass`,
/// `birth`, `wall`, `velocity`, `angular_velocity`, those of the body on each of its faces.
template <int Dim>
[[nodiscard]] VtpMesh solid_mesh(const Snapshot<Dim>& snapshot);

/// True when the frame has any.
template <int Dim>
[[nodiscard]] bool has_solids(const Snapshot<Dim>& snapshot);

}  // namespace talus::record
