#pragma once
/// \file
/// The memories of all pairs of grains in the candidate list, for lists in which some are not balls. When the list changes they go to where
/// their pairs are now; what the list does not hold is forgotten.
///
/// Most pairs of the list are apart, and stay so for long. Of such a pair the gap is remembered that it had at least when it was last looked at.
/// Since then it has become smaller by no more than both grains have come: the way of a grain is what the farthest-moving of its points has gone from
/// step to step, added up. A pair that this cannot have brought near enough to count is not looked at, which takes one comparison. The
/// ways hold for every motion, whatever moved the grain.

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "detect/broad/candidates.h"
#include "detect/narrow/pair_memory.h"

namespace talus {

template <int Dim>
class Memories {
public:
    /// Arranges the memories as the list is. Pairs are known by the ids of their bodies, whose shapes never change; where one has become a wall, or
    /// ceased to be, the roles of the two may have changed, and the memory is lost.
    /// \returns whether the list was another one before.
    bool follow(const Bodies<Dim>& bodies, const CandidateList<Dim>& list);

    [[nodiscard]] bool knows(const CandidateList<Dim>& list) const { return edition_ == list.edition && of_.size() == list.grains.size(); }

    /// The grain of rank r, no point of which is farther than `arm` from its centre, is now at x, turned by `axes`. Two grains count while their gap is
    /// at most the sum of their `near`. To be told of every grain before pairs are asked for; threads may tell of different ones at the same time.
    void move(const Cell<Dim>& cell, std::size_t r, const Vec<Dim>& x, const Mat<Dim>& axes, double arm, double near) {
        Place& last = place_[r];
        // The farthest that a turn takes a point of the unit ball: 2 sin(angle / 2), which is the norm of the difference of the matrices over root 2.
        const double turned = std::sqrt(0.5 * (axes - last.axes).squaredNorm());
        // Rounded up, so that what is added up is never less than the way.
        gone_[r] = (gone_[r] + cell.nearest(x - last.x).norm() + arm * turned) * (1.0 + 1e-15);
        near_[r] = gone_[r] + near;
        last = {x, axes};
    }

    /// The grains of candidate number k, of these ranks, were apart and cannot have come near enough to count.
    [[nodiscard]] bool are_apart(std::size_t k, std::size_t r, std::size_t other) const { return near_[r] + near_[other] < until_[k]; }

    /// The gap of these grains is at least so much, minus infinity where it is not known; `size` is that of either or larger.
    void note_gap(std::size_t k, std::size_t r, std::size_t other, double gap, double size) {
        constexpr double uncertain = 1e-6;   // tolerances of the narrow phase are below
        const double gone = gone_[r] + gone_[other];
        until_[k] = gone + (gap - uncertain * size) - 1e-14 * gone;
    }

    /// That of candidate number k; threads may use those of different candidates at the same time.
    [[nodiscard]] PairMemory<Dim>& operator[](std::size_t k) { return of_[k]; }
    /// Asks for the part of that of candidate number k which most pairs read.
    void fetch(std::size_t k) const {
        for (std::size_t line = 0; line < std::min<std::size_t>(sizeof(PairMemory<Dim>), 128); line += 64) __builtin_prefetch(reinterpret_cast<const char*>(&of_[k]) + line);
    }
    [[nodiscard]] std::size_t bytes() const;

private:
    static constexpr double never = -std::numeric_limits<double>::infinity();

    /// Where a grain was when it was last told of.
    struct Place {
        Vec<Dim> x;
        Mat<Dim> axes;
    };

    void find_known(const Bodies<Dim>& bodies, const CandidateList<Dim>& list);
    void take_along_pairs(const CandidateList<Dim>& list);
    void take_along_places(const Bodies<Dim>& bodies, const CandidateList<Dim>& list);
    void keep_known(const Bodies<Dim>& bodies, const CandidateList<Dim>& list);

    std::vector<PairMemory<Dim>> of_, before_;   ///< by candidate, of the list and of the one before
    std::vector<double> until_, until_before_;   ///< by candidate: the sum of `near_` below which the two are apart [m]
    std::vector<Place> place_, place_before_;    ///< by rank
    std::vector<double> gone_, gone_before_;     ///< by rank: the way of its farthest-moving point [m]
    std::vector<double> near_;                   ///< by rank: that, and from how near it counts [m]
    // the list that they belong to
    std::int64_t edition_ = -1;
    std::vector<BodyId> id_;                     ///< by body
    std::vector<std::uint8_t> wall_;             ///< by body
    std::vector<std::int32_t> rank_;             ///< by body
    std::vector<std::int32_t> begin_, other_;    ///< rows of candidates, by rank
    std::vector<std::int32_t> known_;            ///< scratch: rank in the list before by rank in this one, -1: was not there
};

}  // namespace talus
