#pragma once
/// \file
/// Which disks of a drawing nobody can see: those outside its frame, and those behind nearer ones. A pile of 14 000
/// balls seen from the side shows some 3000.
///
/// Method: a raster of a third of a pixel, filled from the nearest disk to the farthest. A disk covers the cells that lie
/// wholly inside it; it is hidden when all cells it touches are covered. So a disk that shows at all is kept, and some that do
/// not show are kept too. Cells are bits, and a disk is a run of them in each row, looked at 64 at a time.

#include <vector>

#include "plot/chart.h"
#include "plot/drawing.h"

namespace talus::plot {

/// One flag a disk. Disks that lie side by side (equal depths) hide none.
[[nodiscard]] std::vector<bool> hidden_disks(const Plane& plane, const Drawing& drawing);

}  // namespace talus::plot
