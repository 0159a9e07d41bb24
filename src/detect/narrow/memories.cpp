#include "detect/narrow/memories.h"

#include <algorithm>

namespace talus {

template <int Dim>
void Memories<Dim>::find_known(const Bodies<Dim>& bodies, const CandidateList<Dim>& list) {
    known_.assign(list.order.size(), -1);
    // Ids increase from body to body, before as now.
    for (std::size_t i = 0, old = 0; i < bodies.size(); ++i) {
        while (old < id_.size() && id_[old] < bodies.id[i]) ++old;
        if (old == id_.size()) break;
        const auto rank = static_cast<std::size_t>(list.rank[i]), before = static_cast<std::size_t>(rank_[old]);
        const bool same = id_[old] == bodies.id[i] && (wall_[old] != 0) == bodies.is_wall(i);
        if (same && rank < known_.size() && before + 1 < begin_.size()) known_[rank] = rank_[old];
    }
}

template <int Dim>
void Memories<Dim>::keep_known(const Bodies<Dim>& bodies, const CandidateList<Dim>& list) {
    const std::size_t n = bodies.size();
    id_.assign(bodies.id.begin(), bodies.id.end());
    wall_.resize(n);
    for (std::size_t i = 0; i < n; ++i) wall_[i] = bodies.is_wall(i);
    rank_ = list.rank;
    begin_ = list.grain_begin;
    other_.resize(list.grains.size());
    for (std::size_t k = 0; k < other_.size(); ++k) other_[k] = list.grains[k].other;
}

template <int Dim>
void Memories<Dim>::take_along_pairs(const CandidateList<Dim>& list) {
    of_.swap(before_);
    of_.assign(list.grains.size(), {});
    until_.swap(until_before_);
    until_.assign(list.grains.size(), never);
    for (std::size_t r = 0; r < known_.size(); ++r) {
        if (known_[r] < 0) continue;
        for (std::int32_t c = list.grain_begin[r]; c < list.grain_begin[r + 1]; ++c) {
            const std::int32_t other = known_[list.grains[c].other];
            if (other < 0) continue;
            const auto [low, high] = std::minmax(known_[r], other);
            const auto first = other_.begin() + begin_[low], last = other_.begin() + begin_[low + 1];
            const auto it = std::find(first, last, high);   // rows are short
            if (it == last) continue;
            of_[c] = before_[it - other_.begin()];
            until_[c] = until_before_[it - other_.begin()];
        }
    }
}

template <int Dim>
void Memories<Dim>::take_along_places(const Bodies<Dim>& bodies, const CandidateList<Dim>& list) {
    const std::size_t n = known_.size();
    place_.swap(place_before_);
    gone_.swap(gone_before_);
    place_.resize(n);
    gone_.resize(n);
    near_.resize(n);
    for (std::size_t r = 0; r < n; ++r) {
        // Where others were does not matter, as nothing is remembered of their pairs: small ways are small sums.
        place_[r] = known_[r] < 0 ? Place{bodies.position[list.order[r]], Mat<Dim>::Identity()} : place_before_[known_[r]];
        gone_[r] = known_[r] < 0 ? 0.0 : gone_before_[known_[r]];
    }
}

template <int Dim>
bool Memories<Dim>::follow(const Bodies<Dim>& bodies, const CandidateList<Dim>& list) {
    if (knows(list)) return false;
    find_known(bodies, list);
    take_along_pairs(list);
    take_along_places(bodies, list);
    keep_known(bodies, list);
    edition_ = list.edition;
    return true;
}

template <int Dim>
std::size_t Memories<Dim>::bytes() const {
    return (of_.capacity() + before_.capacity()) * sizeof(PairMemory<Dim>) + id_.capacity() * sizeof(BodyId) + wall_.capacity() +
           (until_.capacity() + until_before_.capacity() + gone_.capacity() + gone_before_.capacity() + near_.capacity()) * sizeof(double) +
           (place_.capacity() + place_before_.capacity()) * sizeof(Place) +
           (rank_.capacity() + begin_.capacity() + other_.capacity() + known_.capacity()) * sizeof(std::int32_t);
}

template class Memories<2>;
template class Memories<3>;

}  // namespace talus
