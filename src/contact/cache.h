#pragma once
/// \file
/// Contact history: the impulses of the last step by persistent key (the two bodies and the feature),
/// from which the next solve starts, and optional sums over many steps.
///
/// Where all contacts are between balls, which may be millions, their normals and impulses stay where the solver left them until the next
/// problem takes their place; who needs them for longer spells them out.

#include <cstdint>
#include <vector>

#include "contact/problem.h"
#include "detect/narrow/touch.h"
#include "talus/world.h"

namespace talus {

template <int Dim>
struct ContactCache {
    // parallel arrays, in the order of the last step's contacts
    std::vector<std::int32_t> a, b;          ///< body indices
    std::vector<std::uint32_t> feature;
    bool in_problem = false;                 ///< the next three are empty: the problem of the last step has them, in the same order
    std::vector<Vec<Dim>> normal;
    std::vector<double> pn;                  ///< [N s]
    std::vector<Vec<Dim>> pt;                ///< world axes [N s]
    std::vector<Spin<Dim>> couple;           ///< world axes [N m s]; empty when no contact passes couples
    std::vector<BondState> bond;             ///< empty without cohesion
    // only while sums are kept
    std::vector<Vec<Dim>> sum, point;
    std::vector<Vec<Dim>> next_sum;          ///< scratch of `store`
    std::vector<ContactSum<Dim>> closed;     ///< sums of contacts that are no more
    bool keeps_sums = false;

    [[nodiscard]] std::size_t size() const { return a.size(); }
    void clear();
    /// The problem that held the history goes; so does memory for it that was not needed.
    void use_up();
};

/// What a contact of the last step leaves to the next.
template <int Dim>
struct LastContact {
    Vec<Dim> normal;
    double pn;       ///< [N s]
    Vec<Dim> pt;     ///< world axes [N s]
};

/// Entry e; `last` is the problem of the last step.
template <int Dim>
[[nodiscard]] LastContact<Dim> last_contact(const ContactCache<Dim>& cache, const ContactProblem<Dim>& last, std::size_t e);

/// From now on the history needs no problem.
template <int Dim>
void spell_out(ContactCache<Dim>& cache, const ContactProblem<Dim>& last);

/// Cache entries that a new list has no candidate for.
struct LostEntries {
    std::vector<std::int32_t> all;                     ///< increasing
    std::vector<std::vector<std::int32_t>> parts;      ///< as threads find them
};

/// Points the candidates of a new list at the cached contacts.
template <int Dim>
void link_cache(const ContactCache<Dim>& cache, const Threads& threads, CandidateList<Dim>& list, LostEntries& lost);

/// Moves sums of lost contacts to `closed`.
template <int Dim>
void close_sums(ContactCache<Dim>& cache, const std::vector<std::int32_t>& lost, const Bodies<Dim>& bodies);

/// Sizes the arrays for `n` contacts, which are stored or stay in the problem.
template <int Dim>
void resize(ContactCache<Dim>& cache, std::size_t n, bool in_problem);

/// Who contact k of this step is. What follows is not there for those that stay in the problem. Contacts may be noted and stored at the same time.
template <int Dim>
inline void note(const Touch<Dim>& t, std::size_t k, ContactCache<Dim>& cache) {
    cache.a[k] = t.a;
    cache.b[k] = t.b;
    cache.feature[k] = t.feature;
}
/// Puts contact k of this step in place k; the sums of its predecessor go on, with `counted` added.
template <int Dim>
void store(const Touch<Dim>& t, std::size_t k, const Vec<Dim>& impulse, const Vec<Dim>& counted, const Vec<Dim>& point, ContactCache<Dim>& cache);

/// After bodies were removed: entries of vanished bodies go, indices are renewed.
/// `new_index` has -1 for removed bodies.
template <int Dim>
void remap(ContactCache<Dim>& cache, const std::vector<std::int32_t>& new_index, const Bodies<Dim>& before);

}  // namespace talus
