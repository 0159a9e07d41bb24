#pragma once
/// \file
/// What one asks of equilibrium forces: linear functions of them. The force of a contact along a direction, the force
/// on a wall, the force across a cut [moreau2003, sec. 9: contacts whose bodies have their centres on both sides].

#include <string>
#include <vector>

#include "explore/force_set.h"

namespace talus::explore {

/// value [N] = weights . f, f being the forces along the frames of the set.
struct Quantity {
    std::string name;            ///< "wall left: x"
    Eigen::VectorXd weights;
};

/// Contacts between two bodies (or what is glued to them), all of them or the one of this number, from 1.
/// \throws InputError when they do not touch.
template <int Dim>
[[nodiscard]] std::vector<std::size_t> contacts_between(const ForceSet<Dim>& set, std::size_t first, std::size_t second,
                                                        int number = 0);

/// Sums over contacts: of normal forces, of tangential forces along the first tangent (n turned by +90 degrees in the
/// plane), and of what `second` gives `first` along an axis.
template <int Dim>
[[nodiscard]] Quantity normal_force(const ForceSet<Dim>& set, const std::vector<std::size_t>& contacts, std::string name);
template <int Dim>
[[nodiscard]] Quantity tangential_force(const ForceSet<Dim>& set, const std::vector<std::size_t>& contacts, std::string name);
template <int Dim>
[[nodiscard]] Quantity force_on(const ForceSet<Dim>& set, const std::vector<std::size_t>& contacts, std::size_t first,
                                int axis, std::string name);

/// Force of all that touches a body on it, along an axis; of a wall: what the others press on it.
template <int Dim>
[[nodiscard]] Quantity total_force(const ForceSet<Dim>& set, std::size_t body, int axis, std::string name);

/// A plane through `point`, or in the plane a segment of it: contacts count that project on it between the ends.
template <int Dim>
struct Cut {
    Vec<Dim> point = Vec<Dim>::Zero();
    Vec<Dim> normal = Vec<Dim>::Zero();      ///< unit
    Vec<Dim> along = Vec<Dim>::Zero();       ///< unit, for a segment
    double length = 0.0;                     ///< of the segment [m]; 0: the whole plane
};

/// Force that what lies behind the cut gives what lies before it (where the normal points), along a direction; with the normal
/// itself: positive in compression. Bodies are where their centres are; of a wall, the point of contact stands for its centre.
template <int Dim>
[[nodiscard]] Quantity cut_force(const ForceSet<Dim>& set, const World<Dim>& world, const Cut<Dim>& cut, const Vec<Dim>& direction,
                                 std::string name);

}  // namespace talus::explore
