#pragma once
/// \file
/// Puts contacts that follow each other in a sweep into blocks of a few that share no body.
///
/// Each contact goes into the first block with a free lane that lies so many blocks after the last one that touches either of its
/// bodies as its `Spacing` tells. So every body meets its contacts in the order of before, and the sweep over the blocks
/// gives the bits of the sweep over the contacts. Where blocks that are visited side by side share no body, the
/// processor can work on both at once; in a packing nearly all lanes are filled all the same.
///
/// Indices only: whoever calls tells the lines, inert ones as -1.

#include <algorithm>
#include <bit>
#include <cstdint>
#include <limits>
#include <vector>

#include "contact/block_lanes.h"

namespace talus {

class BlockPacker {
public:
    /// How far apart the contacts of a body are. Blocks come in sets of `together`, a power of two, from the first of the group on; those of a set share
    /// no body, and a body comes up again `distance` blocks after the last of the set at the earliest. Kernels that visit two blocks side by side count on it.
    struct Spacing {
        std::int32_t together = 1, distance = 1;
    };
    /// Any two blocks next to each other share no body.
    static constexpr Spacing neighbours_apart{1, 2};

    /// For contacts of up to `lines` bodies.
    void begin(std::size_t lines) {
        if (last_.size() < lines) last_.resize(lines, -1);
    }
    /// A part of the sweep that may be packed on its own: what went before does not matter. `contacts` bounds its size.
    void begin_part(std::size_t contacts, Spacing spacing = neighbours_apart) {
        const auto bound = static_cast<std::int32_t>(most_apart * (contacts + 2));
        if (base_ > std::numeric_limits<std::int32_t>::max() - bound_ - bound) {
            std::fill(last_.begin(), last_.end(), -1);
            base_ = 0;
            bound_ = 2 * most_apart;
        }
        base_ += bound_;
        bound_ = bound;
        spacing_ = spacing;
    }

    /// State of one group while it is packed; groups of a part share no body and may be packed at the same time.
    struct Group {
        std::vector<std::uint64_t> open;   ///< bit by bit: the block has a free lane; so have those that are not there yet
        std::vector<std::uint8_t> fill;
        void clear() {
            open.clear();
            fill.clear();
        }
        /// Room for so many contacts, nearly all lanes being filled; by themselves the arrays would double.
        void expect(std::size_t contacts) {
            const std::size_t blocks = contacts / lanes + contacts / 128 + 64;
            open.reserve(blocks / 64 + 1);
            fill.reserve(blocks);
        }
        [[nodiscard]] std::size_t blocks() const { return fill.size(); }
        [[nodiscard]] std::size_t bytes() const { return open.capacity() * sizeof(open[0]) + fill.capacity(); }
    };

    /// The place of the next contact of the group: block times `lanes` plus lane.
    std::int32_t place(Group& group, std::int32_t a, std::int32_t b) {
        const std::int32_t after = std::max(seen(a), seen(b));
        const std::size_t block = first_open(group, static_cast<std::size_t>(std::max(0, first_after(after))));
        if (block >= group.fill.size()) group.fill.resize(block + 1, 0);
        const int lane = group.fill[block]++;
        if (lane + 1 == lanes) group.open[block / 64] &= ~(std::uint64_t{1} << block % 64);
        const auto number = static_cast<std::int32_t>(block);
        if (a >= 0) last_[static_cast<std::size_t>(a)] = base_ + number;
        if (b >= 0) last_[static_cast<std::size_t>(b)] = base_ + number;
        return number * lanes + lane;
    }

    [[nodiscard]] std::size_t bytes() const { return last_.capacity() * sizeof(last_[0]); }

private:
    /// Block of the group in which the body was last, far below zero if none.
    [[nodiscard]] std::int32_t seen(std::int32_t line) const {
        return line < 0 ? -most_apart : std::max(last_[static_cast<std::size_t>(line)] - base_, -most_apart);
    }
    /// The first block in which a body may be again that was last in this one.
    [[nodiscard]] std::int32_t first_after(std::int32_t block) const { return (block | (spacing_.together - 1)) + spacing_.distance; }

    /// The first block from there on that has a free lane.
    static std::size_t first_open(Group& g, std::size_t from) {
        std::size_t word = from / 64;
        if (word >= g.open.size()) g.open.resize(word + 1, all_open);
        std::uint64_t bits = g.open[word] & all_open << from % 64;
        while (bits == 0) {
            if (++word == g.open.size()) g.open.push_back(all_open);
            bits = g.open[word];
        }
        return word * 64 + static_cast<std::size_t>(std::countr_zero(bits));
    }

    static constexpr std::int32_t most_apart = 2;   ///< blocks that the spacing asks for
    static constexpr std::uint64_t all_open = ~std::uint64_t{0};
    std::vector<std::int32_t> last_;   ///< by line, counted from the first part ever, or since the count began anew
    std::int32_t base_ = 0, bound_ = 2 * most_apart;   ///< where the part begins, and how many blocks it may have
    Spacing spacing_;
};

}  // namespace talus
