#include "explore/sample.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "scene/random.h"
#include "solve/solver_registry.h"

namespace talus::explore {
namespace {

constexpr std::uint64_t start_stream = 1, order_stream = 2;

/// Impulses to start from, along the frames, in the order of the set.
template <int Dim>
std::vector<Vec<Dim>> draw_start(const ForceSet<Dim>& set, const SampleSettings& settings, int index) {
    std::vector<Vec<Dim>> start(set.contacts.size(), Vec<Dim>::Zero());
    scene::Random random(settings.seed, start_stream, static_cast<std::uint64_t>(index));
    const double most = settings.range * set.mean_mass * set.v_ref;
    for (std::size_t k = 0; k < start.size(); ++k) {
        if (settings.start == Start::found) start[k] = set.h * set.found.template segment<Dim>(static_cast<Eigen::Index>(k) * Dim);
        if (settings.start != Start::random) continue;
        const double normal = random.uniform(0.0, most);
        const scene::Point across = random.in_unit_ball(Dim - 1);
        start[k][0] = normal;
        for (int t = 1; t < Dim; ++t) start[k][t] = set.contacts[k].contact.friction * normal * across[t - 1];
    }
    return start;
}

std::vector<std::size_t> draw_order(std::size_t contacts, const SampleSettings& settings, int index) {
    std::vector<std::size_t> order(contacts);
    std::iota(order.begin(), order.end(), std::size_t{0});
    if (!settings.random_order) return order;
    scene::Random random(settings.seed, order_stream, static_cast<std::uint64_t>(index));
    for (std::size_t k = contacts; k > 1; --k) std::swap(order[k - 1], order[random.below(k)]);
    return order;
}

/// Largest velocity of a body after the step, its surface's by rotation included [m/s].
template <int Dim>
double largest_velocity(const ForceSet<Dim>& set, const World<Dim>& world, const ContactProblem<Dim>& problem) {
    double largest = 0.0;
    for (std::size_t i = 0; i < world.size(); ++i) {
        if (world.is_wall(i) || set.carrier[i] != static_cast<std::int32_t>(i)) continue;
        const BodyLine<Dim>& line = problem.lines[static_cast<std::size_t>(set.line[i])];
        largest = std::max({largest, line.v.norm(), (world.is_ball(i) ? 1.0 : world.radii()[i]) * line.R.norm()});
    }
    return largest;
}

template <int Dim>
Eigen::VectorXd forces_of(const ForceSet<Dim>& set, const std::vector<Vec<Dim>>& impulses) {
    Eigen::VectorXd f(set.columns());
    for (std::size_t k = 0; k < impulses.size(); ++k) f.segment<Dim>(static_cast<Eigen::Index>(k) * Dim) = impulses[k] / set.h;
    return f;
}

}  // namespace

SolverSettings SampleSettings::tight_solver() {
    SolverSettings s;
    s.name = "nlgs";
    s.tolerance = 1e-11;
    s.tolerance_max = 1e-10;
    s.max_sweeps = 200000;
    return s;
}

template <int Dim>
Sample<Dim> draw_sample(const ForceSet<Dim>& set, const World<Dim>& world, const SampleSettings& settings, int index) {
    const auto start = draw_start(set, settings, index);
    const auto order = draw_order(set.contacts.size(), settings, index);
    ContactProblem<Dim> problem = set.problem;
    for (std::size_t k = 0; k < order.size(); ++k) {
        problem.generals[k] = set.problem.generals[order[k]];
        problem.generals[k].S = start[order[k]];
    }
    Sample<Dim> sample;
    sample.start = forces_of(set, start);
    const auto solver = solver_registry().make<Dim>(settings.solver.name);
    SolverSettings s = settings.solver;
    SolveReport report = solver->solve(problem, s);
    sample.sweeps = report.sweeps;
    sample.velocity = largest_velocity(set, world, problem) / set.v_ref;
    // What hardly moves may be on its way to rest: a hundred times closer decides.
    if (report.converged && sample.velocity > rest_tolerance && sample.velocity < 1e-3) {
        s.tolerance *= 1e-2;
        s.tolerance_max *= 1e-2;
        report = solver->solve(problem, s);
        sample.sweeps += report.sweeps;
        sample.velocity = largest_velocity(set, world, problem) / set.v_ref;
    }
    const bool rests = sample.velocity <= rest_tolerance;
    sample.outcome = rests ? Outcome::stays : report.converged ? Outcome::moves : Outcome::unsolved;
    std::vector<Vec<Dim>> found(order.size());
    for (std::size_t k = 0; k < order.size(); ++k) found[order[k]] = problem.generals[k].S;
    sample.forces = forces_of(set, found);
    sample.sweeps_again = solver->solve(problem, settings.solver).sweeps;
    return sample;
}

template Sample<2> draw_sample<2>(const ForceSet<2>&, const World<2>&, const SampleSettings&, int);
template Sample<3> draw_sample<3>(const ForceSet<3>&, const World<3>&, const SampleSettings&, int);

}  // namespace talus::explore
