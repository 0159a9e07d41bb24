#include "scene/lowest_free.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace talus::scene {

namespace {

constexpr double hair = 1e-9;  // of the radius: clear of a touch by more than rounding

/// Widths of the periodic axes that lie across the column; 0 for the others.
template <int Dim>
Vec<Dim> periods(const World<Dim>& world, const Column<Dim>& column) {
    Vec<Dim> width = Vec<Dim>::Zero();
    const auto& settings = world.settings();
    for (int k = 0; k < Dim; ++k)
        if (settings.periodic[static_cast<std::size_t>(k)] && std::abs(column.frame.up[k]) <= 1e-12)
            width[k] = settings.cell_high[k] - settings.cell_low[k];
    return width;
}

/// The part of the column that balls leave free, below `from`.
struct BallColumn {
    double landing = -std::numeric_limits<double>::infinity();  ///< highest touch below `from`
    bool blocked = false;                                       ///< a ball is in the way at `from`
};

template <int Dim>
BallColumn scan_balls(const World<Dim>& world, const Column<Dim>& column, double from) {
    BallColumn out;
    const Vec<Dim> up = column.frame.up.template head<Dim>();
    const Vec<Dim> foot = column.frame.at(column.s, column.t, 0.0).template head<Dim>();
    const Vec<Dim> width = periods<Dim>(world, column);
    const bool any_period = !width.isZero(0.0);
    const auto positions = world.positions();
    const auto radii = world.radii();
    for (std::size_t i = 0; i < positions.size(); ++i) {
        Vec<Dim> d = positions[i] - foot;
        if (any_period)
            for (int k = 0; k < Dim; ++k)
                if (width[k] > 0.0) d[k] -= width[k] * std::round(d[k] / width[k]);
        const double height = d.dot(up), reach = column.radius + radii[i];
        const double rho2 = d.squaredNorm() - height * height;
        if (rho2 >= reach * reach || (!world.is_ball(i) && !world.is_grain(i))) continue;  // other solids by the ball that holds them
        const double half = std::sqrt(reach * reach - rho2);
        if (height - half < from && height + half > from) out.blocked = true;
        if (height + half <= from) out.landing = std::max(out.landing, height + half);
    }
    return out;
}

/// A height above all boundaries' reference points, and a depth no floor lies below.
template <int Dim>
void vertical_extent(const World<Dim>& world, const Vec<Dim>& up, double& lowest, double& highest) {
    lowest = std::numeric_limits<double>::infinity();
    highest = -lowest;
    for (std::size_t i = 0; i < world.size(); ++i) {
        const double height = world.positions()[i].dot(up);
        double reach = world.radii()[i];
        if (reach == 0.0)
            for (const double size : world.shape(world.shapes()[i]).sizes)
                if (std::isfinite(size)) reach += std::abs(size);
        lowest = std::min(lowest, height - reach);
        highest = std::max(highest, height + reach);
    }
}

}  // namespace

template <int Dim>
Landing land(const World<Dim>& world, const Column<Dim>& column, double from) {
    const Vec<Dim> up = column.frame.up.template head<Dim>();
    const auto place = [&](double height) -> Vec<Dim> {
        return column.frame.at(column.s, column.t, height).template head<Dim>();
    };
    const BallColumn balls = scan_balls<Dim>(world, column, from);
    if (balls.blocked) return {Landing::Kind::blocked, 0.0};
    const double margin = 4.0 * column.radius;
    const bool lid = std::isfinite(from), on_ball = std::isfinite(balls.landing);
    double height = balls.landing + hair * column.radius;
    if (on_ball && world.clearance(place(height), column.radius) >= -hair * column.radius) return {Landing::Kind::found, height};
    double lowest = 0.0, highest = 0.0;
    vertical_extent<Dim>(world, up, lowest, highest);
    if (std::isinf(lowest)) return {Landing::Kind::bottomless, 0.0};
    if (on_ball) {
        // Boundaries are in the way: the ball rests higher.
        for (int n = 0; n < 10000; ++n) {
            const double gap = world.clearance(place(height), column.radius);
            if (gap >= -hair * column.radius) return {Landing::Kind::found, height};
            height += std::max(-gap, 1e-6 * column.radius);
            if (height > (lid ? from : highest + margin)) break;
        }
        return {Landing::Kind::blocked, 0.0};
    }
    height = lid ? from : highest + margin;
    if (world.clearance(place(height), column.radius) < 0.0) return {Landing::Kind::blocked, 0.0};
    for (int n = 0; n < 10000 && height > lowest - margin; ++n) {
        const double gap = world.clearance(place(height), column.radius);
        if (gap < 1e-6 * column.radius) return {Landing::Kind::found, height};
        height -= std::min(gap, highest - lowest + 2.0 * margin);
    }
    return {Landing::Kind::bottomless, 0.0};
}

template Landing land<2>(const World<2>&, const Column<2>&, double);
template Landing land<3>(const World<3>&, const Column<3>&, double);

}  // namespace talus::scene
