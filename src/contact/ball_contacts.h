#pragma once
/// \file
/// Contacts with a diagonal Delassus operator, held in the blocks that sweeps work on.
///
/// There may be millions, so there is no other copy of them: contact k of the problem lives in a lane of some block, which
/// `arrange.h` chose. Who wants a contact gets it put together; what is found out later is set part by part. Problems made by
/// hand fill lane after lane instead (`push_back`) and are arranged before the first sweep.

#include <cstddef>
#include <cstdint>
#include <vector>

#include "contact/ball_block.h"
#include "math/snug.h"
#include "math/tangent.h"

namespace talus {

/// A contact with H = diag(1/inv_wn, 1/inv_wt ...).
template <int Dim>
struct BallContact {
    Vec<Dim> n = Vec<Dim>::Zero();
    double cn = 0.0;             ///< constant of the formal normal velocity [m/s]
    Tangential<Dim> ct;          ///< constant of the formal tangential velocity [m/s]
    double inv_wn = 0.0;         ///< 1/H_NN [kg]
    double inv_wt = 0.0;         ///< 1/H_TT [kg]
    double mu = 0.0;
    double pn = 0.0;             ///< normal impulse [N s]
    Tangential<Dim> pt;          ///< tangential impulse [N s]
    std::int32_t a = 0, b = 0;   ///< lines; one that no impulse moves may be told as another such line
    double impact = 0.0;         ///< |U_N-| when colliding, else 0 [m/s]
};

/// The two lines of a contact.
struct LinePair {
    std::int32_t a, b;
};

// A tangential vector as the plain numbers of a block.
inline void put_lane(const Tangential<2>& t, double (&to)[1][lanes], int l) { to[0][l] = t.along; }
inline void put_lane(const Tangential<3>& t, double (&to)[3][lanes], int l) {
    for (int i = 0; i < 3; ++i) to[i][l] = t.world[i];
}
[[nodiscard]] inline Tangential<2> take_lane(const double (&from)[1][lanes], std::size_t l) { return {from[0][l]}; }
[[nodiscard]] inline Tangential<3> take_lane(const double (&from)[3][lanes], std::size_t l) { return {{from[0][l], from[1][l], from[2][l]}}; }

[[nodiscard]] inline std::uint32_t place_of_line(std::int32_t line) { return line_numbers * static_cast<std::uint32_t>(line); }
[[nodiscard]] inline std::int32_t line_at(std::uint32_t place) { return static_cast<std::int32_t>(place / line_numbers); }

template <int Dim>
class BallContacts {
public:
    /// Blocks [first, last) that belong to a group of contacts [grouping.h].
    struct Range {
        std::size_t first = 0, last = 0;
    };

    [[nodiscard]] std::size_t size() const { return place_.size(); }
    [[nodiscard]] bool empty() const { return place_.empty(); }
    [[nodiscard]] std::size_t bytes() const {
        return blocks_.capacity() * sizeof(BallBlock<Dim>) + shifts_.capacity() * sizeof(BallBlockShift<Dim>) +
               impact_.capacity() * sizeof(double) + place_.capacity() * sizeof(std::int32_t);
    }

    [[nodiscard]] BallContact<Dim> operator[](std::size_t k) const { return at(static_cast<std::size_t>(place_[k])); }
    /// The one that lives there.
    [[nodiscard]] BallContact<Dim> at(std::size_t place) const {
        const BallBlock<Dim>& block = blocks_[place / lanes];
        const std::size_t l = place % lanes;
        BallContact<Dim> c;
        for (int i = 0; i < Dim; ++i) c.n[i] = block.n[i][l];
        c.cn = block.cn[l];
        if (has_shifts_) c.ct = take_lane(shifts_[place / lanes].ct, l);
        c.inv_wn = block.inv_wn[l];
        c.inv_wt = block.inv_wt[l];
        c.mu = block.mu[l];
        c.pn = block.pn[l];
        c.pt = take_lane(block.pt, l);
        c.a = line_at(block.a[l]);
        c.b = line_at(block.b[l]);
        c.impact = impact_[place];
        return c;
    }
    /// Says that contact k will be asked for soon, or set.
    /// (Inline for good: compilers take a function that only fetches for one that does nothing.)
    [[gnu::always_inline]] void fetch(std::size_t k) const {
        constexpr std::size_t line = 64;
        const auto place = static_cast<std::size_t>(place_[k]);
        const char* block = reinterpret_cast<const char*>(&blocks_[place / lanes]);
        for (std::size_t at = 0; at < sizeof(BallBlock<Dim>); at += line) __builtin_prefetch(block + at, 1);
        __builtin_prefetch(&impact_[place], 1);
    }
    [[nodiscard]] double pn(std::size_t k) const { return lane(k).block.pn[lane(k).l]; }
    [[nodiscard]] Tangential<Dim> pt(std::size_t k) const { return take_lane(lane(k).block.pt, lane(k).l); }
    [[nodiscard]] double mu(std::size_t k) const { return lane(k).block.mu[lane(k).l]; }
    [[nodiscard]] LinePair lines(std::size_t k) const {
        const auto [block, l] = lane(k);
        return {line_at(block.a[l]), line_at(block.b[l])};
    }
    [[nodiscard]] Vec<Dim> normal(std::size_t k) const {
        const auto [block, l] = lane(k);
        Vec<Dim> n;
        for (int i = 0; i < Dim; ++i) n[i] = block.n[i][l];
        return n;
    }

    /// Different contacts may be set at the same time.
    void set(std::size_t k, const BallContact<Dim>& c) {
        auto& block = blocks_[static_cast<std::size_t>(place_[k]) / lanes];
        const int l = place_[k] % lanes;
        for (int i = 0; i < Dim; ++i) block.n[i][l] = c.n[i];
        block.inv_wn[l] = c.inv_wn;
        block.inv_wt[l] = c.inv_wt;
        block.a[l] = place_of_line(c.a);
        block.b[l] = place_of_line(c.b);
        set_law(k, c);
        set_impulse(k, c.pn, c.pt);
    }
    /// Takes `cn`, `mu`, `impact` and, where there are shifts, `ct`.
    void set_law(std::size_t k, const BallContact<Dim>& c) {
        const std::size_t b = static_cast<std::size_t>(place_[k]) / lanes;
        auto& block = blocks_[b];
        const int l = place_[k] % lanes;
        block.cn[l] = c.cn;
        if (has_shifts_) put_lane(c.ct, shifts_[b].ct, l);
        block.mu[l] = c.mu;
        impact_[static_cast<std::size_t>(place_[k])] = c.impact;
    }
    void set_impulse(std::size_t k, double pn, const Tangential<Dim>& pt) {
        auto& block = blocks_[static_cast<std::size_t>(place_[k]) / lanes];
        const int l = place_[k] % lanes;
        block.pn[l] = pn;
        put_lane(pt, block.pt, l);
    }

    /// One more contact, in the next lane: of problems made by hand.
    void push_back(const BallContact<Dim>& c) {
        const std::size_t k = size();
        place_.push_back(static_cast<std::int32_t>(k));
        has_shifts_ = has_shifts_ || c.ct.squared() != 0.0;
        impact_.resize((k / lanes + 1) * lanes);
        if (has_shifts_) shifts_.resize(k / lanes + 1);
        if (k / lanes == blocks_.size()) {
            blocks_.emplace_back();
            clear_lanes(k / lanes, 0, 0);
        }
        set(k, c);
        groups_.clear();
    }

    /// Contacts one after the other, by value.
    class Iterator {
    public:
        Iterator(const BallContacts& all, std::size_t k) : all_(&all), k_(k) {}
        [[nodiscard]] BallContact<Dim> operator*() const { return (*all_)[k_]; }
        Iterator& operator++() { ++k_; return *this; }
        [[nodiscard]] bool operator==(const Iterator& o) const { return k_ == o.k_; }

    private:
        const BallContacts* all_;
        std::size_t k_;
    };
    [[nodiscard]] Iterator begin() const { return {*this, 0}; }
    [[nodiscard]] Iterator end() const { return {*this, size()}; }

    // for those that arrange and sweep
    /// Empty until the contacts are arranged.
    [[nodiscard]] const std::vector<Range>& groups() const { return groups_; }
    [[nodiscard]] std::vector<Range>& groups() { return groups_; }
    /// Where each contact lives: block times `lanes` plus lane.
    [[nodiscard]] std::vector<std::int32_t>& places() { return place_; }
    [[nodiscard]] std::vector<BallBlock<Dim>>& blocks() { return blocks_; }
    [[nodiscard]] const std::vector<BallBlock<Dim>>& blocks() const { return blocks_; }
    /// Whether some contact may have a constant `ct`; to be said before they are arranged.
    [[nodiscard]] bool has_shifts() const { return has_shifts_; }
    void set_has_shifts(bool any) { has_shifts_ = any; }
    [[nodiscard]] const BallBlockShift<Dim>* shifts() const { return has_shifts_ ? shifts_.data() : nullptr; }   ///< by block, or null
    [[nodiscard]] const double* impacts() const { return impact_.data(); }   ///< by place [m/s]
    /// Room for so many blocks and all that goes with them.
    void resize_for(std::size_t blocks) {
        resize_snugly(blocks_, blocks);
        resize_snugly(shifts_, has_shifts_ ? blocks : 0);
        resize_snugly(impact_, blocks * lanes);
    }
    /// Empties the block but for the first lanes, which are set thereafter.
    void clear_lanes(std::size_t block, int filled, std::int32_t inert) {
        BallBlock<Dim>& at = blocks_[block] = {};
        if (has_shifts_) shifts_[block] = {};
        for (int l = filled; l < lanes; ++l) {
            at.inv_wn[l] = at.inv_wt[l] = 1.0;
            at.a[l] = at.b[l] = place_of_line(inert);
            impact_[block * lanes + static_cast<std::size_t>(l)] = 0.0;
        }
    }

private:
    struct Lane {
        const BallBlock<Dim>& block;
        std::size_t l;
    };
    [[nodiscard]] Lane lane(std::size_t k) const {
        const auto place = static_cast<std::size_t>(place_[k]);
        return {blocks_[place / lanes], place % lanes};
    }

    std::vector<BallBlock<Dim>> blocks_;
    std::vector<BallBlockShift<Dim>> shifts_;
    bool has_shifts_ = false;
    std::vector<double> impact_;
    std::vector<std::int32_t> place_;
    std::vector<Range> groups_;
};

}  // namespace talus
