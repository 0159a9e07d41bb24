#include "contact/domains.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "parallel/threads.h"

namespace talus {
namespace {

/// A sweep over this many contacts is worth sharing: some fifty microseconds for each slab.
constexpr std::size_t contacts_for_two = 6000;
/// A slab narrower than this many mean body sizes has most of its contacts with others.
constexpr double least_width = 4.0;
constexpr std::size_t chunk = 4096;  ///< bodies looked at together

std::size_t slabs_for(std::size_t contacts) { return std::min(most_domains, 2 * (contacts / contacts_for_two)); }

/// Body i may be cut off from others by a slab: neither a boundary nor held.
template <int Dim>
bool is_grain(const Bodies<Dim>& bodies, std::size_t i) {
    return !bodies.is_boundary(i) && bodies.glued_to[i] < 0 && bodies.driven[i] != all_driven<Dim>;
}

template <int Dim>
struct Extent {
    Vec<Dim> low = Vec<Dim>::Constant(HUGE_VAL), high = Vec<Dim>::Constant(-HUGE_VAL);
    double size = 0.0;   ///< sum of diameters [m]
    std::size_t count = 0;
};

template <int Dim>
Extent<Dim> extent_of(const GatherInput<Dim>& in) {
    return in.threads.reduce(
        in.bodies.size(), chunk, Extent<Dim>{},
        [&](std::size_t begin, std::size_t end) {
            Extent<Dim> e;
            for (std::size_t i = begin; i < end; ++i) {
                if (!is_grain(in.bodies, i)) continue;
                e.low = e.low.cwiseMin(in.at.position[i]);
                e.high = e.high.cwiseMax(in.at.position[i]);
                e.size += 2.0 * in.bodies.radius[i];
                ++e.count;
            }
            return e;
        },
        [](const Extent<Dim>& x, const Extent<Dim>& y) {
            return Extent<Dim>{x.low.cwiseMin(y.low), x.high.cwiseMax(y.high), x.size + y.size, x.count + y.count};
        });
}

/// Which slab each of many thin slices belongs to, so that slabs have about as many bodies.
constexpr std::size_t slices = 1024;
using SlabOfSlice = std::array<std::int16_t, slices>;

SlabOfSlice share(const std::array<std::uint32_t, slices>& count, std::size_t total, std::size_t slabs) {
    SlabOfSlice slab;
    std::size_t before = 0;
    for (std::size_t k = 0; k < slices; ++k) {
        slab[k] = static_cast<std::int16_t>(std::min(slabs - 1, (before + count[k] / 2) * slabs / total));
        before += count[k];
    }
    return slab;
}

}  // namespace

template <int Dim>
void assign_domains(const GatherInput<Dim>& in, ContactProblem<Dim>& problem) {
    problem.domain.clear();
    problem.domains = 1;
    std::size_t slabs = slabs_for(in.touch.touches.size() + in.joints);
    if (slabs < 2) return;
    const Extent<Dim> e = extent_of(in);
    int axis = 0;
    (e.high - e.low).maxCoeff(&axis);
    const double low = e.low[axis], length = e.high[axis] - low;
    const double widths = length * static_cast<double>(e.count) / (least_width * e.size);
    slabs = std::min<std::size_t>(slabs, 2 * static_cast<std::size_t>(0.5 * std::min(widths, 1e6)));
    if (e.count == 0 || slabs < 2) return;
    const auto slice_of = [&](std::size_t i) {
        const double x = (in.at.position[i][axis] - low) / length * static_cast<double>(slices);
        return std::min(slices - 1, static_cast<std::size_t>(std::max(0.0, x)));
    };
    std::array<std::uint32_t, slices> count{};
    for (std::size_t i = 0; i < in.bodies.size(); ++i)
        if (is_grain(in.bodies, i)) ++count[slice_of(i)];
    const SlabOfSlice slab = share(count, e.count, slabs);
    problem.domains = static_cast<int>(slabs);
    problem.domain.resize(in.bodies.size());
    in.threads.for_chunks(in.bodies.size(), chunk, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) {
            const bool inert = in.bodies.glued_to[i] >= 0 || in.bodies.driven[i] == all_driven<Dim>;
            problem.domain[static_cast<std::size_t>(in.list.rank[i])] =
                is_grain(in.bodies, i) ? slab[slice_of(i)] : inert ? inert_domain : shared_domain;
        }
    });
}

template void assign_domains(const GatherInput<2>&, ContactProblem<2>&);
template void assign_domains(const GatherInput<3>&, ContactProblem<3>&);

}  // namespace talus
