#pragma once
/// \file
/// Space cut into equal cells that are numbered one after the other: those side by side along the first axis have numbers side
/// by side. There are no more cells than asked for. Where bodies are spread wider, space is folded: cells far from each other
/// share a number, which costs some looks in vain but needs neither bounds nor a table of what is where.

#include <algorithm>
#include <array>
#include <cstdint>

#include "detect/broad/packed_ball.h"

namespace talus {

/// The smallest box that holds some positions.
template <int Dim>
struct Extent {
    Vec<Dim> low = Vec<Dim>::Zero(), high = Vec<Dim>::Zero();
};

template <int Dim>
[[nodiscard]] inline Extent<Dim> extent_of(std::span<const PackedBall<Dim>> balls) {
    if (balls.empty()) return {};
    Extent<Dim> extent{balls[0].x, balls[0].x};
    for (const auto& ball : balls) {
        extent.low = extent.low.cwiseMin(ball.x);
        extent.high = extent.high.cwiseMax(ball.x);
    }
    return extent;
}

/// A box of cells, told by coordinates before folding.
template <int Dim>
struct CellBox {
    std::array<std::int64_t, Dim> low, size;
    /// The box goes round what is periodic or folded: where its cells are does not tell which image is the near one.
    bool goes_round = false;

    [[nodiscard]] double cells() const {
        double cells = 1.0;
        for (const std::int64_t s : size) cells *= static_cast<double>(s);
        return cells;
    }
};

template <int Dim>
class CellSpace {
public:
    using Coordinates = std::array<std::int32_t, Dim>;
    using Box = CellBox<Dim>;

    CellSpace() = default;
    /// Cells at least `width` wide, wider where the periodic cell asks for it, and at most `most` of them.
    CellSpace(const Extent<Dim>& extent, double width, const Cell<Dim>& cell, std::size_t most) : periodic_(cell.periodic) {
        for (int k = 0; k < Dim; ++k) {
            const double length = periodic_[k] ? cell.length[k] : extent.high[k] - extent.low[k];
            origin_[k] = periodic_[k] ? cell.low[k] : extent.low[k];
            count_[k] = static_cast<std::int32_t>(std::min(length / width, largest)) + (periodic_[k] ? 0 : 1);
            wraps_[k] = periodic_[k];
        }
        fold(static_cast<double>(most));
        for (int k = 0; k < Dim; ++k) {
            inverse_[k] = periodic_[k] ? count_[k] / cell.length[k] : 1.0 / width;
            stretch_[k] = periodic_[k] ? cell.length[k] / (count_[k] * width) : 1.0;
        }
    }

    [[nodiscard]] std::size_t cells() const {
        std::size_t cells = 1;
        for (const std::int32_t c : count_) cells *= static_cast<std::size_t>(c);
        return cells;
    }
    /// Where a point is: its cell, and how far it is from the lower corner of that, in units of `width`; 0 along an axis along which all cells or
    /// images have been folded into one, as this would not tell distances.
    struct Place {
        Coordinates cell;
        std::array<float, Dim> local;
    };
    [[nodiscard]] Place place_of(const Vec<Dim>& x) const {
        Place place;
        for (int k = 0; k < Dim; ++k) {
            const double y = (x[k] - origin_[k]) * inverse_[k];
            const std::int64_t c = floor_of(y);
            place.cell[k] = static_cast<std::int32_t>(folded(c, k));
            place.local[k] = is_all_one(k) ? 0.0f : static_cast<float>((y - static_cast<double>(c)) * stretch_[k]);
        }
        return place;
    }
    [[nodiscard]] Coordinates at(const Vec<Dim>& x) const { return place_of(x).cell; }
    /// Coordinates before folding.
    [[nodiscard]] std::array<std::int64_t, Dim> unfolded(const Vec<Dim>& x) const {
        std::array<std::int64_t, Dim> c;
        for (int k = 0; k < Dim; ++k) c[k] = floor_of((x[k] - origin_[k]) * inverse_[k]);
        return c;
    }
    [[nodiscard]] std::size_t number(const Coordinates& c) const {
        auto number = static_cast<std::size_t>(c[Dim - 1]);
        for (int k = Dim - 1; k-- > 0;) number = number * static_cast<std::size_t>(count_[k]) + static_cast<std::size_t>(c[k]);
        return number;
    }
    [[nodiscard]] Coordinates coordinates(std::size_t number) const {
        auto rest = static_cast<std::uint32_t>(number);
        Coordinates c;
        for (int k = 0; k < Dim; ++k) {
            const auto count = static_cast<std::uint32_t>(count_[k]);
            c[k] = static_cast<std::int32_t>(rest % count);
            rest /= count;
        }
        return c;
    }
    /// From one cell to the next along an axis, in units of `width`.
    [[nodiscard]] float step(int axis) const { return static_cast<float>(stretch_[axis]); }

    /// A cell and all those that it touches.
    [[nodiscard]] Box about(const Coordinates& c) const {
        Box box;
        for (int k = 0; k < Dim; ++k) reach_out(c[k], k, box);
        return cut(box);
    }
    /// Those that touch a cell, in `Dim` boxes of which each pair of cells is in one only, seen from one of them. The first box begins with the cell.
    [[nodiscard]] Box after(const Coordinates& c, int part) const {
        Box box;
        for (int k = 0; k < Dim; ++k) {
            box.low[k] = c[k];
            box.size[k] = 1;
            if (k < part) reach_out(c[k], k, box);
        }
        const bool alone = is_all_one(part);
        if (part == 0) box.size[0] = alone ? 1 : 2;
        else ++box.low[part], box.size[part] = alone ? 0 : 1;
        return cut(box);
    }
    /// Those that a cube of half width `reach` about x meets.
    [[nodiscard]] Box about(const Vec<Dim>& x, double reach) const {
        Box box;
        for (int k = 0; k < Dim; ++k) {
            box.low[k] = floor_of((x[k] - reach - origin_[k]) * inverse_[k]);
            box.size[k] = floor_of((x[k] + reach - origin_[k]) * inverse_[k]) - box.low[k] + 1;
        }
        return cut(box);
    }

    /// Cells with consecutive numbers.
    struct Row {
        std::size_t first, end;
        std::int32_t column;                             ///< first coordinate of the first
        const std::array<std::int64_t, Dim>& unfolded;   ///< coordinates of the first before folding
    };
    /// Calls f(row) for rows that make up the box, each cell once.
    template <class F>
    void for_each_row(const Box& box, F&& f) const {
        std::array<std::int64_t, Dim> c = box.low;
        visit_rows<Dim - 1>(box, 0, c, f);
    }

private:
    static constexpr double largest = 1 << 30;   ///< cells along an axis

    /// Halves the number of cells along the longest axis until there are few enough. Cells along a periodic axis get wider:
    /// those of a box would else share numbers. Two cells in a ring would touch each other twice: there is one, then.
    void fold(double most) {
        const auto cells = [&] {
            double product = 1.0;
            for (const std::int32_t c : count_) product *= std::max(c, 1);   // none along a short periodic axis: there will be one
            return product;
        };
        while (cells() > std::max(most, 1.0)) {
            const auto k = static_cast<std::size_t>(std::max_element(count_.begin(), count_.end()) - count_.begin());
            count_[k] /= 2;
            wraps_[k] = true;
        }
        for (std::size_t k = 0; k < Dim; ++k)
            if (wraps_[k] && count_[k] < 3) count_[k] = 1;
    }
    [[nodiscard]] bool is_all_one(int axis) const { return wraps_[axis] && count_[axis] == 1; }
    [[nodiscard]] static std::int64_t floor_of(double y) {
        const auto c = static_cast<std::int64_t>(y);
        return c - (static_cast<double>(c) > y);
    }
    [[nodiscard]] std::int64_t folded(std::int64_t c, int k) const {
        const std::int64_t count = count_[k];
        if (c >= 0 && c < count) return c;
        const std::int64_t rest = c % count;
        return rest < 0 ? rest + count : rest;
    }
    void reach_out(std::int64_t c, int k, Box& box) const {
        const bool alone = is_all_one(k);
        box.low[k] = alone ? c : c - 1;
        box.size[k] = alone ? 1 : 3;
    }
    /// Takes off what lies beyond the bodies, and what would be visited twice.
    [[nodiscard]] Box cut(Box box) const {
        for (int k = 0; k < Dim; ++k) {
            if (wraps_[k]) {
                if (box.size[k] <= count_[k]) continue;
                box.size[k] = count_[k];
                box.goes_round = true;
            } else {
                const std::int64_t end = std::min<std::int64_t>(box.low[k] + box.size[k], count_[k]);
                box.low[k] = std::max<std::int64_t>(box.low[k], 0);
                box.size[k] = std::max<std::int64_t>(end - box.low[k], 0);
            }
        }
        return box;
    }
    template <int Axis, class F>
    void visit_rows(const Box& box, std::int64_t before, std::array<std::int64_t, Dim>& c, F&& f) const {
        if constexpr (Axis == 0) {
            // In two parts where the row goes over the edge.
            c[0] = box.low[0];
            for (std::int64_t left = box.size[0]; left > 0;) {
                const std::int64_t first = folded(c[0], 0), size = std::min(left, count_[0] - first);
                f(Row{static_cast<std::size_t>(before + first), static_cast<std::size_t>(before + first + size), static_cast<std::int32_t>(first), c});
                c[0] += size;
                left -= size;
            }
        } else {
            const std::int64_t end = box.low[Axis] + box.size[Axis];
            for (c[Axis] = box.low[Axis]; c[Axis] < end; ++c[Axis])
                visit_rows<Axis - 1>(box, (before + folded(c[Axis], Axis)) * count_[Axis - 1], c, f);
        }
    }

    Vec<Dim> origin_ = Vec<Dim>::Zero(), inverse_ = Vec<Dim>::Ones();   ///< one over the widths
    Vec<Dim> stretch_ = Vec<Dim>::Ones();                               ///< widths, in units of that asked for
    std::array<std::int32_t, Dim> count_{};
    std::array<bool, Dim> wraps_{};       ///< periodic or folded: the last cell is followed by the first
    std::array<bool, Dim> periodic_{};
};

}  // namespace talus
