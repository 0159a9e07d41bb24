#pragma once
/// \file
/// Whether parts of two polyhedra that meet are all that a search for axes would find, told without one, and how far the bodies may move before that may
/// change. See polyhedron_certain.cpp.

#include "detect/narrow/polyhedron_pair.h"

namespace talus::polyhedra {

/// The questions below are asked of bodies of at least four faces. Where the answer is yes, room and pose of `met` tell how long it holds; `moved` is
/// the way that bodies came since they were looked at last.

/// A face, with the lowest corner of the other on it, or with a face of the other that is clipped against it. `met` then tells which; of a
/// corner, that no more is near than `clear` beyond it.
[[nodiscard]] bool is_all_over(const PolyhedronPair& pair, bool of_a, int face, double moved, PairMemory<3>::Met& met);

/// Two edges and their axis.
struct Crossing {
    const SeparationAxis& axis;
    const EdgeLines& lines;
};
[[nodiscard]] bool are_all(const PolyhedronPair& pair, const Crossing& edges, double moved, PairMemory<3>::Met& met);

/// No other axis separates as much as these edges do, and those that separate nearly as much lean by little. Of where bodies are now only.
[[nodiscard]] bool separate_most(const PolyhedronPair& pair, const Crossing& edges);

/// Where such edges are nearly normal to a face that stands alone, no other face may be chosen but the one of the other that is clipped against it, which `met`
/// then tells.
[[nodiscard]] bool is_alone_with(const PolyhedronPair& pair, bool of_a, int face, double moved, PairMemory<3>::Met& met);

/// No other face is nearly parallel to this one.
[[nodiscard]] bool stands_alone(const Polytope<3>& p, int face);

}  // namespace talus::polyhedra
