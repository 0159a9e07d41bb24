#pragma once
/// \file
/// The memories of all pairs of grains in the candidate list, for lists in which some are not balls. When the list changes they go to where
/// their pairs are now; what the list does not hold is forgotten.

#include <vector>

#include "detect/broad/candidates.h"
#include "detect/narrow/pair_memory.h"

namespace talus {

template <int Dim>
class Memories {
public:
    /// Arranges the memories as the list is. Pairs are known by the ids of their bodies, whose shapes never change; where one has become a wall, or
    /// ceased to be, the roles of the two may have changed, and the memory is lost.
    void follow(const Bodies<Dim>& bodies, const CandidateList<Dim>& list);

    /// That of candidate number k; threads may use those of different candidates at the same time.
    [[nodiscard]] PairMemory<Dim>& operator[](std::size_t k) { return of_[k]; }
    [[nodiscard]] std::size_t bytes() const;

private:
    void keep_known(const Bodies<Dim>& bodies, const CandidateList<Dim>& list);
    void find_known(const Bodies<Dim>& bodies, const CandidateList<Dim>& list);

    std::vector<PairMemory<Dim>> of_, before_;   ///< by candidate, of the list and of the one before
    // the list that they belong to
    std::int64_t edition_ = -1;
    std::vector<BodyId> id_;                     ///< by body
    std::vector<std::uint8_t> wall_;             ///< by body
    std::vector<std::int32_t> rank_;             ///< by body
    std::vector<std::int32_t> begin_, other_;    ///< rows of candidates, by rank
    std::vector<std::int32_t> known_;            ///< scratch: rank in the list before by rank in this one, -1: was not there
};

}  // namespace talus
