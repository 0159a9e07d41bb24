#pragma once
/// \file
/// Internal moments [moreau2001, sec. 3.4]: of a grain with contact forces f_c at points r_c from its
/// centre, M = -sum f_c (x) r_c. A sum of M over the measure of what the grains fill is their mean
/// stress, positive in compression. Weights act at the mass centre and add nothing.

#include <cstdint>
#include <vector>

#include "observe/forces.h"

namespace talus::observe {

/// From a body's centre to a point, across a periodic border if that is nearer [m].
template <int Dim>
[[nodiscard]] Vec<Dim> arm(const Snapshot<Dim>& snapshot, std::size_t i, const Vec<Dim>& point);

/// From the centre of b to the centre of a, by way of their contact [m]: b's part counts only if b has a centre.
template <int Dim>
[[nodiscard]] Vec<Dim> branch(const Snapshot<Dim>& snapshot, const ContactForce<Dim>& contact);

/// Sum of the internal moments of the bodies that `inside` marks [N m].
template <int Dim>
[[nodiscard]] Mat<Dim> moment_sum(const Snapshot<Dim>& snapshot, const std::vector<ContactForce<Dim>>& forces,
                                  const std::vector<std::uint8_t>& inside);

/// The part of that sum that one contact gives [N m].
template <int Dim>
[[nodiscard]] Mat<Dim> moment_of(const Snapshot<Dim>& snapshot, const ContactForce<Dim>& contact,
                                 const std::vector<std::uint8_t>& inside);

}  // namespace talus::observe
