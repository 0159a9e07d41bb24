#pragma once
/// \file
/// Puts contacts that follow each other in a sweep into blocks of a few that share no body.
///
/// Each contact goes into the first block with a free lane that lies at least `distance` blocks after the last one that
/// touches either of its bodies. So every body meets its contacts in the order of before, and the sweep over the blocks
/// gives the bits of the sweep over the contacts. With a distance of two, blocks next to each other share no body, so the
/// processor can work on both at once; in a packing of balls nearly all lanes are filled all the same.
///
/// Indices only: whoever calls tells the lines, inert ones as -1.

#include <algorithm>
#include <cstdint>
#include <limits>
#include <vector>

#include "contact/block_lanes.h"

namespace talus {

class BlockPacker {
public:
    static constexpr std::int32_t most_distance = 2;   ///< that of ball contacts, whose kernels count on it: they visit two blocks side by side

    /// For contacts of up to `lines` bodies.
    void begin(std::size_t lines) {
        if (last_.size() < lines) last_.resize(lines, -1);
    }
    /// A part of the sweep that may be packed on its own: what went before does not matter. `contacts` bounds its size.
    void begin_part(std::size_t contacts, std::int32_t distance = most_distance) {
        const auto bound = static_cast<std::int32_t>(most_distance * (contacts + 2));
        if (base_ > std::numeric_limits<std::int32_t>::max() - bound_ - bound) {
            std::fill(last_.begin(), last_.end(), -1);
            base_ = 0;
            bound_ = 2 * most_distance;
        }
        base_ += bound_;
        bound_ = bound;
        distance_ = distance;
    }

    /// State of one group while it is packed; groups of a part share no body and may be packed at the same time.
    struct Group {
        std::vector<std::int32_t> next;   ///< first block from here on that may have a free lane
        std::vector<std::uint8_t> fill;
        void clear() {
            next.clear();
            fill.clear();
        }
        /// Room for so many contacts, nearly all lanes being filled; by themselves the arrays would double.
        void expect(std::size_t contacts) {
            const std::size_t blocks = contacts / lanes + contacts / 128 + 64;
            next.reserve(blocks);
            fill.reserve(blocks);
        }
        [[nodiscard]] std::size_t blocks() const { return fill.size(); }
    };

    /// The place of the next contact of the group: block times `lanes` plus lane.
    std::int32_t place(Group& group, std::int32_t a, std::int32_t b) {
        const std::int32_t after = std::max(seen(a), seen(b));
        const std::int32_t block = first_free(group, std::max(0, after + distance_));
        const std::int32_t lane = group.fill[static_cast<std::size_t>(block)]++;
        if (lane + 1 == lanes) group.next[static_cast<std::size_t>(block)] = block + 1;
        if (a >= 0) last_[static_cast<std::size_t>(a)] = base_ + block;
        if (b >= 0) last_[static_cast<std::size_t>(b)] = base_ + block;
        return block * lanes + lane;
    }

    [[nodiscard]] std::size_t bytes() const { return last_.capacity() * sizeof(last_[0]); }

private:
    /// Block of the group in which the body was last, far below zero if none.
    [[nodiscard]] std::int32_t seen(std::int32_t line) const {
        return line < 0 ? -most_distance : std::max(last_[static_cast<std::size_t>(line)] - base_, -most_distance);
    }

    static std::int32_t first_free(Group& g, std::int32_t from) {
        while (static_cast<std::int32_t>(g.next.size()) <= from) {
            g.next.push_back(static_cast<std::int32_t>(g.next.size()));
            g.fill.push_back(0);
        }
        std::int32_t block = from;
        while (g.next[static_cast<std::size_t>(block)] != block) {
            block = g.next[static_cast<std::size_t>(block)];
            if (block == static_cast<std::int32_t>(g.next.size())) {
                g.next.push_back(block);
                g.fill.push_back(0);
            }
        }
        for (std::int32_t k = from; k != block;) {  // the next search goes there at once
            const std::int32_t following = g.next[static_cast<std::size_t>(k)];
            g.next[static_cast<std::size_t>(k)] = block;
            k = following;
        }
        return block;
    }

    std::vector<std::int32_t> last_;   ///< by line, counted from the first part ever, or since the count began anew
    std::int32_t base_ = 0, bound_ = 2 * most_distance;   ///< where the part begins, and how many blocks it may have
    std::int32_t distance_ = most_distance;
};

}  // namespace talus
