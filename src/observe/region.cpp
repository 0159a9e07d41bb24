#include "observe/region.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "math/rotation.h"
#include "observe/forces.h"
#include "shapes/inside.h"

namespace talus::observe {

namespace {

template <int Dim>
void read_heights(Parameters& parameters, Region<Dim>& region) {
    const auto low = parameters.length("low"), high = parameters.length("high");
    if (!low) parameters.fail("low", "is missing; give it: the height at which the region starts");
    if (!high) parameters.fail("high", "is missing; give it: the height at which the region ends");
    if (!(*low < *high)) parameters.fail("high", "must be greater than `low`");
    region.floor = *low;
    region.ceiling = *high;
}

template <int Dim>
Region<Dim> read_box(Parameters& parameters) {
    Region<Dim> region;
    for (const char* key : {"low", "high"})
        if (!parameters.has(key)) parameters.fail(key, "is missing; give it: a corner of the box");
    region.low = parameters.point<Dim>("low", region.low);
    region.high = parameters.point<Dim>("high", region.high);
    if (!(region.low.array() < region.high.array()).all())
        parameters.fail("high", "must be greater than `low` in every direction");
    return region;
}

template <int Dim>
Region<Dim> read_rings(Parameters& parameters, bool annulus) {
    Region<Dim> region;
    region.kind = Region<Dim>::Kind::ring;
    region.axis = parameters.point<Dim>("centre", region.axis);
    const std::string outer = annulus ? "outer" : "radius";
    const auto radius = parameters.positive_length(outer);
    if (!radius) parameters.fail(outer, "is missing");
    region.outer = *radius;
    if (annulus) region.inner = parameters.length("inner").value_or(0.0);
    if (!(region.inner >= 0.0 && region.inner < region.outer))
        parameters.fail("inner", "must be at least 0 and smaller than `outer`");
    read_heights(parameters, region);
    return region;
}

template <int Dim>
Region<Dim> read_ball(Parameters& parameters) {
    Region<Dim> region;
    region.kind = Region<Dim>::Kind::ball;
    region.axis = parameters.point<Dim>("centre", region.axis);
    const auto radius = parameters.positive_length("radius");
    if (!radius) parameters.fail("radius", "is missing");
    region.outer = *radius;
    return region;
}

const char* ball_name(const Vec<2>&) { return "disk"; }
const char* ball_name(const Vec<3>&) { return "sphere"; }

}  // namespace

template <int Dim>
Region<Dim> Region<Dim>::at(const Snapshot<Dim>& snapshot) const {
    if (kind != Kind::whole) return *this;
    constexpr double infinity = std::numeric_limits<double>::infinity();
    Region box;
    box.low = Vec<Dim>::Constant(infinity);
    box.high = Vec<Dim>::Constant(-infinity);
    for (std::size_t i = 0; i < snapshot.size(); ++i) {
        if (!is_grain(snapshot, i)) continue;
        const Vec<Dim> reach = Vec<Dim>::Constant(snapshot.radius[i]);
        box.low = box.low.cwiseMin(Vec<Dim>(snapshot.position[i] - reach));
        box.high = box.high.cwiseMax(Vec<Dim>(snapshot.position[i] + reach));
    }
    for (int k = 0; k < Dim; ++k) {
        if (!snapshot.periodic[static_cast<std::size_t>(k)]) continue;
        box.low[k] = snapshot.cell_low[k];
        box.high[k] = snapshot.cell_high[k];
    }
    return box;
}

template <int Dim>
double Region<Dim>::measure() const {
    if (kind == Kind::box) return (high - low).prod();
    if (kind == Kind::ball) return ball_volume<Dim>(outer);
    return ring_measure(low, inner, outer) * (ceiling - floor);
}

template <int Dim>
double Region<Dim>::depth(const Vec<Dim>& x, const Vec<Dim>& up) const {
    if (kind == Kind::whole) return std::numeric_limits<double>::infinity();
    if (kind == Kind::ball) return outer - (x - axis).norm();
    if (kind == Kind::box) return std::min((x - low).minCoeff(), (high - x).minCoeff());
    const Vertical<Dim> line{up, axis};
    const double height = line.height(x), distance = line.distance(x);
    double depth = std::min({height - floor, ceiling - height, outer - distance});
    if (inner > 0.0) depth = std::min(depth, distance - inner);
    return depth;
}

template <int Dim>
Region<Dim> read_region_of(Parameters& kinds) {
    const std::string ball = ball_name(Vec<Dim>());
    const std::vector<std::string> names{"box", "cylinder", "annulus", "ring", ball, "whole"};
    std::string kind;
    int found = 0;
    for (const auto& name : names)
        if (kinds.has(name)) {
            kind = name;
            ++found;
        }
    if (found != 1) kinds.fail("", "must have exactly one of its kinds; give `box`, `cylinder`, `annulus`, `ring`, `" + ball + "`, `whole`");
    if (kind == "whole") {
        if (!kinds.flag("whole", true)) kinds.fail("whole", "can only be true");
        Region<Dim> region;
        region.kind = Region<Dim>::Kind::whole;
        return region;
    }
    const Spec inside = kinds.child(kind);
    Parameters sizes(inside, Dim);
    const Region<Dim> region = kind == "box"  ? read_box<Dim>(sizes)
                               : kind == ball ? read_ball<Dim>(sizes)
                                              : read_rings<Dim>(sizes, kind != "cylinder");
    sizes.finish();
    return region;
}

template <int Dim>
Region<Dim> read_region(Parameters& parameters) {
    const Spec spec = parameters.child("region");
    Parameters kinds(spec, Dim);
    const Region<Dim> region = read_region_of<Dim>(kinds);
    kinds.finish();
    return region;
}

template <int Dim>
Region<Dim> read_optional_region(Parameters& parameters) {
    Region<Dim> whole;
    whole.kind = Region<Dim>::Kind::whole;
    return parameters.has("region") ? read_region<Dim>(parameters) : whole;
}

template <int Dim>
std::vector<std::uint8_t> grains_inside(const Snapshot<Dim>& snapshot, const Region<Dim>& region) {
    const Vec<Dim> up = vertical(snapshot, region.axis).up;
    std::vector<std::uint8_t> inside(snapshot.size(), 0);
    for (std::size_t i = 0; i < snapshot.size(); ++i)
        inside[i] = is_grain(snapshot, i) && region.depth(snapshot.position[i], up) >= 0.0;
    return inside;
}

template <int Dim>
double clipped_measure(const Region<Dim>& region, const Vec<Dim>& up, const Snapshot<Dim>& snapshot, std::size_t i) {
    const Vec<Dim> centre = snapshot.position[i];
    const double radius = snapshot.radius[i], whole = snapshot.volume(i), depth = region.depth(centre, up);
    if (depth >= radius) return whole;
    if (depth <= -radius) return 0.0;
    const bool ball = snapshot.is_ball(i);
    const Mat<Dim> axes = ball ? Mat<Dim>(Mat<Dim>::Identity()) : matrix_of<Dim>(snapshot.rotation[i]);
    const auto fills = [&](const Vec<Dim>& offset) {
        return ball ? offset.squaredNorm() <= radius * radius
                    : is_inside(snapshot.solid(i), Vec<Dim>(axes.transpose() * offset));
    };
    constexpr int per_side = 24;
    std::array<int, Dim> cell{};
    long inside = 0, all = 0;
    while (cell[Dim - 1] < per_side) {
        Vec<Dim> offset;
        for (int k = 0; k < Dim; ++k) offset[k] = radius * ((2.0 * cell[k] + 1.0) / per_side - 1.0);
        if (fills(offset)) {
            ++all;
            if (region.depth(centre + offset, up) >= 0.0) ++inside;
        }
        for (int k = 0; k < Dim; ++k) {  // the next cell, like an odometer
            if (++cell[k] < per_side || k == Dim - 1) break;
            cell[k] = 0;
        }
    }
    return all > 0 ? whole * static_cast<double>(inside) / static_cast<double>(all) : 0.0;
}

template <int Dim>
double solid_fraction(const Snapshot<Dim>& snapshot, const Region<Dim>& asked,
                      const std::function<bool(std::size_t)>& counts) {
    const Region<Dim> region = asked.at(snapshot);
    const Vec<Dim> up = vertical(snapshot, region.axis).up;
    double filled = 0.0;
    for (std::size_t i = 0; i < snapshot.size(); ++i)
        if (snapshot.radius[i] > 0.0 && counts(i))
            filled += clipped_measure(region, up, snapshot, i);
    return filled / region.measure();
}

template struct Region<2>;
template struct Region<3>;
template Region<2> read_region<2>(Parameters&);
template Region<3> read_region<3>(Parameters&);
template Region<2> read_optional_region<2>(Parameters&);
template Region<3> read_optional_region<3>(Parameters&);
template Region<2> read_region_of<2>(Parameters&);
template Region<3> read_region_of<3>(Parameters&);
template std::vector<std::uint8_t> grains_inside<2>(const Snapshot<2>&, const Region<2>&);
template std::vector<std::uint8_t> grains_inside<3>(const Snapshot<3>&, const Region<3>&);
template double clipped_measure<2>(const Region<2>&, const Vec<2>&, const Snapshot<2>&, std::size_t);
template double clipped_measure<3>(const Region<3>&, const Vec<3>&, const Snapshot<3>&, std::size_t);
template double solid_fraction<2>(const Snapshot<2>&, const Region<2>&, const std::function<bool(std::size_t)>&);
template double solid_fraction<3>(const Snapshot<3>&, const Region<3>&, const std::function<bool(std::size_t)>&);

}  // namespace talus::observe
