#include "contact/cache.h"

#include <algorithm>

#include "math/snug.h"

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
    in_problem = false;
}

template <int Dim>
void ContactCache<Dim>::use_up() {
    clear();
    for (auto* vectors : {&normal, &pt}) std::vector<Vec<Dim>>().swap(*vectors);
    std::vector<double>().swap(pn);
}

template <int Dim>
LastContact<Dim> last_contact(const ContactCache<Dim>& cache, const ContactProblem<Dim>& last, std::size_t e) {
    if (!cache.in_problem) return {cache.normal[e], cache.pn[e], cache.pt[e]};
    const Vec<Dim> n = last.balls.normal(e), impulse = last.balls.pn(e) * n + to_world(last.balls.pt(e), n);
    const double pn = impulse.dot(n);
    return {n, pn, impulse - pn * n};
}

template <int Dim>
void spell_out(ContactCache<Dim>& cache, const ContactProblem<Dim>& last) {
    if (!cache.in_problem) return;
    const std::size_t n = cache.size();
    resize_snugly(cache.normal, n);
    resize_snugly(cache.pn, n);
    resize_snugly(cache.pt, n);
    for (std::size_t e = 0; e < n; ++e) {
        const LastContact<Dim> one = last_contact(cache, last, e);
        cache.normal[e] = one.normal;
        cache.pn[e] = one.pn;
        cache.pt[e] = one.pt;
    }
    cache.in_problem = false;
}

template <int Dim>
void link_cache(const ContactCache<Dim>& cache, const Threads& threads, CandidateList<Dim>& list, LostEntries& lost) {
    constexpr std::size_t chunk = 4096;
    const std::size_t n = cache.size();
    const auto goes_on = [&](std::size_t e) { return e > 0 && e < n && cache.a[e] == cache.a[e - 1] && cache.b[e] == cache.b[e - 1]; };
    const std::size_t chunks = (n + chunk - 1) / chunk;
    if (lost.parts.size() < chunks) lost.parts.resize(chunks);
    for (auto& part : lost.parts) part.clear();
    threads.for_chunks(n, chunk, [&](std::size_t begin, std::size_t end) {
        // The entries of a pair follow each other; they belong to the chunk of the first.
        std::size_t e = begin;
        while (e < end && goes_on(e)) ++e;
        if (e == end) return;
        for (; e < end || (e > begin && goes_on(e)); ++e) {
            Candidate* c = find_candidate(list, cache.a[e], cache.b[e]);
            if (c == nullptr) { lost.parts[begin / chunk].push_back(static_cast<std::int32_t>(e)); continue; }
            if (c->cached < 0) c->cached = static_cast<std::int32_t>(e);
        }
    });
    lost.all.clear();
    for (const auto& part : lost.parts) lost.all.insert(lost.all.end(), part.begin(), part.end());
}

template <int Dim>
void close_sums(ContactCache<Dim>& cache, const std::vector<std::int32_t>& lost, const Bodies<Dim>& bodies) {
    if (!cache.keeps_sums) return;
    for (const std::int32_t e : lost) close_entry(cache, e, bodies);
}

template <int Dim>
void resize(ContactCache<Dim>& cache, std::size_t n, bool in_problem) {
    cache.in_problem = in_problem;
    resize_snugly(cache.a, n);
    resize_snugly(cache.b, n);
    resize_snugly(cache.feature, n);
    const std::size_t stored = in_problem ? 0 : n;
    resize_snugly(cache.normal, stored);
    resize_snugly(cache.pn, stored);
    resize_snugly(cache.pt, stored);
    if (!cache.keeps_sums) return;
    resize_snugly(cache.next_sum, n);
    resize_snugly(cache.point, n);
}

template <int Dim>
void store(const Touch<Dim>& t, std::size_t k, const Vec<Dim>& impulse, const Vec<Dim>& counted, const Vec<Dim>& point,
           ContactCache<Dim>& cache) {
    cache.normal[k] = t.normal;
    cache.pn[k] = impulse.dot(t.normal);
    cache.pt[k] = impulse - cache.pn[k] * t.normal;
    if (!cache.keeps_sums) return;
    cache.next_sum[k] = counted;
    if (t.cached >= 0) cache.next_sum[k] += cache.sum[t.cached];
    cache.point[k] = point;
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

#define TALUS_INSTANTIATE(Dim)                                                                                   \
    template struct ContactCache<Dim>;                                                                           \
    template LastContact<Dim> last_contact(const ContactCache<Dim>&, const ContactProblem<Dim>&, std::size_t);   \
    template void spell_out(ContactCache<Dim>&, const ContactProblem<Dim>&);                                     \
    template void link_cache(const ContactCache<Dim>&, const Threads&, CandidateList<Dim>&, LostEntries&);       \
    template void close_sums(ContactCache<Dim>&, const std::vector<std::int32_t>&, const Bodies<Dim>&);          \
    template void resize(ContactCache<Dim>&, std::size_t, bool);                                                 \
    template void store(const Touch<Dim>&, std::size_t, const Vec<Dim>&, const Vec<Dim>&, const Vec<Dim>&,       \
                        ContactCache<Dim>&);                                                                     \
    template void remap(ContactCache<Dim>&, const std::vector<std::int32_t>&, const Bodies<Dim>&);
TALUS_INSTANTIATE(2)
TALUS_INSTANTIATE(3)
#undef TALUS_INSTANTIATE

}  // namespace talus
