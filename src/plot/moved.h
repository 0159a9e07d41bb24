#pragma once
/// \file
/// How far grains moved between two frames of a run: those that are there and free in both, matched by their id, with cells
/// crossed in a periodic space counted.

#include <vector>

#include "plot/run_data.h"

namespace talus::plot {

template <int Dim>
struct Moved {
    std::size_t index = 0;   ///< in the first frame
    Vec<Dim> from, to;       ///< [m]
};

/// Where a body is when cells it has crossed are counted [m].
template <int Dim>
[[nodiscard]] Vec<Dim> unwrapped(const Snapshot<Dim>& snapshot, std::size_t i);

template <int Dim>
[[nodiscard]] std::vector<Moved<Dim>> moved_between(const Snapshot<Dim>& first, const Snapshot<Dim>& second);

/// Takes away what all share: `mean` their mean displacement, `affine` the linear field u = a + B x that fits them best
/// (least squares); `none` nothing.
template <int Dim>
void subtract(std::vector<Moved<Dim>>& moved, const std::string& what);

/// The two frames that the options `from` and `to` [s] or `from_frame` and `to_frame` name; else the first and the last.
class Options;
struct Span {
    std::size_t first = 0, last = 0;
};
[[nodiscard]] Span read_span(Options& options, const RunData& run);

}  // namespace talus::plot
