#pragma once
/// \file
/// A hierarchy of cell lists for balls of mixed sizes.
///
/// Balls are sorted into levels by powers of two of their effective radius (radius + margin); each
/// level has its own cells, wide enough that a ball of the same or a finer level needs to look at the
/// 3^Dim cells around it only. Cells live in a hash table, so empty space costs nothing and the
/// domain needs no bounds. A size ratio of 100 makes eight levels.

#include <cstdint>
#include <vector>

#include "detect/broad/candidates.h"

namespace talus {

template <int Dim>
class CellGrid {
public:
    using Coordinates = std::array<std::int32_t, Dim>;

    /// `radius` are effective radii. Arrays are by rank and must outlive the grid.
    CellGrid(const std::vector<Vec<Dim>>& position, const std::vector<double>& radius, const Cell<Dim>& cell,
             const Threads& threads);

    /// Calls f(j) once for every ball j != i whose effective ball may overlap that of i and that is of
    /// the same level with j > i, or of a coarser level.
    template <class F>
    void for_each_near(std::int32_t i, F&& f) const {
        for (std::size_t l = level_of_[i]; l < levels_.size(); ++l)
            if (!levels_[l].entries.empty()) visit_level(levels_[l], i, l == level_of_[i], f);
    }

private:
    struct Level {
        Vec<Dim> width;                        ///< of a cell
        std::array<std::int32_t, Dim> count{}; ///< cells along periodic axes, 0 elsewhere
        std::vector<std::int32_t> bucket_begin;
        std::vector<std::int32_t> entries;     ///< ranks, by bucket
        std::vector<Coordinates> coordinates;  ///< of each entry
        std::uint32_t mask = 0;
    };

    [[nodiscard]] Coordinates cell_at(const Level& level, const Vec<Dim>& x) const {
        Coordinates c;
        for (int k = 0; k < Dim; ++k) {
            c[k] = static_cast<std::int32_t>(std::floor((x[k] - origin_[k]) / level.width[k]));
            if (level.count[k] > 0) c[k] = ((c[k] % level.count[k]) + level.count[k]) % level.count[k];
        }
        return c;
    }
    /// std::array's own comparison calls memcmp, which costs more than the rest of the visit.
    [[nodiscard]] static bool is_same(const Coordinates& a, const Coordinates& b) {
        std::int32_t differ = 0;
        for (int k = 0; k < Dim; ++k) differ |= a[k] ^ b[k];
        return differ == 0;
    }
    [[nodiscard]] static std::uint32_t bucket(const Coordinates& c, std::uint32_t mask) {
        constexpr std::array<std::uint32_t, 3> factor{1u, 0x9E3779B1u, 0x85EBCA77u};
        std::uint32_t hash = 0;
        for (int k = 0; k < Dim; ++k) hash += static_cast<std::uint32_t>(c[k]) * factor[k];
        return (hash ^ (hash >> 15)) & mask;
    }
    void fill(Level& level, const std::vector<std::int32_t>& members, const Threads& threads);

    template <class F>
    void visit_level(const Level& level, std::int32_t i, bool same, F&& f) const {
        const Coordinates here = cell_at(level, position_[i]);
        std::array<std::array<std::int32_t, 3>, Dim> near;
        std::array<int, Dim> near_count;
        for (int k = 0; k < Dim; ++k) near_count[k] = neighbours(here[k], level.count[k], near[k]);
        std::array<int, Dim> at{};
        while (true) {
            Coordinates c;
            for (int k = 0; k < Dim; ++k) c[k] = near[k][at[k]];
            const std::uint32_t b = bucket(c, level.mask);
            for (std::int32_t e = level.bucket_begin[b + 1]; e-- > level.bucket_begin[b];) {
                const std::int32_t j = level.entries[e];
                if (same && j <= i) break;   // entries are in the order of ranks
                if (is_same(level.coordinates[e], c)) f(j);
            }
            int k = 0;
            while (k < Dim && ++at[k] == near_count[k]) at[k++] = 0;
            if (k == Dim) return;
        }
    }
    /// The distinct cells c-1, c, c+1 of an axis, wrapped when it is periodic.
    static int neighbours(std::int32_t c, std::int32_t count, std::array<std::int32_t, 3>& out) {
        out = {c - 1, c, c + 1};
        if (count == 0) return 3;
        if (count == 1) { out = {0, 0, 0}; return 1; }
        for (auto& x : out) x = (x + count) % count;
        if (count == 2) { out[0] = 0; out[1] = 1; return 2; }
        return 3;
    }

    const std::vector<Vec<Dim>>& position_;
    Vec<Dim> origin_;
    std::vector<std::uint8_t> level_of_;
    std::vector<Level> levels_;
};

}  // namespace talus
