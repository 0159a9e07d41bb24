#include "solve/residual.h"

#include <algorithm>

#include "laws/link.h"
#include "laws/local.h"
#include "parallel/threads.h"
#include "solve/kernels.h"

namespace talus {

double sum_of(const double (&x)[lanes]) {
    double sum = 0.0;
    for (const double s : x) sum += s;
    return sum;
}
double largest_of(const double (&x)[lanes]) { return *std::max_element(x, x + lanes); }

namespace {

/// One contact as the errors of other codes see it, along (n, t...).
template <int Dim>
struct SeenContact {
    Vec<Dim> q, u, r;
    double mu;
};

template <int Dim>
Vec<Dim> framed(const BallContact<Dim>& c, const FormalVelocity<Dim>& V) {
    return frame_of<Dim>(c.n) * Vec<Dim>(V.n * c.n + to_world(V.t, c.n));
}

template <int Dim, class See>
void for_each_contact(const ContactProblem<Dim>& problem, See&& see) {
    const auto &lines = problem.lines, &free = problem.free_lines;
    for (const BallContact<Dim> c : problem.balls)
        see(SeenContact<Dim>{framed(c, formal_velocity(c, free[c.a], free[c.b])),
                             framed(c, formal_velocity(c, lines[c.a], lines[c.b])), framed(c, {c.pn, c.pt}), c.mu});
    for (const auto& c : problem.generals)
        see(SeenContact<Dim>{formal_velocity(c, free[c.a], free[c.b]), formal_velocity(c, lines[c.a], lines[c.b]), c.S, c.mu});
}

template <int Dim, class See>
void for_each_contact(const MatrixProblem<Dim>& problem, See&& see) {
    for (std::size_t k = 0; k < problem.contacts(); ++k)
        see(SeenContact<Dim>{problem.q[k], problem.u[k], problem.r[k], problem.mu[k]});
}

template <int Dim, class Problem>
NaturalError natural_error_of(const Problem& problem) {
    double e = 0.0, q = 0.0, r = 0.0, u = 0.0;
    for_each_contact(problem, [&](const SeenContact<Dim>& c) {
        Vec<Dim> z = c.r - c.u;
        z[0] -= c.mu * c.u.template tail<Dim - 1>().norm();
        e += (c.r - project_on_cone<Dim>(z, c.mu)).squaredNorm();
        q += c.q.squaredNorm();
        r += c.r.squaredNorm();
        u += c.u.squaredNorm();
    });
    const double size = std::sqrt(std::max({q, r, u}));
    return {std::sqrt(e), size > 0.0 ? std::sqrt(e) / size : std::sqrt(e)};
}

template <int Dim, class Problem>
BipotentialGap bipotential_gap_of(const Problem& problem) {
    BipotentialGap gap;
    double size = 0.0;
    for_each_contact(problem, [&](const SeenContact<Dim>& c) {
        const Vec<Dim> r = project_on_cone<Dim>(c.r, c.mu);
        Vec<Dim> u = c.u;
        u[0] = std::max(0.0, u[0]);
        gap.absolute += u.dot(r) + c.mu * u.template tail<Dim - 1>().norm() * r[0];
        gap.moved_r = std::max(gap.moved_r, (r - c.r).norm());
        gap.moved_u = std::max(gap.moved_u, u[0] - c.u[0]);
        size += c.u.norm() * c.r.norm();
    });
    gap.relative = size > 0.0 ? gap.absolute / size : 0.0;
    return gap;
}

template <int Dim>
void add(const GeneralContact<Dim>& c, const BodyLine<Dim>& a, const BodyLine<Dim>& b, ErrorTally& tally) {
    const Vec<Dim> exact = solve_full_contact(c.H, formal_velocity(c, a, b) - c.H * c.S, c.mu, c.S);
    tally.add((c.H * (exact - c.S)).norm(), c.impact, !c.S.isZero(0.0));
}
template <int Dim>
void add(const LinkContact<Dim>& c, const BodyLine<Dim>& a, const BodyLine<Dim>& b, ErrorTally& tally) {
    const typename LinkContact<Dim>::Rows without = formal_velocity(c, a, b) - c.H * c.S;
    tally.add((c.H * (solve_link(c, without) - c.S)).norm(), c.impact, !c.S.isZero(0.0));
}

/// Adds [0, n), of which `add_range(begin, end, tally)` adds some, in chunks that threads share.
template <class AddRange>
void tally_of(const Threads& threads, std::size_t n, AddRange&& add_range, ErrorTally& tally) {
    constexpr std::size_t chunk = 512;
    tally = threads.reduce(
        n, chunk, tally,
        [&](std::size_t begin, std::size_t end) {
            ErrorTally part(tally.reference());
            add_range(begin, end, part);
            return part;
        },
        [](ErrorTally sum, const ErrorTally& t) {
            sum.add(t);
            return sum;
        });
}
template <int Dim, class Contact>
void tally_of(const ContactProblem<Dim>& problem, const std::vector<Contact>& contacts, ErrorTally& tally) {
    tally_of(or_one(problem.threads), contacts.size(), [&](std::size_t begin, std::size_t end, ErrorTally& part) {
        for (std::size_t k = begin; k < end; ++k) {
            const Contact& c = contacts[k];
            add(c, problem.lines[static_cast<std::size_t>(c.a)], problem.lines[static_cast<std::size_t>(c.b)], part);
        }
    }, tally);
}
/// Ball contacts, block by block. Whatever kernel sweeps, the judge rounds in one way.
template <int Dim>
void tally_of(ContactProblem<Dim>& problem, BallContacts<Dim>& balls, ErrorTally& tally) {
    const auto look = ball_kernels<Dim>(available(Kernel::automatic)).look;
    tally_of(or_one(problem.threads), balls.blocks().size(), [&](std::size_t begin, std::size_t end, ErrorTally& part) {
        KernelSums sums;
        look({balls.blocks().data(), nullptr, balls.shifts(), balls.impacts(), begin, end, problem.lines.front().v.data(), 0.0, part.reference()}, sums);
        part.add(sums);
    }, tally);
}

/// Of velocities that are those of the impulses.
template <class Problem>
double other_error(const Problem& problem, ErrorKind kind) {
    return kind == ErrorKind::full ? natural_error(problem).relative : bipotential_gap(problem).relative;
}

template <class Problem>
double error_on(Problem& problem, const SolverSettings& settings) {
    if (settings.error == ErrorKind::law) return judge(problem).mean;
    refresh_velocities(problem);
    return other_error(problem, settings.error);
}

template <class Problem>
void conclude_on(Problem& problem, const SolverSettings& settings, SolveReport& report) {
    report.law = judge(problem);
    report.error = settings.error == ErrorKind::law ? report.law.mean : other_error(problem, settings.error);
    report.converged = is_within(report.error, settings.tolerance) &&
                       (settings.tolerance_max <= 0.0 || is_within(report.law.max, settings.tolerance_max));
}

}  // namespace

template <int Dim>
Vec<Dim> project_on_cone(const Vec<Dim>& r, double mu) {
    const double t = r.template tail<Dim - 1>().norm();
    if (t <= mu * r[0]) return r;
    if (mu * t <= -r[0]) return Vec<Dim>::Zero();  // in the polar cone
    const double n = (r[0] + mu * t) / (1.0 + mu * mu);
    Vec<Dim> p;
    p[0] = n;
    p.template tail<Dim - 1>() = (mu * n / t) * r.template tail<Dim - 1>();
    return p;
}

template <int Dim>
double reference_velocity(const ContactProblem<Dim>& problem) {
    if (problem.v_ref > 0.0) return problem.v_ref;
    double sum = 0.0;
    std::int64_t loaded = 0;
    for (const BallContact<Dim> c : problem.balls) {
        if (c.pn == 0.0) continue;
        sum += law_defect(c, c.pn, c.pt.squared());
        ++loaded;
    }
    for (const auto& c : problem.generals) {
        if (c.S.isZero(0.0)) continue;
        sum += (c.H * c.S).norm();
        ++loaded;
    }
    for (const auto& c : problem.links) {
        if (c.S.isZero(0.0)) continue;
        sum += (c.H * c.S).norm();
        ++loaded;
    }
    return loaded > 0 ? sum / static_cast<double>(loaded) : 0.0;
}

template <int Dim>
double reference_velocity(const MatrixProblem<Dim>& problem) {
    if (problem.v_ref > 0.0) return problem.v_ref;
    double sum = 0.0;
    std::int64_t loaded = 0;
    for (std::size_t k = 0; k < problem.contacts(); ++k) {
        if (problem.r[k].isZero(0.0)) continue;
        sum += (problem.H(k) * problem.r[k]).norm();
        ++loaded;
    }
    return loaded > 0 ? sum / static_cast<double>(loaded) : 0.0;
}

template <int Dim>
LawError judge(ContactProblem<Dim>& problem) {
    refresh_velocities(problem);
    ErrorTally tally(reference_velocity(problem));
    tally_of(problem, problem.balls, tally);
    tally_of(problem, problem.generals, tally);
    tally_of(problem, problem.links, tally);
    return tally.result();
}

template <int Dim>
LawError judge(MatrixProblem<Dim>& problem) {
    refresh_velocities(problem);
    ErrorTally tally(reference_velocity(problem));
    for (std::size_t k = 0; k < problem.contacts(); ++k) {
        const Mat<Dim> H = problem.H(k);
        const Vec<Dim> exact = solve_full_contact(H, problem.u[k] - H * problem.r[k], problem.mu[k], problem.r[k]);
        tally.add((H * (exact - problem.r[k])).norm(), problem.impact_of(k), !problem.r[k].isZero(0.0));
    }
    return tally.result();
}

template <int Dim>
NaturalError natural_error(const ContactProblem<Dim>& problem) { return natural_error_of<Dim>(problem); }
template <int Dim>
NaturalError natural_error(const MatrixProblem<Dim>& problem) { return natural_error_of<Dim>(problem); }
template <int Dim>
BipotentialGap bipotential_gap(const ContactProblem<Dim>& problem) { return bipotential_gap_of<Dim>(problem); }
template <int Dim>
BipotentialGap bipotential_gap(const MatrixProblem<Dim>& problem) { return bipotential_gap_of<Dim>(problem); }

template <int Dim>
double error_of(ContactProblem<Dim>& problem, const SolverSettings& settings) { return error_on(problem, settings); }
template <int Dim>
double error_of(MatrixProblem<Dim>& problem, const SolverSettings& settings) { return error_on(problem, settings); }

template <int Dim>
void conclude(ContactProblem<Dim>& problem, const SolverSettings& settings, SolveReport& report) {
    conclude_on(problem, settings, report);
}
template <int Dim>
void conclude(MatrixProblem<Dim>& problem, const SolverSettings& settings, SolveReport& report) {
    conclude_on(problem, settings, report);
}

#define TALUS_INSTANTIATE(Dim)                                                                          \
    template Vec<Dim> project_on_cone<Dim>(const Vec<Dim>&, double);                                    \
    template double reference_velocity(const ContactProblem<Dim>&);                                     \
    template double reference_velocity(const MatrixProblem<Dim>&);                                      \
    template LawError judge(ContactProblem<Dim>&);                                                      \
    template LawError judge(MatrixProblem<Dim>&);                                                       \
    template NaturalError natural_error(const ContactProblem<Dim>&);                                    \
    template NaturalError natural_error(const MatrixProblem<Dim>&);                                     \
    template BipotentialGap bipotential_gap(const ContactProblem<Dim>&);                                \
    template BipotentialGap bipotential_gap(const MatrixProblem<Dim>&);                                 \
    template double error_of(ContactProblem<Dim>&, const SolverSettings&);                              \
    template double error_of(MatrixProblem<Dim>&, const SolverSettings&);                               \
    template void conclude(ContactProblem<Dim>&, const SolverSettings&, SolveReport&);                  \
    template void conclude(MatrixProblem<Dim>&, const SolverSettings&, SolveReport&);
TALUS_INSTANTIATE(2)
TALUS_INSTANTIATE(3)
#undef TALUS_INSTANTIATE

}  // namespace talus
