#include "solve/sweeper.h"

#include <cstring>

#include "contact/domains.h"
#include "math/snug.h"

namespace talus {
namespace {

template <int Dim>
const BallKernels<Dim>& kernels_for(Kernel kernel) {
    const bool has_avx2 = __builtin_cpu_supports("avx2"), has_fma = has_avx2 && __builtin_cpu_supports("fma");
    if (kernel == Kernel::scalar || (kernel == Kernel::automatic && !has_avx2)) return ball_kernels_scalar<Dim>();
    if (kernel == Kernel::fused) {
        if (!has_fma) throw InputError("this machine has no fused multiply-add; leave the solver's kernel to 'automatic'");
        return ball_kernels_fused<Dim>();
    }
    if (!has_avx2) throw InputError("this machine has no AVX2; leave the solver's kernel to 'automatic'");
    return ball_kernels_avx2<Dim>();
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

/// A tangential vector as the plain numbers of a block.
inline void put(const Tangential<2>& t, double (&to)[1][lanes], int l) { to[0][l] = t.along; }
inline void put(const Tangential<3>& t, double (&to)[3][lanes], int l) {
    for (int i = 0; i < 3; ++i) to[i][l] = t.world[i];
}
inline void take(const double (&from)[1][lanes], int l, Tangential<2>& t) { t.along = from[0][l]; }
inline void take(const double (&from)[3][lanes], int l, Tangential<3>& t) { t.world = {from[0][l], from[1][l], from[2][l]}; }

double sum_of(const double (&x)[lanes]) {
    double sum = 0.0;
    for (const double s : x) sum += s;
    return sum;
}
double largest_of(const double (&x)[lanes]) { return *std::max_element(x, x + lanes); }

/// What the kernels measured of balls, added to what was measured of the others.
void add(const BallSums& sums, SweepMeasure& to) {
    to.tally.add(sum_of(sums.error), largest_of(sums.worst), static_cast<std::int64_t>(sum_of(sums.working)));
    to.moreau = std::max(to.moreau, largest_of(sums.moreau));
}

// The exact answer of a contact that is no ball contact, from its formal velocity.
template <int Dim>
Vec<Dim> answer(const GeneralContact<Dim>& c, const Vec<Dim>& V) { return solve_full_contact(c.H, V - c.H * c.S, c.mu, c.S); }
template <int Dim>
typename LinkContact<Dim>::Rows answer(const LinkContact<Dim>& c, const typename LinkContact<Dim>::Rows& V) {
    return solve_link(c, typename LinkContact<Dim>::Rows(V - c.H * c.S));
}

}  // namespace

template <int Dim>
void Sweeper<Dim>::begin(const ContactProblem<Dim>& problem, Kernel kernel) {
    kernels_ = &kernels_for<Dim>(kernel);
    arrange(problem);
    pack(problem);
    before_general_.resize(problem.generals.size());
    before_link_.resize(problem.links.size());
    find_moved(problem);
}

/// Lines that contacts may move, in order: those of balls that are not held, and those that other contacts move.
template <int Dim>
void Sweeper<Dim>::find_moved(const ContactProblem<Dim>& problem) {
    is_moved_.resize(problem.free_lines.size());
    or_one(problem.threads).for_chunks(is_moved_.size(), 4096, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) is_moved_[i] = !is_inert(problem.free_lines[i]);
    });
    const auto mark = [&](const auto& contacts) {
        for (const auto& c : contacts) is_moved_[static_cast<std::size_t>(c.a)] = is_moved_[static_cast<std::size_t>(c.b)] = 1;
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
    const Threads& threads = or_one(problem.threads);
    const auto group_of = [&](std::int32_t a, std::int32_t b) { return grouping.of(a, b); };
    groups_.resize(n);
    sort_by_group(threads, problem.balls, n, group_of, [&](std::size_t g, std::size_t b, std::size_t e) { groups_[g].balls = b; groups_[g].balls_end = e; }, place_in_group_, ball_order_);
    sort_by_group(threads, problem.generals, n, group_of, [&](std::size_t g, std::size_t b, std::size_t e) { groups_[g].generals = b; groups_[g].generals_end = e; }, place_in_group_, general_order_);
    sort_by_group(threads, problem.links, n, group_of, [&](std::size_t g, std::size_t b, std::size_t e) { groups_[g].links = b; groups_[g].links_end = e; }, place_in_group_, link_order_);
    parts_.resize(4);
    for (Part& part : parts_) part.groups.clear();
    for (std::size_t g = 0; g < n; ++g)
        if (!groups_[g].empty()) parts_[grouping.part(g)].groups.push_back(g);
}

template <int Dim>
void Sweeper<Dim>::pack(const ContactProblem<Dim>& problem) {
    const Threads& threads = or_one(problem.threads);
    const auto mobile = [&](std::int32_t line) { return is_inert(problem.free_lines[static_cast<std::size_t>(line)]) ? -1 : line; };
    resize_snugly(place_, problem.balls.size());
    packing_.resize(groups_.size());
    packer_.begin(problem.free_lines.size());
    for (const Part& part : parts_) {
        packer_.begin_part(problem.balls.size());
        threads.for_tasks(part.groups.size(), [&](std::size_t k) {
            BlockPacker::Group& packing = packing_[part.groups[k]];
            packing.clear();
            const Group& group = groups_[part.groups[k]];
            for (std::size_t j = group.balls; j < group.balls_end; ++j) {
                const auto& c = problem.balls[ball_order_[j]];
                place_[ball_order_[j]] = packer_.place(packing, mobile(c.a), mobile(c.b));
            }
        });
    }
    std::size_t blocks = 0;
    for (const Part& part : parts_)
        for (const std::size_t g : part.groups) {
            groups_[g].blocks = blocks;
            groups_[g].blocks_end = blocks += packing_[g].blocks();
        }
    resize_snugly(blocks_, blocks);
    resize_snugly(before_, blocks);
    resize_snugly(impact_, blocks * lanes);
    for (const Part& part : parts_) threads.for_tasks(part.groups.size(), [&](std::size_t k) { fill(problem, groups_[part.groups[k]]); });
}

template <int Dim>
void Sweeper<Dim>::fill(const ContactProblem<Dim>& problem, const Group& group) {
    const std::size_t g = static_cast<std::size_t>(&group - groups_.data());
    const auto inert = static_cast<std::int32_t>(problem.free_lines.size() + g);
    const std::size_t count = group.blocks_end - group.blocks;
    for (std::size_t k = 0; k < count; ++k) {
        const std::uint8_t filled = packing_[g].fill[k];
        if (filled == lanes) continue;
        BallBlock<Dim>& block = blocks_[group.blocks + k];
        std::memset(static_cast<void*>(&block), 0, sizeof block);
        for (int l = filled; l < lanes; ++l) {
            block.a[l] = block.b[l] = inert;
            impact_[(group.blocks + k) * lanes + static_cast<std::size_t>(l)] = 0.0;
        }
    }
    for (std::size_t j = group.balls; j < group.balls_end; ++j) {
        const auto& c = problem.balls[ball_order_[j]];
        const std::size_t at = group.blocks * lanes + static_cast<std::size_t>(place_[ball_order_[j]]);
        place_[ball_order_[j]] = static_cast<std::int32_t>(at);
        BallBlock<Dim>& block = blocks_[at / lanes];
        const int l = static_cast<int>(at % lanes);
        for (int i = 0; i < Dim; ++i) block.n[i][l] = c.n[i];
        block.cn[l] = c.cn;
        put(c.ct, block.ct, l);
        block.inv_wn[l] = c.inv_wn;
        block.inv_wt[l] = c.inv_wt;
        block.mu[l] = c.mu;
        block.wn[l] = 1.0 / c.inv_wn;
        block.pn[l] = c.pn;
        put(c.pt, block.pt, l);
        block.a[l] = is_inert(problem.free_lines[static_cast<std::size_t>(c.a)]) ? inert : c.a;
        block.b[l] = is_inert(problem.free_lines[static_cast<std::size_t>(c.b)]) ? inert : c.b;
        impact_[at] = c.impact;
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
    or_one(problem.threads).for_chunks(problem.balls.size(), 8192, [&](std::size_t begin, std::size_t end) {
        for (std::size_t k = begin; k < end; ++k) {
            const BallBlock<Dim>& block = blocks_[static_cast<std::size_t>(place_[k]) / lanes];
            const int l = place_[k] % lanes;
            problem.balls[k].pn = block.pn[l];
            take(block.pt, l, problem.balls[k].pt);
        }
    });
}

template <int Dim>
double Sweeper<Dim>::run(ContactProblem<Dim>& problem, const double* beta, SweepMeasure* measure) {
    const Threads& threads = or_one(problem.threads);
    const double v_ref = measure != nullptr ? measure->tally.reference() : 0.0;
    for (const Part& part : parts_)
        threads.for_tasks(part.groups.size(), [&](std::size_t k) {
            run_group(problem, groups_[part.groups[k]], beta, v_ref, measure != nullptr);
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
void Sweeper<Dim>::run_group(ContactProblem<Dim>& problem, Group& group, const double* beta, double v_ref, bool measuring) {
    group.sums = {};
    group.measure = {ErrorTally(v_ref)};
    SweepMeasure* measure = measuring ? &group.measure : nullptr;
    const BallSweep<Dim> job{blocks_.data(), before_.data(), impact_.data(), group.blocks, group.blocks_end,
                             lines_.front().v.data(), beta != nullptr ? *beta : 0.0, v_ref};
    const BallKernel<Dim> kernel = beta != nullptr ? (measuring ? kernels_->momentum_measuring : kernels_->momentum)
                                                   : (measuring ? kernels_->plain_measuring : kernels_->plain);
    if (group.blocks != group.blocks_end) kernel(job, group.sums);
    group.energy = sum_of(group.sums.energy);
    for (std::size_t j = group.generals; j < group.generals_end; ++j)
        group.energy += visit(problem.generals[general_order_[j]], before_general_[general_order_[j]], beta, measure);
    for (std::size_t j = group.links; j < group.links_end; ++j)
        group.energy += visit(problem.links[link_order_[j]], before_link_[link_order_[j]], beta, measure);
    if (measuring) add(group.sums, group.measure);
}

/// \returns the energy of the change.
template <int Dim>
template <class Contact, class Impulse>
double Sweeper<Dim>::visit(Contact& c, Impulse& before, const double* beta, SweepMeasure* measure) {
    BodyLine<Dim>& a = lines_[static_cast<std::size_t>(c.a)];
    BodyLine<Dim>& b = lines_[static_cast<std::size_t>(c.b)];
    if (beta != nullptr) {
        const Impulse now = c.S;
        if (*beta != 0.0) c.S += *beta * (now - before);
        before = now;
    }
    const Impulse exact = answer(c, formal_velocity(c, a, b));
    const Impulse dS = exact - c.S;
    apply(c, dS, a, b);
    if (measure != nullptr) measure->add_block(c.H, dS, c.impact, !exact.isZero(0.0));
    c.S = exact;
    return beta != nullptr ? dS.dot(c.H * dS) : 0.0;
}

template class Sweeper<2>;
template class Sweeper<3>;

}  // namespace talus
