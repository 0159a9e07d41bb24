#include "detect/broad/patch.h"

#include <algorithm>

#include "detect/broad/curve.h"
#include "math/rotation.h"

namespace talus {
namespace {

constexpr std::size_t most_patched = 64;
constexpr std::size_t most_looked_at = std::size_t{1} << 21;   ///< bodies, for all that are patched together
constexpr std::int64_t least_between_lists = 256;              ///< patches, however few bodies there are
constexpr double soon = 0.5;   ///< part of its margin after which a grain is patched along with others

/// Rows of a list, of grains or of walls, rewritten: what `is_stale(row, candidate)` says goes, `added` (sorted) comes.
/// Cache links of pairs that go and come again are kept, those of others are lost.
template <class IsStale>
void rewrite(std::vector<std::int32_t>& begin, std::vector<Candidate>& all, IsStale&& is_stale, const std::vector<NewPair>& added,
             const CachedPairs& cached, std::vector<Candidate>& scratch, std::vector<std::int32_t>& lost) {
    scratch.clear();
    auto next = added.begin();
    const std::size_t rows = begin.size() - 1;
    for (std::size_t r = 0; r < rows; ++r) {
        const std::int32_t first = begin[r], last = begin[r + 1];
        begin[r] = static_cast<std::int32_t>(scratch.size());
        for (std::int32_t c = first; c < last; ++c) {
            const Candidate& old = all[c];
            const auto row = static_cast<std::int32_t>(r);
            for (; next != added.end() && next->row == row && next->candidate.other < old.other; ++next) scratch.push_back(next->candidate);
            const bool again = next != added.end() && next->row == row && next->candidate.other == old.other;
            if (again || !is_stale(row, old)) {
                scratch.push_back(old);
                if (again) ++next;
                continue;
            }
            for (std::int32_t e = old.cached; e < cached.end_of(old.cached); ++e) lost.push_back(e);
        }
        for (; next != added.end() && next->row == static_cast<std::int32_t>(r); ++next) scratch.push_back(next->candidate);
    }
    begin[rows] = static_cast<std::int32_t>(scratch.size());
    all.swap(scratch);
}

/// Gives new bodies their places at the end of the list.
template <int Dim>
void enter_new(const CandidateInput<Dim>& in, const Placement<Dim>& at, const std::vector<std::int32_t>& few, CandidateList<Dim>& list) {
    const std::size_t known = list.built_position.size();
    for (const std::int32_t i : few)
        if (static_cast<std::size_t>(i) >= known) list.order.push_back(i);
    list.built_position.insert(list.built_position.end(), at.position.begin() + static_cast<std::ptrdiff_t>(known), at.position.end());
    list.margin.resize(at.position.size());
    list.grain_begin.resize(list.order.size() + 1, list.grain_begin.back());
    list.wall_begin.resize(list.order.size() + 1, list.wall_begin.back());
    number_ranks(in, list);
}

/// Pairs of the grains that are patched with all others, each once, found in ranges of ranks that threads share.
template <int Dim>
void find_pairs(const CandidateInput<Dim>& in, const CandidateList<Dim>& list, PatchWork<Dim>& work) {
    constexpr std::size_t chunk = 4096;
    const std::size_t n = list.order.size();
    auto& parts = work.parts;
    parts.resize((n + chunk - 1) / chunk);
    in.threads.for_chunks(n, chunk, [&](std::size_t begin, std::size_t end) {
        std::vector<NewPair>& found = parts[begin / chunk];
        found.clear();
        for (std::size_t k = begin; k < end; ++k) {
            const std::int32_t j = list.order[k];
            const Vec<Dim> x = list.built_position[j];
            const double reach = search_radius(in.bodies, list, j);
            for (const std::int32_t i : work.few) {
                if (j == i || (work.is_patched[k] && j < i)) continue;
                const double range = search_radius(in.bodies, list, i) + reach;
                if (in.cell.nearest(list.built_position[i] - x).squaredNorm() > range * range || !can_touch(in.bodies, list, i, j)) continue;
                const auto other = static_cast<std::int32_t>(k), rank = list.rank[i];
                found.push_back({std::min(rank, other), {std::max(rank, other), -1}});
            }
        }
    });
    work.grains.clear();
    for (const auto& found : parts) work.grains.insert(work.grains.end(), found.begin(), found.end());
    std::sort(work.grains.begin(), work.grains.end());
}

/// A boundary has turned since the list is new, and the grain lies farther from it than those that this was judged by.
template <int Dim>
bool lies_beyond_reach(const CandidateInput<Dim>& in, const Placement<Dim>& at, const CandidateList<Dim>& list, std::size_t i) {
    for (std::size_t k = 0; k < list.boundaries.size(); ++k) {
        const std::int32_t b = list.boundaries[k];
        if (matrix_of<Dim>(at.rotation[b]) == matrix_of<Dim>(list.built_rotation[k])) continue;
        if ((at.position[i] - at.position[b]).norm() + in.bodies.radius[i] > list.reach[k]) return true;
    }
    return false;
}

/// Grains of the list that have used up a part of their margins. \returns false when they are more than `most`.
template <int Dim>
bool find_moved(const CandidateInput<Dim>& in, const Placement<Dim>& at, const CandidateList<Dim>& list, double part, std::size_t most,
                std::vector<std::int32_t>& moved) {
    moved.clear();
    for (std::size_t i = 0; i < list.built_position.size(); ++i) {
        if (in.bodies.is_boundary(i) || !has_left_margin(in, at, list, i, part)) continue;
        if (moved.size() == most) return false;
        moved.push_back(static_cast<std::int32_t>(i));
    }
    return true;
}

}  // namespace

template <int Dim>
bool find_few_to_patch(const CandidateInput<Dim>& in, const Placement<Dim>& at, const CandidateList<Dim>& list,
                       std::vector<std::int32_t>& few) {
    const std::size_t known = list.built_position.size(), n = at.position.size();
    if (!list.valid || known > n || list.order.empty() || !list.ahead.empty()) return false;
    const std::size_t most = std::min(most_patched, most_looked_at / n);
    for (std::size_t i = known; i < n; ++i)
        if (in.bodies.is_boundary(i) || lies_beyond_reach(in, at, list, i)) return false;
    if (n - known > most || list.patched > least_between_lists + static_cast<std::int64_t>(n / 8)) return false;
    if (!find_moved(in, at, list, soon, most - (n - known), few) && !find_moved(in, at, list, 1.0, most - (n - known), few)) return false;
    for (std::size_t i = known; i < n; ++i) few.push_back(static_cast<std::int32_t>(i));
    return true;
}

template <int Dim>
void patch_candidates(const CandidateInput<Dim>& in, const Placement<Dim>& at, const Pace<Dim>& pace, const CachedPairs& cached,
                      PatchWork<Dim>& work, CandidateList<Dim>& list, std::vector<std::int32_t>& lost) {
    enter_new(in, at, work.few, list);
    auto& is_patched = work.is_patched;
    is_patched.assign(list.order.size(), 0);
    for (const std::int32_t i : work.few) {
        is_patched[list.rank[i]] = 1;
        list.built_position[i] = at.position[i];
        choose_margin(in, at, pace, i, list);
    }
    find_pairs(in, list, work);
    work.walls.clear();
    work.boundaries.set(in, list);
    for (const std::int32_t i : work.few)
        work.boundaries.for_each(in, list, i, [&](std::int32_t b) { work.walls.push_back({list.rank[i], {b, -1}}); });
    std::sort(work.walls.begin(), work.walls.end());
    rewrite(list.grain_begin, list.grains, [&](std::int32_t r, const Candidate& c) { return is_patched[r] || is_patched[c.other]; },
            work.grains, cached, work.grain_rows, lost);
    ++list.edition;
    rewrite(list.wall_begin, list.walls, [&](std::int32_t r, const Candidate&) { return is_patched[r] != 0; }, work.walls, cached,
            work.wall_rows, lost);
    list.patched += static_cast<std::int64_t>(work.few.size());
}

#define TALUS_INSTANTIATE(Dim)                                                                                            \
    template bool find_few_to_patch(const CandidateInput<Dim>&, const Placement<Dim>&, const CandidateList<Dim>&,         \
                                    std::vector<std::int32_t>&);                                                          \
    template void patch_candidates(const CandidateInput<Dim>&, const Placement<Dim>&, const Pace<Dim>&,                   \
                                   const CachedPairs&, PatchWork<Dim>&, CandidateList<Dim>&, std::vector<std::int32_t>&);
TALUS_INSTANTIATE(2)
TALUS_INSTANTIATE(3)
#undef TALUS_INSTANTIATE

}  // namespace talus
