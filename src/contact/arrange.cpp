#include "contact/arrange.h"

namespace talus {

template <int Dim>
void add_inert_lines(ContactProblem<Dim>& problem) {
    if (problem.first_inert >= 0) return;
    problem.first_inert = static_cast<std::int32_t>(problem.lines.size());
    const std::size_t groups = Grouping<Dim>(problem).groups();
    problem.lines.resize(problem.lines.size() + groups);
    problem.free_lines.resize(problem.free_lines.size() + groups);
}

/// What the contacts join, looked up once.
template <int Dim>
void Arranger<Dim>::note(const ContactProblem<Dim>& problem, std::size_t n, LinesOf lines) {
    const Grouping<Dim> grouping(problem);
    const auto mobile = [&](std::int32_t line) { return is_inert(problem.lines[static_cast<std::size_t>(line)]) ? -1 : line; };
    or_one(problem.threads).for_chunks(n, 2048, [&](std::size_t begin, std::size_t end) {
        for (std::size_t k = begin; k < end; ++k) {
            const LinePair pair = lines(k);
            mobile_[k] = {mobile(pair.a), mobile(pair.b)};
            group_[k] = static_cast<std::uint8_t>(grouping.of(pair.a, pair.b));
        }
    });
}

template <int Dim>
void Arranger<Dim>::arrange(ContactProblem<Dim>& problem, std::size_t n, LinesOf lines) {
    const Grouping<Dim> grouping(problem);
    const std::size_t groups = n > 0 ? grouping.groups() : 0;
    add_inert_lines(problem);
    std::tie(mobile_, order_, group_) = problem.by_body.template take_several<LinePair, std::uint32_t, std::uint8_t>(n);
    note(problem, n, lines);
    ranges_.resize(groups);
    sort_by_group(
        or_one(problem.threads), groups, [&](std::size_t k) { return group_[k]; },
        [&](std::size_t g, std::uint32_t first, std::uint32_t last) { ranges_[g] = {first, last}; }, counts_, order_);
    parts_.resize(Grouping<Dim>::parts);
    for (auto& part : parts_) part.clear();
    for (std::size_t g = 0; g < groups; ++g)
        if (ranges_[g].first != ranges_[g].last) parts_[grouping.part(g)].push_back(g);
    resize_snugly(problem.balls.places(), n);
    pack(problem);
    lay_out(problem);
}

template <int Dim>
void Arranger<Dim>::pack(ContactProblem<Dim>& problem) {
    packing_.resize(ranges_.size());
    packer_.begin(problem.lines.size());
    for (const auto& part : parts_) {
        packer_.begin_part(order_.size());
        or_one(problem.threads).for_tasks(part.size(), [&](std::size_t t) {
            const std::size_t g = part[t];
            packing_[g].clear();
            packing_[g].expect(ranges_[g].last - ranges_[g].first);
            for (std::size_t j = ranges_[g].first; j < ranges_[g].last; ++j) {
                const LinePair pair = mobile_[order_[j]];
                problem.balls.places()[order_[j]] = packer_.place(packing_[g], pair.a, pair.b);
            }
        });
    }
}

/// The blocks of the groups one after the other, and their lanes without a contact.
template <int Dim>
void Arranger<Dim>::lay_out(ContactProblem<Dim>& problem) {
    BallContacts<Dim>& balls = problem.balls;
    balls.groups().assign(ranges_.size(), {});
    std::size_t blocks = 0;
    for (const auto& part : parts_)
        for (const std::size_t g : part) balls.groups()[g] = {blocks, blocks + packing_[g].blocks()}, blocks += packing_[g].blocks();
    balls.resize_for(blocks);
    for (const auto& part : parts_)
        or_one(problem.threads).for_tasks(part.size(), [&](std::size_t t) {
            const std::size_t g = part[t], first = balls.groups()[g].first;
            for (std::size_t j = ranges_[g].first; j < ranges_[g].last; ++j)
                balls.places()[order_[j]] += static_cast<std::int32_t>(first * lanes);
            for (std::size_t b = 0; b < packing_[g].blocks(); ++b)
                if (packing_[g].fill[b] < lanes)
                    balls.clear_lanes(first + b, packing_[g].fill[b], problem.first_inert + static_cast<std::int32_t>(g));
        });
}

template <int Dim>
void Arranger<Dim>::arrange_present(ContactProblem<Dim>& problem) {
    std::vector<BallContact<Dim>> present;
    for (const BallContact<Dim> c : problem.balls) present.push_back(c);
    const auto lines = [&](std::size_t k) { return LinePair{present[k].a, present[k].b}; };
    arrange(problem, present.size(), LinesOf(lines));
    for (std::size_t k = 0; k < present.size(); ++k) {
        BallContact<Dim> c = present[k];
        const LinePair pair = placed(problem, k);
        c.a = pair.a;
        c.b = pair.b;
        problem.balls.set(k, c);
    }
}

template <int Dim>
std::size_t Arranger<Dim>::bytes() const {
    std::size_t sum = packer_.bytes() + counts_.capacity() * sizeof(counts_[0]);
    for (const auto& group : packing_) sum += group.bytes();
    return sum;
}

template void add_inert_lines(ContactProblem<2>&);
template void add_inert_lines(ContactProblem<3>&);
template class Arranger<2>;
template class Arranger<3>;

}  // namespace talus
