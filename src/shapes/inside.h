#pragma once
/// \file
/// Whether a point lies in a solid.

#include "shapes/solid.h"

namespace talus {

/// Axes of the piece's body.
[[nodiscard]] bool is_inside(const Piece<2>& piece, const Vec<2>& x);
[[nodiscard]] bool is_inside(const Piece<3>& piece, const Vec<3>& x);

template <int Dim>
[[nodiscard]] bool is_inside(const Solid<Dim>& solid, const Vec<Dim>& x) {
    for (const Piece<Dim>& piece : solid.pieces)
        if (is_inside(piece, x)) return true;
    return false;
}

}  // namespace talus
