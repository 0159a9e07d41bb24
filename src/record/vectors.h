#pragma once
/// \file
/// Vectors of the plane or of space as the three components that VTK wants.

#include <vector>

#include "talus/math.h"

namespace talus::record {

/// Appends a vector as three components; the plane is z = 0.
template <int Dim>
void append(std::vector<double>& out, const Vec<Dim>& v) {
    for (int k = 0; k < 3; ++k) out.push_back(k < Dim ? v[k] : 0.0);
}

/// A spin as three components: in the plane it is about z.
inline void append_spin(std::vector<double>& out, const Spin<2>& w) { out.insert(out.end(), {0.0, 0.0, w[0]}); }
inline void append_spin(std::vector<double>& out, const Spin<3>& w) { out.insert(out.end(), {w[0], w[1], w[2]}); }

}  // namespace talus::record
