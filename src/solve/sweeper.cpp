#include "solve/sweeper.h"

#include <cstring>

#include "contact/domains.h"
#include "math/snug.h"
#include "solve/block_fill.h"

namespace talus {
namespace {

/// What to use of that which may be asked for. \throws InputError where the machine lacks it.
Kernel available(Kernel kernel) {
    const bool has_avx2 = __builtin_cpu_supports("avx2"), has_fma = has_avx2 && __builtin_cpu_supports("fma");
    if (kernel == Kernel::automatic) return has_avx2 ? Kernel::avx2 : Kernel::scalar;
    if (kernel == Kernel::fused && !has_fma) throw InputError("this machine has no fused multiply-add; leave the solver's kernel to 'automatic'");
    if (kernel == Kernel::avx2 && !has_avx2) throw InputError("this machine has no AVX2; leave the solver's kernel to 'automatic'");
    return kernel;
}
template <int Dim>
const BallKernels<Dim>& ball_kernels(Kernel kernel) {
    return kernel == Kernel::scalar ? ball_kernels_scalar<Dim>() : kernel == Kernel::fused ? ball_kernels_fused<Dim>() : ball_kernels_avx2<Dim>();
}
template <int Dim>
const GeneralKernels<Dim>& general_kernels(Kernel kernel) {
    return kernel == Kernel::scalar ? general_kernels_scalar<Dim>() : kernel == Kernel::fused ? general_kernels_fused<Dim>() : general_kernels_avx2<Dim>();
}
/// The one of the four that fits.
template <class Kernels>
auto variant_of(const Kernels& kernels, bool momentum, bool measuring) {
    return momentum ? (measuring ? kernels.momentum_measuring : kernels.momentum) : (measuring ? kernels.plain_measuring : kernels.plain);
}

/// Groups in the order of their numbers: the inside of each domain, the pairs (d, d + 1), and the rest.
template <int Dim>
class Grouping {
public:
    explicit Grouping(const ContactProblem<Dim>& problem) : domain_(problem.domain), domains_(problem.domains) {}
    [[nodiscard]] std::size_t groups() const { return domains_ < 2 ? 1 : 2 * static_cast<std::size_t>(domains_) + 1; }

    [[nodiscard]] std::size_t of(std::int32_t line_a, std::int32_t line_b) const {
        if (domains_ < 2) return 0;
        int a = domain_[static_cast<std::size_t>(line_a)], b = domain_[static_cast<std::size_t>(line_b)];
        if (a == inert_domain) a = b;
        if (b == inert_domain) b = a;
        if (a < 0 || b < 0) return groups() - 1;
        if (a == b) return static_cast<std::size_t>(a);
        if ((a + 1) % domains_ == b) return static_cast<std::size_t>(domains_ + a);
        if ((b + 1) % domains_ == a) return static_cast<std::size_t>(domains_ + b);
        return groups() - 1;
    }

    /// Which part of the sweep a group belongs to, of four.
    [[nodiscard]] std::size_t part(std::size_t group) const {
        if (group + 1 == groups()) return domains_ < 2 ? 0 : 3;
        if (group < static_cast<std::size_t>(domains_)) return 0;
        return 1 + (group - static_cast<std::size_t>(domains_)) % 2;
    }

private:
    const std::vector<std::int16_t>& domain_;
    int domains_;
};

/// Contacts sorted by group, in their order within each; begins and ends are told through `set`. Chunks count how many
/// they have of each group, and then know where theirs go.
template <class Contact, class GroupOf, class Set>
void sort_by_group(const Threads& threads, const std::vector<Contact>& contacts, std::size_t groups, GroupOf&& group_of, Set&& set,
                   std::vector<std::uint32_t>& place, std::vector<std::uint32_t>& order) {
    constexpr std::size_t chunk = 2048;
    const std::size_t chunks = (contacts.size() + chunk - 1) / chunk;
    resize_snugly(order, contacts.size());
    place.assign(groups * chunks, 0);
    threads.for_chunks(contacts.size(), chunk, [&](std::size_t begin, std::size_t end) {
        std::uint32_t* count = place.data() + begin / chunk * groups;
        for (std::size_t k = begin; k < end; ++k) ++count[group_of(contacts[k].a, contacts[k].b)];
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
    threads.for_chunks(contacts.size(), chunk, [&](std::size_t begin, std::size_t end) {
        std::uint32_t* next = place.data() + begin / chunk * groups;
        for (std::size_t k = begin; k < end; ++k) order[next[group_of(contacts[k].a, contacts[k].b)]++] = static_cast<std::uint32_t>(k);
    });
}

double sum_of(const double (&x)[lanes]) {
    double sum = 0.0;
    for (const double s : x) sum += s;
    return sum;
}
double largest_of(const double (&x)[lanes]) { return *std::max_element(x, x + lanes); }

/// What the kernels measured, added to what was measured of links.
void add(const KernelSums& sums, SweepMeasure& to) {
    to.tally.add(sum_of(sums.error), largest_of(sums.worst), static_cast<std::int64_t>(sum_of(sums.working)));
    to.moreau = std::max(to.moreau, largest_of(sums.moreau));
}

}  // namespace

template <int Dim>
void Sweeper<Dim>::begin(const ContactProblem<Dim>& problem, Kernel kernel) {
    const Kernel used = available(kernel);
    ball_kernels_ = &ball_kernels<Dim>(used);
    general_kernels_ = &general_kernels<Dim>(used);
    find_moved(problem);
    arrange(problem);
    packer_.begin(problem.free_lines.size());
    pack(problem, problem.balls, balls_, 2);
    // Points of a manifold follow each other and share both bodies: two blocks apart, half the lanes would be empty.
    pack(problem, problem.generals, generals_, 1);
    before_link_.resize(problem.links.size());
}

/// Lines that contacts may move, in order: those of balls that are not held, and those that other contacts move.
template <int Dim>
void Sweeper<Dim>::find_moved(const ContactProblem<Dim>& problem) {
    is_moved_.resize(problem.free_lines.size());
    or_one(problem.threads).for_chunks(is_moved_.size(), 4096, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) is_moved_[i] = !is_inert(problem.free_lines[i]);
    });
    const auto mark = [&](const auto& contacts) {
        for (const auto& c : contacts) {
            if (!c.push_a.isZero(0.0) || !c.turn_a.isZero(0.0)) is_moved_[static_cast<std::size_t>(c.a)] = 1;
            if (!c.push_b.isZero(0.0) || !c.turn_b.isZero(0.0)) is_moved_[static_cast<std::size_t>(c.b)] = 1;
        }
    };
    mark(problem.generals);
    mark(problem.links);
    moved_.clear();
    for (std::size_t i = 0; i < is_moved_.size(); ++i)
        if (is_moved_[i] != 0) moved_.push_back(static_cast<std::uint32_t>(i));
}

template <int Dim>
void Sweeper<Dim>::arrange(const ContactProblem<Dim>& problem) {
    const Grouping<Dim> grouping(problem);
    const std::size_t n = grouping.groups();
    const auto sort = [&](const auto& contacts, Sorted& sorted) {
        sorted.of.resize(n);
        sort_by_group(or_one(problem.threads), contacts, n, [&](std::int32_t a, std::int32_t b) { return grouping.of(a, b); },
                      [&](std::size_t g, std::size_t begin, std::size_t end) { sorted.of[g] = {begin, end}; }, place_in_group_, sorted.order);
    };
    sort(problem.balls, balls_);
    sort(problem.generals, generals_);
    sort(problem.links, links_);
    groups_.resize(n);
    parts_.resize(4);
    for (Part& part : parts_) part.groups.clear();
    for (std::size_t g = 0; g < n; ++g)
        if (!balls_.of[g].empty() || !generals_.of[g].empty() || !links_.of[g].empty()) parts_[grouping.part(g)].groups.push_back(g);
}

template <int Dim>
template <class Contact, class Blocks>
void Sweeper<Dim>::pack(const ContactProblem<Dim>& problem, const std::vector<Contact>& contacts, Blocks& packed, std::int32_t distance) {
    const Threads& threads = or_one(problem.threads);
    const auto mobile = [&](std::int32_t line) { return is_moved_[static_cast<std::size_t>(line)] != 0 ? line : -1; };
    resize_snugly(packed.place, contacts.size());
    packing_.resize(groups_.size());
    for (const Part& part : parts_) {
        packer_.begin_part(contacts.size(), distance);
        threads.for_tasks(part.groups.size(), [&](std::size_t k) {
            const std::size_t g = part.groups[k];
            packing_[g].clear();
            for (std::size_t j = packed.of[g].begin; j < packed.of[g].end; ++j) {
                const auto& c = contacts[packed.order[j]];
                packed.place[packed.order[j]] = packer_.place(packing_[g], mobile(c.a), mobile(c.b));
            }
        });
    }
    std::size_t blocks = 0;
    packed.blocks_of.resize(groups_.size());
    for (const Part& part : parts_)
        for (const std::size_t g : part.groups) {
            packed.blocks_of[g].begin = blocks;
            packed.blocks_of[g].end = blocks += packing_[g].blocks();
        }
    resize_snugly(packed.blocks, blocks);
    resize_snugly(packed.before, blocks);
    resize_snugly(packed.impact, blocks * lanes);
    for (const Part& part : parts_) threads.for_tasks(part.groups.size(), [&](std::size_t k) { fill(contacts, part.groups[k], packed); });
}

template <int Dim>
template <class Contact, class Blocks>
void Sweeper<Dim>::fill(const std::vector<Contact>& contacts, std::size_t g, Blocks& packed) {
    const auto inert = static_cast<std::int32_t>(is_moved_.size() + g);
    const auto mobile = [&](std::int32_t line) { return is_moved_[static_cast<std::size_t>(line)] != 0 ? line : inert; };
    const Range& range = packed.blocks_of[g];
    if (!range.empty()) std::memset(static_cast<void*>(&packed.before[range.begin]), 0, (range.end - range.begin) * sizeof packed.before[0]);
    for (std::size_t k = range.begin; k < range.end; ++k) {
        const int filled = packing_[g].fill[k - range.begin];
        if (filled == lanes) continue;
        auto& block = packed.blocks[k];
        std::memset(static_cast<void*>(&block), 0, sizeof block);
        for (int l = filled; l < lanes; ++l) {
            block.a[l] = block.b[l] = inert;
            put_nothing(block, l);
            packed.impact[k * lanes + static_cast<std::size_t>(l)] = 0.0;
        }
    }
    for (std::size_t j = packed.of[g].begin; j < packed.of[g].end; ++j) {
        const auto& c = contacts[packed.order[j]];
        std::int32_t& place = packed.place[packed.order[j]];
        place += static_cast<std::int32_t>(range.begin * lanes);
        auto& block = packed.blocks[static_cast<std::size_t>(place) / lanes];
        put(c, block, place % lanes);
        packed.impact[static_cast<std::size_t>(place)] = c.impact;
        block.a[place % lanes] = mobile(c.a);
        block.b[place % lanes] = mobile(c.b);
    }
}

template <int Dim>
void Sweeper<Dim>::resume(const ContactProblem<Dim>& problem) {
    lines_.resize(problem.lines.size() + groups_.size());
    or_one(problem.threads).for_chunks(problem.lines.size(), 8192, [&](std::size_t begin, std::size_t end) {
        std::copy(problem.lines.begin() + static_cast<std::ptrdiff_t>(begin), problem.lines.begin() + static_cast<std::ptrdiff_t>(end),
                  lines_.begin() + static_cast<std::ptrdiff_t>(begin));
    });
    std::fill(lines_.begin() + static_cast<std::ptrdiff_t>(problem.lines.size()), lines_.end(), BodyLine<Dim>{});
}

template <int Dim>
void Sweeper<Dim>::publish(ContactProblem<Dim>& problem) const {
    const auto give = [&](const auto& packed, auto& contacts) {
        or_one(problem.threads).for_chunks(contacts.size(), 8192, [&](std::size_t begin, std::size_t end) {
            for (std::size_t k = begin; k < end; ++k)
                take(packed.blocks[static_cast<std::size_t>(packed.place[k]) / lanes], packed.place[k] % lanes, contacts[k]);
        });
    };
    give(balls_, problem.balls);
    give(generals_, problem.generals);
}

template <int Dim>
double Sweeper<Dim>::run(ContactProblem<Dim>& problem, const double* beta, SweepMeasure* measure) {
    const Threads& threads = or_one(problem.threads);
    const double v_ref = measure != nullptr ? measure->tally.reference() : 0.0;
    for (const Part& part : parts_)
        threads.for_tasks(part.groups.size(), [&](std::size_t k) {
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
    const Range balls = balls_.blocks_of[g], generals = generals_.blocks_of[g];
    double* lines = lines_.front().v.data();
    if (!balls.empty())
        variant_of(*ball_kernels_, momentum, measuring)({balls_.blocks.data(), balls_.before.data(), balls_.impact.data(), balls.begin, balls.end,
                                                         lines, momentum ? *beta : 0.0, v_ref}, group.sums);
    if (!generals.empty())
        variant_of(*general_kernels_, momentum, measuring)({generals_.blocks.data(), generals_.before.data(), generals_.impact.data(), generals.begin, generals.end,
                                                            lines, momentum ? *beta : 0.0, v_ref, &answer_lane<Dim>}, group.sums);
    group.energy = sum_of(group.sums.energy);
    for (std::size_t j = links_.of[g].begin; j < links_.of[g].end; ++j)
        group.energy += visit(problem.links[links_.order[j]], before_link_[links_.order[j]], beta, measuring ? &group.measure : nullptr);
    if (measuring) add(group.sums, group.measure);
}

/// \returns the energy of the change.
template <int Dim>
double Sweeper<Dim>::visit(LinkContact<Dim>& c, Rows& before, const double* beta, SweepMeasure* measure) {
    BodyLine<Dim>& a = lines_[static_cast<std::size_t>(c.a)];
    BodyLine<Dim>& b = lines_[static_cast<std::size_t>(c.b)];
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

template class Sweeper<2>;
template class Sweeper<3>;

}  // namespace talus
