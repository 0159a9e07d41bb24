#include "detect/broad/cell_grid.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace talus {

template <int Dim>
CellGrid<Dim>::CellGrid(const std::vector<Vec<Dim>>& position, const std::vector<double>& radius,
                        const Cell<Dim>& cell, const Threads& threads)
    : position_(position), origin_(cell.low), level_of_(position.size()) {
    if (position.empty()) return;
    const double smallest = *std::min_element(radius.begin(), radius.end());
    std::vector<double> widest;
    std::vector<std::vector<std::int32_t>> members;
    if (!cell.any) {
        origin_ = position[0];
        for (const auto& x : position) origin_ = origin_.cwiseMin(x);
    }
    for (std::size_t i = 0; i < position.size(); ++i) {
        const auto level = static_cast<std::size_t>(std::ilogb(radius[i] / smallest));
        if (level >= members.size()) { members.resize(level + 1); widest.resize(level + 1, 0.0); }
        level_of_[i] = static_cast<std::uint8_t>(level);
        members[level].push_back(static_cast<std::int32_t>(i));
        widest[level] = std::max(widest[level], radius[i]);
    }
    levels_.resize(members.size());
    for (std::size_t l = 0; l < levels_.size(); ++l) {
        if (members[l].empty()) continue;
        Level& level = levels_[l];
        level.width = Vec<Dim>::Constant(2.0 * widest[l] * (1.0 + 1e-12));
        for (int k = 0; k < Dim; ++k) {
            if (!cell.periodic[k]) continue;
            level.count[k] = std::max(1, static_cast<std::int32_t>(std::floor(cell.length[k] / level.width[k])));
            level.width[k] = cell.length[k] / level.count[k];
        }
        fill(level, members[l], threads);
    }
}

template <int Dim>
void CellGrid<Dim>::fill(Level& level, const std::vector<std::int32_t>& members, const Threads& threads) {
    const auto buckets = std::bit_ceil(static_cast<std::uint32_t>(2 * members.size()));
    level.mask = buckets - 1;
    level.bucket_begin.assign(buckets + 1, 0);
    std::vector<Coordinates> c(members.size());
    std::vector<std::uint32_t> in_bucket(members.size());
    threads.for_chunks(members.size(), 4096, [&](std::size_t begin, std::size_t end) {
        for (std::size_t m = begin; m < end; ++m) {
            c[m] = cell_at(level, position_[members[m]]);
            in_bucket[m] = bucket(c[m], level.mask);
        }
    });
    for (const std::uint32_t b : in_bucket) ++level.bucket_begin[b + 1];
    for (std::uint32_t b = 0; b < buckets; ++b) level.bucket_begin[b + 1] += level.bucket_begin[b];
    level.entries.resize(members.size());
    level.coordinates.resize(members.size());
    std::vector<std::int32_t> next(level.bucket_begin.begin(), level.bucket_begin.end() - 1);
    for (std::size_t m = 0; m < members.size(); ++m) {
        const std::int32_t e = next[in_bucket[m]]++;
        level.entries[e] = members[m];
        level.coordinates[e] = c[m];
    }
}

template class CellGrid<2>;
template class CellGrid<3>;

}  // namespace talus
