#pragma once
/// \file
/// Directions of contacts, and the mean of their products: fabric tensors.

#include <vector>

#include "observe/forces.h"
#include "observe/region.h"
#include "observe/tensor.h"

namespace talus::observe {

template <int Dim>
struct FabricOptions {
    Region<Dim> region;
    bool effective = true;    ///< only contacts that carry a force
    bool walls = false;       ///< contacts with bodies without freedom too
};

/// Reads `region`, `which` (effective, all), `walls`.
template <int Dim>
[[nodiscard]] FabricOptions<Dim> read_fabric_options(Parameters& parameters) {
    FabricOptions<Dim> options;
    options.region = read_optional_region<Dim>(parameters);
    options.effective = parameters.choice("which", {"effective", "all"}) == "effective";
    options.walls = parameters.flag("walls", false);
    return options;
}

/// Normals of the chosen contacts, those whose points lie in the region.
template <int Dim>
[[nodiscard]] std::vector<Vec<Dim>> contact_normals(const Snapshot<Dim>& snapshot, const FabricOptions<Dim>& options) {
    const Region<Dim> region = options.region.at(snapshot);
    const Vec<Dim> up = vertical(snapshot, region.axis).up;
    std::vector<Vec<Dim>> normals;
    for (const auto& contact : snapshot.contacts) {
        if (options.effective && contact.impulse.isZero(0.0)) continue;
        const auto a = snapshot.index_of(contact.a), b = snapshot.index_of(contact.b);
        if (a < 0 || b < 0 || region.depth(contact.point, up) < 0.0) continue;
        const bool between_grains = is_grain(snapshot, static_cast<std::size_t>(a)) && is_grain(snapshot, static_cast<std::size_t>(b));
        if (between_grains || options.walls) normals.push_back(contact.normal);
    }
    return normals;
}

/// Mean of n (x) n; NaN without contacts.
template <int Dim>
[[nodiscard]] Mat<Dim> fabric_of(const std::vector<Vec<Dim>>& normals) {
    Mat<Dim> sum = Mat<Dim>::Zero();
    for (const Vec<Dim>& n : normals) sum += n * n.transpose();
    return sum / static_cast<double>(normals.size());
}

/// How far a fabric is from isotropic: the coefficient a of the distribution (1 + a cos 2 theta) / 2 pi in
/// the plane, (1 + a (3 cos^2 theta - 1)) / 4 pi in space, that has its principal values.
[[nodiscard]] inline double anisotropy_of(const Vec<2>& principal) { return 2.0 * (principal[0] - principal[1]); }
[[nodiscard]] inline double anisotropy_of(const Vec<3>& principal) { return 2.5 * (principal[0] - principal[2]); }

/// `fabric_xx` ..., principal values and axes, `anisotropy`, direction of the major axis.
template <int Dim>
void add_fabric(Result& result, const std::vector<Vec<Dim>>& normals, const Vec<Dim>& up) {
    constexpr double nan = std::numeric_limits<double>::quiet_NaN();
    const Mat<Dim> fabric = fabric_of(normals);
    for (int i = 0; i < Dim; ++i)
        for (int j = i; j < Dim; ++j)
            result.add(std::string("fabric_") + axis_names[static_cast<std::size_t>(i)] + axis_names[static_cast<std::size_t>(j)], fabric(i, j));
    Principal<Dim> principal{Vec<Dim>::Constant(nan), Mat<Dim>::Constant(nan)};
    if (!normals.empty()) principal = principal_of<Dim>(fabric);
    add_principal(result, principal, "");
    const Vec<Dim> major = principal.axes.col(0);
    add_major_angle(result, major);
    result.add("major_from_vertical", normals.empty() ? nan : angle_from(major, up), "deg");
    result.add("anisotropy", anisotropy_of(principal.values));
}

}  // namespace talus::observe
