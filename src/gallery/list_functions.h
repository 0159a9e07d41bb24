#pragma once
/// \file
/// What can be said about a list of values: the functions of formulas that are not functions of single numbers.

#include <string>
#include <vector>

#include "gallery/value.h"

namespace talus::gallery {

/// Value of the function `name` of one series; NaN for a list without entries (but 0 for `count` and `total`).
/// `above` and `below` are the bounds of `share`.
[[nodiscard]] double apply_list_function(const std::string& name, const Series& series, double above, double below);

/// Largest |a - b|, b taken linearly between its points at the places of a, where both are known. NaN without any.
[[nodiscard]] double largest_difference(const Series& a, const Series& b);

}  // namespace talus::gallery
