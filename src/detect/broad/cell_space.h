#pragma once
/// \file
/// Space cut into equal cells, which are looked up in a hash table: empty space costs nothing and the domain needs no bounds.

#include <array>
#include <bit>
#include <cmath>
#include <cstdint>

#include "detect/broad/candidates.h"

namespace talus {

template <int Dim>
class CellSpace {
public:
    using Coordinates = std::array<std::int32_t, Dim>;

    CellSpace() = default;
    /// Cells at least `width` wide, wider where the periodic cell asks for it, and some buckets for `items` of them.
    CellSpace(const Vec<Dim>& origin, double width, const Cell<Dim>& cell, std::size_t items)
        : origin_(origin), inverse_(Vec<Dim>::Constant(1.0 / width)), mask_(std::bit_ceil(static_cast<std::uint32_t>(2 * items)) - 1) {
        for (int k = 0; k < Dim; ++k) {
            if (!cell.periodic[k]) continue;
            count_[k] = std::max(1, static_cast<std::int32_t>(std::floor(cell.length[k] / width)));
            inverse_[k] = count_[k] / cell.length[k];
        }
    }

    [[nodiscard]] std::size_t buckets() const { return std::size_t{mask_} + 1; }
    [[nodiscard]] Coordinates at(const Vec<Dim>& x) const {
        Coordinates c;
        for (int k = 0; k < Dim; ++k) c[k] = wrapped(static_cast<std::int32_t>(std::floor((x[k] - origin_[k]) * inverse_[k])), k);
        return c;
    }
    /// Cells side by side along the first axis have buckets side by side.
    [[nodiscard]] std::uint32_t bucket(const Coordinates& c) const {
        constexpr std::array<std::uint32_t, 3> factor{0u, 0x9E3779B1u, 0x85EBCA77u};
        std::uint32_t hash = 0;
        for (int k = 1; k < Dim; ++k) hash += static_cast<std::uint32_t>(c[k]) * factor[k];
        return ((hash ^ (hash >> 15)) + static_cast<std::uint32_t>(c[0])) & mask_;
    }
    /// std::array's own comparison calls memcmp, which costs more than the rest of a visit.
    [[nodiscard]] static bool are_same(const Coordinates& a, const Coordinates& b) { return (differ_beside(a, b) | (a[0] ^ b[0])) == 0; }
    /// A cell, and those that follow it along the first axis.
    struct Row {
        Coordinates first;
        std::int32_t size = 1;
        std::uint32_t bucket = 0;   ///< of the first; the others follow

        [[nodiscard]] bool holds(const Coordinates& c) const {
            return differ_beside(c, first) == 0 && static_cast<std::uint32_t>(c[0] - first[0]) < static_cast<std::uint32_t>(size);
        }
    };
    /// About how many cells `for_each_near` visits, at most.
    [[nodiscard]] double cells_near(double reach) const {
        double cells = 1.0;
        for (int k = 0; k < Dim; ++k) {
            const double along = 2.0 * reach * inverse_[k] + 2.0;
            cells *= count_[k] > 0 ? std::min<double>(along, count_[k]) : along;
        }
        return cells;
    }
    /// Calls f(row) for rows that make up all cells, each once, that a box of half width `reach` about x meets.
    template <class F>
    void for_each_near(const Vec<Dim>& x, double reach, F&& f) const {
        std::array<std::int32_t, Dim> low, size;
        for (int k = 0; k < Dim; ++k) {
            low[k] = static_cast<std::int32_t>(std::floor((x[k] - reach - origin_[k]) * inverse_[k]));
            size[k] = static_cast<std::int32_t>(std::floor((x[k] + reach - origin_[k]) * inverse_[k])) - low[k] + 1;
            if (count_[k] > 0) size[k] = std::min(size[k], count_[k]);
        }
        std::array<std::int32_t, Dim> at{};
        while (true) {
            Row row;
            for (int k = 0; k < Dim; ++k) row.first[k] = wrapped(low[k] + at[k], k);
            row.bucket = bucket(row.first);
            if (count_[0] == 0 && row.bucket + static_cast<std::uint32_t>(size[0]) - 1 <= mask_) {
                row.size = size[0];
                f(row);
            } else {
                for (std::int32_t c = 0; c < size[0]; ++c) {
                    row.first[0] = wrapped(low[0] + c, 0);
                    row.bucket = bucket(row.first);
                    f(row);
                }
            }
            int k = 1;
            while (k < Dim && ++at[k] == size[k]) at[k++] = 0;
            if (k == Dim) return;
        }
    }

private:
    /// 0 for cells of the same row.
    [[nodiscard]] static std::int32_t differ_beside(const Coordinates& a, const Coordinates& b) {
        std::int32_t differ = 0;
        for (int k = 1; k < Dim; ++k) differ |= a[k] ^ b[k];
        return differ;
    }
    [[nodiscard]] std::int32_t wrapped(std::int32_t c, int axis) const {
        const std::int32_t count = count_[axis];
        return count == 0 ? c : ((c % count) + count) % count;
    }

    Vec<Dim> origin_ = Vec<Dim>::Zero(), inverse_ = Vec<Dim>::Ones();   ///< one over the widths
    std::array<std::int32_t, Dim> count_{};   ///< cells along periodic axes, 0 elsewhere
    std::uint32_t mask_ = 0;
};

/// Lower corner of all positions; of the periodic cell where there is one.
template <int Dim>
[[nodiscard]] inline Vec<Dim> origin_of(const std::vector<Vec<Dim>>& position, const Cell<Dim>& cell) {
    if (cell.any || position.empty()) return cell.low;
    Vec<Dim> origin = position[0];
    for (const auto& x : position) origin = origin.cwiseMin(x);
    return origin;
}

}  // namespace talus
