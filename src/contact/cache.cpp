#include "contact/cache.h"

#include <algorithm>

namespace talus {
namespace {

/// The candidate for a pair of bodies, or null.
template <int Dim>
Candidate* find_candidate(CandidateList<Dim>& list, std::int32_t a, std::int32_t b) {
    const auto grains = static_cast<std::int32_t>(list.order.size());
    const std::int32_t low = std::min(list.rank[a], list.rank[b]), high = std::max(list.rank[a], list.rank[b]);
    if (low >= grains) return nullptr;
    const bool with_wall = high >= grains;
    auto& all = with_wall ? list.walls : list.grains;
    const auto& begin = with_wall ? list.wall_begin : list.grain_begin;
    const std::int32_t other = with_wall ? list.boundaries[high - grains] : high;
    const auto first = all.begin() + begin[low], last = all.begin() + begin[low + 1];
    const auto it = std::lower_bound(first, last, other, [](const Candidate& c, std::int32_t o) { return c.other < o; });
    return it != last && it->other == other ? &*it : nullptr;
}

template <int Dim>
void close_entry(ContactCache<Dim>& cache, std::int32_t e, const Bodies<Dim>& bodies) {
    cache.closed.push_back({bodies.id[cache.a[e]], bodies.id[cache.b[e]], cache.feature[e], cache.point[e],
                            cache.normal[e], cache.sum[e]});
}

}  // namespace

template <int Dim>
void ContactCache<Dim>::clear() {
    a.clear(); b.clear(); feature.clear(); normal.clear(); pn.clear(); pt.clear(); sum.clear(); point.clear();
    couple.clear(); bond.clear();
}

template <int Dim>
void link_cache(const ContactCache<Dim>& cache, CandidateList<Dim>& list, std::vector<std::int32_t>& lost) {
    for (std::size_t e = 0; e < cache.size(); ++e) {
        Candidate* c = find_candidate(list, cache.a[e], cache.b[e]);
        if (c == nullptr) { lost.push_back(static_cast<std::int32_t>(e)); continue; }
        if (c->cached_count == 0) c->cached = static_cast<std::int32_t>(e);
        ++c->cached_count;
    }
}

template <int Dim>
void close_sums(ContactCache<Dim>& cache, const std::vector<std::int32_t>& lost, const Bodies<Dim>& bodies) {
    if (!cache.keeps_sums) return;
    for (const std::int32_t e : lost) close_entry(cache, e, bodies);
}

template <int Dim>
void store(const std::vector<Touch<Dim>>& touches, const ContactMemory<Dim>& memory, ContactCache<Dim>& cache) {
    const std::size_t n = touches.size();
    const std::vector<Vec<Dim>>& impulses = memory.impulses;
    std::vector<Vec<Dim>> sum;
    if (cache.keeps_sums) {
        sum = impulses;
        for (std::size_t k = 0; k < n; ++k)
            if (touches[k].cached >= 0) sum[k] += cache.sum[touches[k].cached];
    }
    cache.a.resize(n); cache.b.resize(n); cache.feature.resize(n);
    cache.normal.resize(n); cache.pn.resize(n); cache.pt.resize(n);
    for (std::size_t k = 0; k < n; ++k) {
        const Touch<Dim>& t = touches[k];
        cache.a[k] = t.a;
        cache.b[k] = t.b;
        cache.feature[k] = t.feature;
        cache.normal[k] = t.normal;
        cache.pn[k] = impulses[k].dot(t.normal);
        cache.pt[k] = impulses[k] - cache.pn[k] * t.normal;
    }
    if (cache.keeps_sums) {
        cache.sum = std::move(sum);
        cache.point = memory.points;
    }
    cache.couple = memory.couples;
    cache.bond = memory.bonds;
}

template <int Dim>
void remap(ContactCache<Dim>& cache, const std::vector<std::int32_t>& new_index, const Bodies<Dim>& before) {
    std::size_t kept = 0;
    for (std::size_t e = 0; e < cache.size(); ++e) {
        const std::int32_t a = new_index[cache.a[e]], b = new_index[cache.b[e]];
        if (a < 0 || b < 0) {
            if (cache.keeps_sums) close_entry(cache, static_cast<std::int32_t>(e), before);
            continue;
        }
        cache.a[kept] = a;
        cache.b[kept] = b;
        cache.feature[kept] = cache.feature[e];
        cache.normal[kept] = cache.normal[e];
        cache.pn[kept] = cache.pn[e];
        cache.pt[kept] = cache.pt[e];
        if (cache.keeps_sums) { cache.sum[kept] = cache.sum[e]; cache.point[kept] = cache.point[e]; }
        if (!cache.couple.empty()) cache.couple[kept] = cache.couple[e];
        if (!cache.bond.empty()) cache.bond[kept] = cache.bond[e];
        ++kept;
    }
    cache.a.resize(kept); cache.b.resize(kept); cache.feature.resize(kept);
    cache.normal.resize(kept); cache.pn.resize(kept); cache.pt.resize(kept);
    if (cache.keeps_sums) { cache.sum.resize(kept); cache.point.resize(kept); }
    if (!cache.couple.empty()) cache.couple.resize(kept);
    if (!cache.bond.empty()) cache.bond.resize(kept);
}

#define TALUS_INSTANTIATE(Dim)                                                                                     \
    template struct ContactCache<Dim>;                                                                             \
    template void link_cache(const ContactCache<Dim>&, CandidateList<Dim>&, std::vector<std::int32_t>&);           \
    template void close_sums(ContactCache<Dim>&, const std::vector<std::int32_t>&, const Bodies<Dim>&);            \
    template void store(const std::vector<Touch<Dim>>&, const ContactMemory<Dim>&, ContactCache<Dim>&);            \
    template void remap(ContactCache<Dim>&, const std::vector<std::int32_t>&, const Bodies<Dim>&);
TALUS_INSTANTIATE(2)
TALUS_INSTANTIATE(3)
#undef TALUS_INSTANTIATE

}  // namespace talus
