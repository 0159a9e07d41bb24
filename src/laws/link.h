#pragma once
/// \file
/// The exact wrench of one link, the others held.

#include "contact/problem.h"

namespace talus {

/// S with law(b + H S, S), b being the formal velocity without the link's own wrench. `c.S` is where it starts.
/// A joint whose rows are not independent (H singular) gets the answer of least size.
template <int Dim>
[[nodiscard]] typename LinkContact<Dim>::Rows solve_link(const LinkContact<Dim>& c,
                                                         const typename LinkContact<Dim>::Rows& b);

}  // namespace talus
