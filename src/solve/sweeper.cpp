#include "solve/sweeper.h"

#include <algorithm>
#include <array>
#include <cstring>

#include "contact/grouping.h"
#include "math/snug.h"
#include "solve/block_fill.h"
#include "solve/kernels.h"

namespace talus {
namespace {

/// The one of the four that fits.
template <class Kernels>
auto variant_of(const Kernels& kernels, bool momentum, bool measuring) {
    return momentum ? (measuring ? kernels.momentum_measuring : kernels.momentum) : (measuring ? kernels.plain_measuring : kernels.plain);
}

/// What the kernels measured, added to what was measured of links.
void add(const KernelSums& sums, SweepMeasure& to) {
    to.tally.add(sums);
    to.moreau = std::max(to.moreau, largest_of(sums.moreau));
}

}  // namespace

template <int Dim>
void Sweeper<Dim>::begin(ContactProblem<Dim>& problem, Kernel kernel) {
    const Kernel used = available(kernel);
    ball_kernels_ = &ball_kernels<Dim>(used);
    general_kernels_ = &general_kernels<Dim>(used);
    if (!problem.balls.empty() && problem.balls.groups().empty()) Arranger<Dim>().arrange_present(problem);
    add_inert_lines(problem);
    find_moved(problem);
    find_runs(problem);
    arrange(problem);
    pack(problem);
    forget_before(problem);
    before_link_.resize(problem.links.size());
}

/// Impulses of before the first sweep count with a momentum of zero, and must be numbers.
template <int Dim>
void Sweeper<Dim>::forget_before(ContactProblem<Dim>& problem) {
    ball_before_ = problem.by_contact.template take<BallBlockBefore<Dim>>(problem.balls.blocks().size());
    or_one(problem.threads).for_chunks(ball_before_.size(), 1024, [&](std::size_t begin, std::size_t end) {
        std::memset(static_cast<void*>(&ball_before_[begin]), 0, (end - begin) * sizeof ball_before_[0]);
    });
}

/// Lines that contacts may move: those of balls that are not held, and those that other contacts move.
template <int Dim>
void Sweeper<Dim>::find_moved(const ContactProblem<Dim>& problem) {
    is_moved_.resize(problem.lines.size());
    or_one(problem.threads).for_chunks(is_moved_.size(), 4096, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) is_moved_[i] = !is_inert(problem.lines[i]);
    });
    const auto mark = [&](const auto& contacts) {
        for (const auto& c : contacts) {
            if (!c.push_a.isZero(0.0) || !c.turn_a.isZero(0.0)) is_moved_[static_cast<std::size_t>(c.a)] = 1;
            if (!c.push_b.isZero(0.0) || !c.turn_b.isZero(0.0)) is_moved_[static_cast<std::size_t>(c.b)] = 1;
        }
    };
    mark(problem.generals);
    mark(problem.links);
}

/// Bodies lie along a curve in space, so that domains have few runs.
template <int Dim>
void Sweeper<Dim>::find_runs(const ContactProblem<Dim>& problem) {
    const auto domains = static_cast<std::size_t>(problem.domains);
    const auto place_of = [&](std::size_t i) {
        if (domains < 2) return std::size_t{0};
        return i < problem.domain.size() && problem.domain[i] >= 0 ? static_cast<std::size_t>(problem.domain[i]) : domains;
    };
    const auto for_each_run = [&](auto&& f) {
        for (std::size_t i = 0, n = is_moved_.size(); i < n;) {
            if (is_moved_[i] == 0) {
                ++i;
                continue;
            }
            const std::size_t begin = i, place = place_of(i);
            while (i < n && is_moved_[i] != 0 && place_of(i) == place) ++i;
            f(place, Run{static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(i)});
        }
    };
    runs_begin_.assign(domains + 2, 0);
    for_each_run([&](std::size_t place, const Run&) { ++runs_begin_[place + 1]; });
    for (std::size_t d = 0; d <= domains; ++d) runs_begin_[d + 1] += runs_begin_[d];
    resize_snugly(runs_, runs_begin_.back());
    std::array<std::size_t, most_domains + 1> next;
    std::copy(runs_begin_.begin(), runs_begin_.end() - 1, next.begin());
    for_each_run([&](std::size_t place, const Run& run) { runs_[next[place]++] = run; });
}

/// Velocities of a domain are extrapolated just before its contacts are swept, so that they come from memory once.
template <int Dim>
void Sweeper<Dim>::extrapolate(ContactProblem<Dim>& problem, std::size_t place, double beta) const {
    static_assert(sizeof(LineMotion<Dim>) == motion_stride<Dim> * sizeof(double));
    double *lines = problem.lines.front().v.data(), *before = problem.motions().front().v.data();
    for (std::size_t k = runs_begin_[place]; k < runs_begin_[place + 1]; ++k)
        ball_kernels_->extrapolate(lines, before, runs_[k].begin, runs_[k].end, beta);
}

template <int Dim>
bool Sweeper<Dim>::has_any(const ContactProblem<Dim>& problem, std::size_t g) const {
    return !balls_of(problem, g).empty() || !generals_.of[g].empty() || !links_.of[g].empty();
}

template <int Dim>
void Sweeper<Dim>::arrange(const ContactProblem<Dim>& problem) {
    const Grouping<Dim> grouping(problem);
    const std::size_t n = grouping.groups();
    const auto sort = [&](const auto& contacts, Sorted& sorted) {
        sorted.of.resize(n);
        resize_snugly(sorted.order, contacts.size());
        sort_by_group(
            or_one(problem.threads), n, [&](std::size_t k) { return grouping.of(contacts[k].a, contacts[k].b); },
            [&](std::size_t g, std::size_t begin, std::size_t end) { sorted.of[g] = {begin, end}; }, place_in_group_, sorted.order);
    };
    sort(problem.generals, generals_);
    sort(problem.links, links_);
    groups_.resize(n);
    parts_.resize(Grouping<Dim>::parts);
    for (Part& part : parts_) part.groups.clear();
    for (std::size_t g = 0; g < n; ++g)
        if (grouping.part(g) == 0 || has_any(problem, g)) parts_[grouping.part(g)].groups.push_back(g);
}

template <int Dim>
typename Sweeper<Dim>::Range Sweeper<Dim>::balls_of(const ContactProblem<Dim>& problem, std::size_t g) const {
    if (problem.balls.empty()) return {};
    return {problem.balls.groups()[g].first, problem.balls.groups()[g].last};
}

/// Points of a manifold follow each other and share both bodies: two blocks apart, as those of balls are, half the lanes would be empty.
template <int Dim>
void Sweeper<Dim>::pack(const ContactProblem<Dim>& problem) {
    const Threads& threads = or_one(problem.threads);
    const auto mobile = [&](std::int32_t line) { return is_moved_[static_cast<std::size_t>(line)] != 0 ? line : -1; };
    resize_snugly(generals_.place, problem.generals.size());
    packing_.resize(groups_.size());
    if (!problem.generals.empty()) packer_.begin(problem.lines.size());
    for (const Part& part : parts_) {
        packer_.begin_part(problem.generals.size(), {GeneralLocal<Dim>::side_by_side, 1});
        threads.for_tasks(part.groups.size(), [&](std::size_t k) {
            const std::size_t g = part.groups[k];
            packing_[g].clear();
            for (std::size_t j = generals_.of[g].begin; j < generals_.of[g].end; ++j) {
                const auto& c = problem.generals[generals_.order[j]];
                generals_.place[generals_.order[j]] = packer_.place(packing_[g], mobile(c.a), mobile(c.b));
            }
        });
    }
    std::size_t blocks = 0;
    generals_.blocks_of.assign(groups_.size(), {});
    for (const Part& part : parts_)
        for (const std::size_t g : part.groups) {
            generals_.blocks_of[g].begin = blocks;
            generals_.blocks_of[g].end = blocks += packing_[g].blocks();
        }
    resize_snugly(generals_.blocks, blocks);
    resize_snugly(generals_.before, blocks);
    resize_snugly(generals_.impact, blocks * lanes);
    for (const Part& part : parts_) threads.for_tasks(part.groups.size(), [&](std::size_t k) { fill(problem, part.groups[k]); });
}

template <int Dim>
void Sweeper<Dim>::fill(const ContactProblem<Dim>& problem, std::size_t g) {
    const auto inert = problem.first_inert + static_cast<std::int32_t>(g);
    const auto mobile = [&](std::int32_t line) { return is_moved_[static_cast<std::size_t>(line)] != 0 ? line : inert; };
    const Range& range = generals_.blocks_of[g];
    if (!range.empty()) std::memset(static_cast<void*>(&generals_.before[range.begin]), 0, (range.end - range.begin) * sizeof generals_.before[0]);
    for (std::size_t k = range.begin; k < range.end; ++k) {
        const int filled = packing_[g].fill[k - range.begin];
        if (filled == lanes) continue;
        GeneralBlock<Dim>& block = generals_.blocks[k];
        std::memset(static_cast<void*>(&block), 0, sizeof block);
        for (int l = filled; l < lanes; ++l) {
            block.a[l] = block.b[l] = inert;
            put_nothing(block, l);
            generals_.impact[k * lanes + static_cast<std::size_t>(l)] = 0.0;
        }
    }
    for (std::size_t j = generals_.of[g].begin; j < generals_.of[g].end; ++j) {
        const auto& c = problem.generals[generals_.order[j]];
        std::int32_t& place = generals_.place[generals_.order[j]];
        place += static_cast<std::int32_t>(range.begin * lanes);
        GeneralBlock<Dim>& block = generals_.blocks[static_cast<std::size_t>(place) / lanes];
        put(c, block, place % lanes);
        generals_.impact[static_cast<std::size_t>(place)] = c.impact;
        block.a[place % lanes] = mobile(c.a);
        block.b[place % lanes] = mobile(c.b);
    }
}

template <int Dim>
void Sweeper<Dim>::publish(ContactProblem<Dim>& problem) const {
    or_one(problem.threads).for_chunks(problem.generals.size(), 8192, [&](std::size_t begin, std::size_t end) {
        for (std::size_t k = begin; k < end; ++k)
            take(generals_.blocks[static_cast<std::size_t>(generals_.place[k]) / lanes], generals_.place[k] % lanes, problem.generals[k]);
    });
}

template <int Dim>
double Sweeper<Dim>::run(ContactProblem<Dim>& problem, const double* beta, SweepMeasure* measure) {
    const Threads& threads = or_one(problem.threads);
    const double v_ref = measure != nullptr ? measure->tally.reference() : 0.0;
    if (beta != nullptr) {
        static_cast<void>(problem.by_body.template take<LineMotion<Dim>>(problem.lines.size() + 1));   // of before the last sweep; kernels read on
        extrapolate(problem, static_cast<std::size_t>(problem.domains), *beta);
    }
    for (const Part& part : parts_)
        threads.for_tasks(part.groups.size(), [&](std::size_t k) {
            if (beta != nullptr && &part == &parts_[0]) extrapolate(problem, part.groups[k], *beta);
            run_group(problem, part.groups[k], beta, v_ref, measure != nullptr);
        });
    double energy = 0.0;
    for (const Part& part : parts_)
        for (const std::size_t g : part.groups) {
            energy += groups_[g].energy;
            if (measure != nullptr) measure->add(groups_[g].measure);
        }
    return energy;
}

template <int Dim>
void Sweeper<Dim>::run_group(ContactProblem<Dim>& problem, std::size_t g, const double* beta, double v_ref, bool measuring) {
    Group& group = groups_[g];
    group.sums = {};
    group.measure = {ErrorTally(v_ref)};
    const bool momentum = beta != nullptr;
    const Range balls = balls_of(problem, g), generals = generals_.blocks_of[g];
    double* lines = problem.lines.front().v.data();
    if (!balls.empty())
        variant_of(*ball_kernels_, momentum, measuring)({problem.balls.blocks().data(), momentum ? ball_before_.data() : nullptr, problem.balls.shifts(), problem.balls.impacts(), balls.begin, balls.end,
                                                         lines, momentum ? *beta : 0.0, v_ref}, group.sums);
    if (!generals.empty())
        variant_of(*general_kernels_, momentum, measuring)({generals_.blocks.data(), generals_.before.data(), generals_.impact.data(), generals.begin, generals.end,
                                                            lines, momentum ? *beta : 0.0, v_ref, &answer_lane<Dim>}, group.sums);
    group.energy = sum_of(group.sums.energy);
    for (std::size_t j = links_.of[g].begin; j < links_.of[g].end; ++j)
        group.energy += visit(problem.links[links_.order[j]], before_link_[links_.order[j]], problem.lines, beta, measuring ? &group.measure : nullptr);
    if (measuring) add(group.sums, group.measure);
}

/// \returns the energy of the change.
template <int Dim>
double Sweeper<Dim>::visit(LinkContact<Dim>& c, Rows& before, std::vector<BodyLine<Dim>>& lines, const double* beta, SweepMeasure* measure) {
    BodyLine<Dim>& a = lines[static_cast<std::size_t>(c.a)];
    BodyLine<Dim>& b = lines[static_cast<std::size_t>(c.b)];
    if (beta != nullptr) {
        const Rows now = c.S;
        if (*beta != 0.0) c.S += *beta * (now - before);
        before = now;
    }
    const Rows exact = solve_link(c, Rows(formal_velocity(c, a, b) - c.H * c.S));
    const Rows dS = exact - c.S;
    apply(c, dS, a, b);
    if (measure != nullptr) measure->add_block(c.H, dS, c.impact, !exact.isZero(0.0));
    c.S = exact;
    return beta != nullptr ? dS.dot(c.H * dS) : 0.0;
}

template <int Dim>
std::size_t Sweeper<Dim>::bytes() const {
    const auto of = [](const auto& array) { return array.capacity() * sizeof(array[0]); };
    std::size_t sum = of(place_in_group_) + of(before_link_) + of(kept_lines_) + of(is_moved_) + of(runs_) + of(links_.order) + packer_.bytes();
    sum += of(generals_.order) + of(generals_.place) + of(generals_.blocks) + of(generals_.before) + of(generals_.impact);
    for (const auto& group : packing_) sum += group.bytes();
    return sum;
}

template class Sweeper<2>;
template class Sweeper<3>;

}  // namespace talus
