#include "detect/broad/cell_grid.h"

#include <algorithm>
#include <cmath>

namespace talus {

template <int Dim>
CellGrid<Dim>::CellGrid(const std::vector<Vec<Dim>>& position, const std::vector<double>& radius,
                        const Cell<Dim>& cell, const Threads& threads)
    : position_(position), radius_(radius), cell_(cell), level_of_(position.size()) {
    if (position.empty()) return;
    const double smallest = *std::min_element(radius.begin(), radius.end());
    std::vector<std::vector<std::int32_t>> members;
    for (std::size_t i = 0; i < position.size(); ++i) {
        const double square = (radius[i] / smallest) * (radius[i] / smallest);
        const auto level = static_cast<std::size_t>(std::ilogb(square * square));
        if (level >= members.size()) { members.resize(level + 1); levels_.resize(level + 1); }
        level_of_[i] = static_cast<std::uint8_t>(level);
        members[level].push_back(static_cast<std::int32_t>(i));
        levels_[level].widest = std::max(levels_[level].widest, radius[i]);
    }
    const Vec<Dim> origin = origin_of(position, cell);
    for (std::size_t l = 0; l < levels_.size(); ++l) {
        if (members[l].empty()) continue;
        levels_[l].space = CellSpace<Dim>(origin, 2.0 * levels_[l].widest, cell, members[l].size());
        fill(levels_[l], members[l], threads);
    }
}

template <int Dim>
void CellGrid<Dim>::fill(Level& level, const std::vector<std::int32_t>& members, const Threads& threads) {
    const std::size_t buckets = level.space.buckets();
    level.bucket_begin.assign(buckets + 1, 0);
    std::vector<Coordinates> c(members.size());
    std::vector<std::uint32_t> in_bucket(members.size());
    threads.for_chunks(members.size(), 4096, [&](std::size_t begin, std::size_t end) {
        for (std::size_t m = begin; m < end; ++m) {
            c[m] = level.space.at(position_[members[m]]);
            in_bucket[m] = level.space.bucket(c[m]);
        }
    });
    for (const std::uint32_t b : in_bucket) ++level.bucket_begin[b + 1];
    for (std::size_t b = 0; b < buckets; ++b) level.bucket_begin[b + 1] += level.bucket_begin[b];
    level.entries.resize(members.size());
    std::vector<std::int32_t> next(level.bucket_begin.begin(), level.bucket_begin.end() - 1);
    for (std::size_t m = 0; m < members.size(); ++m) {
        const std::int32_t i = members[m];
        level.entries[next[in_bucket[m]]++] = {position_[i], radius_[i], c[m], i};
    }
}

template class CellGrid<2>;
template class CellGrid<3>;

}  // namespace talus
