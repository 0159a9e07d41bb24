#pragma once
/// \file
/// Boundaries as they are drawn. In the plane: lines, filled half planes, drums with marks. In space: where the boundaries
/// cut the plane of the picture (a cylinder seen from the side is two lines, from above a circle); none in an oblique view.

#include "plot/camera.h"
#include "plot/drawing.h"

namespace talus::plot {

/// Those of finite size, which belong to the view.
void add_finite_walls(Drawing& drawing, const Snapshot<2>& snapshot, const Camera<2>& camera);
void add_finite_walls(Drawing& drawing, const Snapshot<3>& snapshot, const Camera<3>& camera);
/// Planes and channels without end, and the periodic cell, once the view is known.
void add_endless_walls(Drawing& drawing, const Snapshot<2>& snapshot, const Camera<2>& camera);
void add_endless_walls(Drawing& drawing, const Snapshot<3>& snapshot, const Camera<3>& camera);

}  // namespace talus::plot
