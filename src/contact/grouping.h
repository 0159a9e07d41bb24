#pragma once
/// \file
/// Groups of contacts that threads can sweep, from the domains of their lines [domains.h].
///
/// In the order of their numbers: the inside of each domain, the pairs (d, d + 1), and the rest. A sweep has four parts: the insides, the
/// pairs with even d, those with odd d, and the rest; groups of one part share no body that moves.

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "contact/problem.h"
#include "math/snug.h"
#include "parallel/threads.h"

namespace talus {

template <int Dim>
class Grouping {
public:
    static constexpr std::size_t parts = 4;
    static constexpr std::size_t most_groups = 2 * most_domains + 1;

    explicit Grouping(const ContactProblem<Dim>& problem) : domain_(problem.domain), domains_(problem.domains) {}
    [[nodiscard]] std::size_t groups() const { return domains_ < 2 ? 1 : 2 * static_cast<std::size_t>(domains_) + 1; }

    [[nodiscard]] std::size_t of(std::int32_t line_a, std::int32_t line_b) const {
        if (domains_ < 2) return 0;
        int a = domain_of(line_a), b = domain_of(line_b);
        if (a == inert_domain) a = b;
        if (b == inert_domain) b = a;
        if (a < 0 || b < 0) return groups() - 1;
        if (a == b) return static_cast<std::size_t>(a);
        if ((a + 1) % domains_ == b) return static_cast<std::size_t>(domains_ + a);
        if ((b + 1) % domains_ == a) return static_cast<std::size_t>(domains_ + b);
        return groups() - 1;
    }

    /// Which part of the sweep a group belongs to.
    [[nodiscard]] std::size_t part(std::size_t group) const {
        if (group + 1 == groups()) return domains_ < 2 ? 0 : 3;
        if (group < static_cast<std::size_t>(domains_)) return 0;
        return 1 + (group - static_cast<std::size_t>(domains_)) % 2;
    }

private:
    /// Lines beyond the bodies are the ground of joints, and others that nothing moves.
    [[nodiscard]] int domain_of(std::int32_t line) const {
        return static_cast<std::size_t>(line) < domain_.size() ? domain_[static_cast<std::size_t>(line)] : inert_domain;
    }

    const std::vector<std::int16_t>& domain_;
    int domains_;
};

/// f(group, first, last) for the blocks of each group of ball contacts, groups of a part at the same time: they share no line that
/// moves. Contacts that have not been arranged are one group.
template <int Dim, class F>
void for_ball_groups(const ContactProblem<Dim>& problem, F&& f) {
    if (problem.balls.empty()) return;
    const auto& groups = problem.balls.groups();
    if (groups.empty()) return f(std::size_t{0}, std::size_t{0}, problem.balls.blocks().size());
    const Grouping<Dim> grouping(problem);
    for (std::size_t part = 0; part < Grouping<Dim>::parts; ++part) {
        std::array<std::size_t, Grouping<Dim>::most_groups> members;
        std::size_t count = 0;
        for (std::size_t g = 0; g < groups.size(); ++g)
            if (grouping.part(g) == part && groups[g].first != groups[g].last) members[count++] = g;
        or_one(problem.threads).for_tasks(count, [&](std::size_t t) { f(members[t], groups[members[t]].first, groups[members[t]].last); });
    }
}

/// Contacts, as many as `order` is long, sorted by group, in their order within each; begins and ends are told through `set`. Chunks
/// count how many they have of each group, and then know where theirs go.
template <class GroupOf, class Set>
void sort_by_group(const Threads& threads, std::size_t groups, GroupOf&& group_of, Set&& set, std::vector<std::uint32_t>& place,
                   std::span<std::uint32_t> order) {
    constexpr std::size_t chunk = 2048;
    const std::size_t n = order.size(), chunks = (n + chunk - 1) / chunk;
    place.assign(groups * chunks, 0);
    threads.for_chunks(n, chunk, [&](std::size_t begin, std::size_t end) {
        std::uint32_t* count = place.data() + begin / chunk * groups;
        for (std::size_t k = begin; k < end; ++k) ++count[group_of(k)];
    });
    std::uint32_t filled = 0;
    for (std::size_t g = 0; g < groups; ++g) {
        const std::uint32_t first = filled;
        for (std::size_t c = 0; c < chunks; ++c) {
            const std::uint32_t count = place[c * groups + g];
            place[c * groups + g] = filled;
            filled += count;
        }
        set(g, first, filled);
    }
    threads.for_chunks(n, chunk, [&](std::size_t begin, std::size_t end) {
        std::uint32_t* next = place.data() + begin / chunk * groups;
        for (std::size_t k = begin; k < end; ++k) order[next[group_of(k)]++] = static_cast<std::uint32_t>(k);
    });
}

}  // namespace talus
