#include "detect/broad/curve.h"

#include <algorithm>
#include <bit>

#include "detect/broad/list_work.h"
#include "math/frame.h"

namespace talus {
namespace {

constexpr std::size_t chunk = 4096;
constexpr int digit = 11;  ///< bits sorted at a time

struct Keyed {
    std::uint64_t key;
    std::int32_t body;
};

/// Radix sort, least digit first: stable, so equal keys stay in order. They end up in `items` or in `other`, which has as much room.
/// \returns where.
std::span<Keyed> sort_by_key(std::span<Keyed> items, std::span<Keyed> other) {
    std::uint64_t all = 0;
    for (const Keyed& item : items) all |= item.key;
    std::array<std::uint32_t, std::size_t{1} << digit> begin;
    const auto digit_at = [](std::uint64_t key, int shift) { return (key >> shift) & ((1u << digit) - 1u); };
    for (int shift = 0; shift < static_cast<int>(std::bit_width(all)); shift += digit) {
        std::fill(begin.begin(), begin.end(), 0u);
        for (const Keyed& item : items) ++begin[digit_at(item.key, shift)];
        std::uint32_t sum = 0;
        for (auto& b : begin) sum += std::exchange(b, sum);
        for (const Keyed& item : items) other[begin[digit_at(item.key, shift)]++] = item;
        std::swap(items, other);
    }
    return items;
}

}  // namespace

template <int Dim>
void number_ranks(const CandidateInput<Dim>& in, CandidateList<Dim>& list) {
    list.rank.resize(in.bodies.size());
    for (std::size_t r = 0; r < list.order.size(); ++r) list.rank[list.order[r]] = static_cast<std::int32_t>(r);
    for (std::size_t k = 0; k < list.boundaries.size(); ++k)
        list.rank[list.boundaries[k]] = static_cast<std::int32_t>(list.order.size() + k);
}

template <int Dim>
void sort_along_curve(const CandidateInput<Dim>& in, const ListMemory<Dim>& memory, CandidateList<Dim>& list) {
    const auto& x = list.built_position;
    if (!list.order.empty()) {
        Vec<Dim> low = x[list.order[0]];
        double width = 0.0;
        for (const auto i : list.order) {
            low = low.cwiseMin(x[i]);
            width += 2.0 * in.bodies.radius[i];
        }
        width /= static_cast<double>(list.order.size());
        const std::span<Keyed> keyed = memory.first.template take<Keyed>(list.order.size());
        in.threads.for_chunks(keyed.size(), chunk, [&](std::size_t begin, std::size_t end) {
            for (std::size_t m = begin; m < end; ++m) {
                const std::int32_t i = list.order[m];
                std::array<std::uint32_t, Dim> c;
                for (int k = 0; k < Dim; ++k) c[k] = static_cast<std::uint32_t>(std::min((x[i][k] - low[k]) / width, morton_limit<Dim>));
                keyed[m] = {morton<Dim>(c), i};
            }
        });
        const std::span<Keyed> sorted = sort_by_key(keyed, memory.second.template take<Keyed>(keyed.size()));
        for (std::size_t r = 0; r < sorted.size(); ++r) list.order[r] = sorted[r].body;
    }
    number_ranks(in, list);
}

#define TALUS_INSTANTIATE(Dim)                                                   \
    template void number_ranks(const CandidateInput<Dim>&, CandidateList<Dim>&); \
    template void sort_along_curve(const CandidateInput<Dim>&, const ListMemory<Dim>&, CandidateList<Dim>&);
TALUS_INSTANTIATE(2)
TALUS_INSTANTIATE(3)
#undef TALUS_INSTANTIATE

}  // namespace talus
