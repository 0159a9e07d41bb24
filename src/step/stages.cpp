#include "step/stages.h"

#include <algorithm>
#include <cmath>

#include "contact/domains.h"
#include "integrate/correct.h"
#include "integrate/finish.h"
#include "integrate/predict.h"
#include "integrate/project_joints.h"
#include "laws/link.h"
#include "state/loads.h"

namespace talus {
namespace {

/// Fastest that a corner of a body may go once contacts have turned its energy of motion into whatever
/// mixture of translation and spin: the largest v + r w with v^2 + k^2 w^2 given, k its radius of gyration.
template <int Dim>
double corner_speed(const Bodies<Dim>& bodies, std::size_t i) {
    if (bodies.is_boundary(i) || !(bodies.mass[i] > 0.0) || !(bodies.inertia[i].minCoeff() > 0.0))
        return bodies.velocity[i].norm() + bodies.radius[i] * bodies.spin[i].norm();
    const double square = bodies.velocity[i].squaredNorm() +
                          bodies.inertia[i].maxCoeff() / bodies.mass[i] * bodies.spin[i].squaredNorm();
    const double arms = bodies.radius[i] * bodies.radius[i] * bodies.mass[i] / bodies.inertia[i].minCoeff();
    return std::sqrt(square * (1.0 + arms));
}

/// Speed that the turning of its driven carrier (which may be itself) gives a body, at most, where it may be
/// touched [m/s].
template <int Dim>
double turning_speed(const typename World<Dim>::Impl& w, std::size_t i, std::int32_t carrier) {
    const double spin = w.work.motion.spin[w.work.motion.slot[carrier]].norm();
    if (spin == 0.0) return 0.0;
    if (!w.bodies.is_boundary(i)) return spin * (w.bodies.glue_offset[i].norm() + w.bodies.radius[i]);
    double reach = 0.0;
    for (std::size_t k = 0; k < w.bodies.size(); ++k)
        if (!w.bodies.is_boundary(k))
            reach = std::max(reach, w.cell.nearest(w.bodies.position[k] - w.bodies.position[i]).norm() + w.bodies.radius[k]);
    return spin * reach;
}

/// `gap` rule: how far each body may come in a step, gravity included.
template <int Dim>
double look_ahead(typename World<Dim>::Impl& w) {
    w.work.ahead.clear();
    if (w.settings.rule != ContactRule::gap) return 0.0;
    const double h = w.settings.step, fall = 2.0 * w.settings.gravity.norm() * h;
    double farthest = 0.0;
    for (std::size_t i = 0; i < w.bodies.size(); ++i) {
        const std::int32_t c = w.bodies.carrier(i);
        double speed = w.bodies.velocity[c].norm();
        if (w.work.motion.slot[c] >= 0) speed = std::max(speed, w.work.motion.velocity[w.work.motion.slot[c]].norm());
        if (!w.bodies.is_ball(i) && !w.bodies.is_wall(i)) speed = corner_speed(w.bodies, i);
        if (w.work.motion.slot[c] >= 0) speed += turning_speed<Dim>(w, i, c);
        const double ahead = h * (speed + (w.bodies.is_wall(i) ? 0.0 : fall));
        w.work.ahead.push_back(ahead);
        farthest = std::max(farthest, ahead);
    }
    return 2.0 * farthest;
}

template <int Dim>
LedgerInput<Dim> ledger_input(typename World<Dim>::Impl& w) {
    auto& k = w.work;
    return {k.touch.touches, k.links, k.problem, w.candidates, k.at, k.loads, k.loaded_bodies, k.correction, k.joints,
            w.settings.gravity, w.settings.step};
}

/// A bond that opened is broken, for the law to remember.
template <int Dim>
void break_bonds(typename World<Dim>::Impl& w) {
    auto& k = w.work;
    for (std::size_t c = 0; c < k.links.bond.size(); ++c) {
        if (k.links.bond[c] != BondState::intact) continue;
        const Vec<Dim>& n = k.touch.touches[c].normal;
        if (k.impulses[c].dot(n) + k.links.pull[c] > 1e-12 * k.links.pull[c]) continue;
        if (velocity_of(k.problem, k.links, c).dot(n) > 0.0 || k.touch.touches[c].gap > 0.0) k.links.bond[c] = BondState::broken;
    }
    w.materials.end_bonding();
}

template <int Dim>
void keep_history(typename World<Dim>::Impl& w) {
    auto& k = w.work;
    const std::size_t n = k.touch.touches.size();
    k.impulses.resize(n);
    k.points.resize(n);
    for (std::size_t c = 0; c < n; ++c) {
        k.impulses[c] = impulse_of(k.problem, k.links, c);
        k.points[c] = w.contact_point(c);
    }
    k.couples.clear();
    if (!k.links.couple_before.empty())
        for (std::size_t c = 0; c < n; ++c) k.couples.push_back(couple_of(k.problem, k.links, c));
    break_bonds<Dim>(w);
    close_sums(w.cache, k.touch.lost, w.bodies);
    store<Dim>(k.touch.touches, {k.impulses, k.points, k.couples, k.links.bond}, w.cache);
    w.has_contacts = true;
}

template <int Dim>
void keep_joint_history(typename World<Dim>::Impl& w) {
    for (std::size_t j = 0; j < w.joints.size(); ++j) {
        const auto& r = w.work.joints[j];
        const auto p = impulse_of(r.rows, r.length, w.work.problem.links[static_cast<std::size_t>(r.link)].S);
        w.joints[j].impulse = w.joints[j].start = p.impulse;
        w.joints[j].moment = w.joints[j].start_moment = p.moment;
    }
}

/// Back to the joints, positions and then velocities. \returns the part of the rotation error that belongs between.
template <int Dim>
double keep_joints(typename World<Dim>::Impl& w, StepReport& report) {
    if (w.joints.empty()) return rotation_energy_shift(w.bodies, w.work.at);
    keep_joint_history<Dim>(w);
    const ProjectInput<Dim> in{w.cell, w.settings.gravity};
    report.joint_error = project_positions(in, w.joints, w.bodies, report.energy);
    const double shift = rotation_energy_shift(w.bodies, w.work.at);
    project_velocities(in, w.joints, w.bodies, report.energy);
    settle(w.cell, w.bodies);
    return shift;
}

/// Everything the report says about motion after `finish`.
template <int Dim>
void close_report(typename World<Dim>::Impl& w, double rotation_shift, StepReport& report) {
    report.step = w.steps;
    report.time = w.time;
    report.bodies = static_cast<std::int64_t>(w.bodies.size());
    EnergyLedger& e = report.energy;
    e.created = w.bookings.created;
    e.removed = w.bookings.removed;
    e.frozen = w.bookings.frozen;
    e.rotation += rotation_shift;
    const double before = w.energy.total() + e.created - e.removed - e.frozen;
    w.energy = energy_of_all(w.bodies, w.cell, w.settings.gravity);
    w.bookings = {};
    e.kinetic = w.energy.kinetic;
    e.potential = w.energy.potential;
    e.residual = w.energy.total() - before - (e.drive_work + e.load_work - e.impact - e.friction + e.correction + e.rotation);
    for (std::size_t i = 0; i < w.bodies.size(); ++i)
        if (!w.bodies.is_wall(i)) report.max_speed = std::max(report.max_speed, w.bodies.velocity[i].norm());
}

}  // namespace

template <int Dim>
void predict_stage(typename World<Dim>::Impl& w) {
    auto& k = w.work;
    k.drive_index.clear();
    for (const Drive& d : w.drives) k.drive_index.push_back(w.index_of(d.body));
    predict(w.bodies, w.drives, k.drive_index, w.time, w.settings.step, k.at, k.motion);
    k.loads.clear();
    k.loaded_bodies.clear();
    for (const auto& l : w.loads) {
        const std::size_t i = w.index_of(l.body);
        k.loaded_bodies.push_back(static_cast<std::int32_t>(i));
        k.loads.push_back(wrench_of<Dim>(l.loads, w.bodies, i, w.time + 0.5 * w.settings.step, k.at.position));
    }
}

template <int Dim>
bool pair_stage(typename World<Dim>::Impl& w) {
    const double ahead = look_ahead<Dim>(w);
    if (still_valid(w.candidates, w.cell, w.work.at, ahead)) return false;
    w.candidates.apart = pairs_apart(w.joints, w.bodies);
    build_candidates(w.bodies, *w.shapes, w.cell, w.work.at, {w.settings.step, w.settings.gravity.norm(), ahead},
                     w.candidates);
    w.work.lost.clear();
    link_cache(w.cache, w.candidates, w.work.lost);
    close_sums(w.cache, w.work.lost, w.bodies);
    return true;
}

template <int Dim>
void touch_stage(typename World<Dim>::Impl& w, StepReport& report) {
    auto& touch = w.work.touch;
    find_touches<Dim>({w.bodies, *w.shapes, w.cell, w.work.at, {w.settings.rule, w.settings.touch}, w.work.ahead,
                       w.cache.feature, w.cache.normal, w.cache.a}, w.candidates, touch);
    double sum = 0.0;
    for (const auto& t : touch.touches) {
        const double overlap = std::max(0.0, -t.gap) / smaller_diameter(w.bodies, t);
        report.max_overlap = std::max(report.max_overlap, overlap);
        sum += overlap;
    }
    report.contacts = static_cast<std::int64_t>(touch.touches.size());
    report.mean_overlap = touch.touches.empty() ? 0.0 : sum / static_cast<double>(report.contacts);
}

template <int Dim>
void gather_stage(typename World<Dim>::Impl& w) {
    auto& k = w.work;
    const GatherInput<Dim> input{w.bodies, w.cell, k.at, w.candidates, k.motion, k.touch, w.cache, w.materials, w.settings.gravity,
                                 w.settings.step, k.loads, k.loaded_bodies, w.settings.solver.warm_start};
    gather<Dim>(input, k.problem, k.links);
    gather_joints<Dim>({w.bodies, w.cell, k.at, w.candidates, k.motion, w.settings.step, w.settings.solver.warm_start}, w.joints,
                       k.problem, k.joints);
    assign_domains(input, k.problem);
    k.problem.v_ref = w.settings.gravity.norm() * w.settings.step;
    k.problem.step = w.steps;
    k.step = w.settings.step;
    w.laws.update(w.materials);
    if (w.settings.rule == ContactRule::gap && w.laws.any_bounces())
        throw InputError("contact rule 'gap' needs all restitutions to be 0; set them so, or use the rule 'moreau'");
    freeze_laws<Dim>({w.bodies, w.materials, w.laws, k.touch.touches, w.cache, k.links, w.settings.rule, w.settings.touch,
                      w.settings.step},
                     k.frozen, k.problem);
}

template <int Dim>
void solve_stage(typename World<Dim>::Impl& w, StepReport& report) {
    auto& problem = w.work.problem;
    if (holds_any(problem)) keep_start(problem, w.work.start);
    SolveReport s = w.solver->solve(problem, w.settings.solver);
    while (release_sliders(problem, s.law)) {
        // What the trial with static friction built up where forces are not determined must not stay: from step to
        // step it would grow.
        start_again(w.work.start, problem);
        const std::int64_t sweeps = s.sweeps, updates = s.updates;
        s = w.solver->solve(problem, w.settings.solver);
        s.sweeps += sweeps;
        s.updates += updates;
    }
    report.sweeps = s.sweeps;
    report.updates = s.updates;
    report.converged = s.converged;
    report.law = s.law;
    report.moreau_change = s.moreau_change;
    for (const auto& c : problem.balls) report.working_contacts += c.pn != 0.0;
    for (const auto& c : problem.generals) report.working_contacts += !c.S.isZero(0.0);
    for (const auto& c : problem.links)
        report.working_contacts += c.law.kind == LinkLaw::Kind::contact && !c.S.isZero(0.0);
}

template <int Dim>
void finish_stage(typename World<Dim>::Impl& w, StepReport& report) {
    auto& k = w.work;
    k.correction.clear();
    if (w.settings.position_correction)
        correct_positions(w.bodies, k.touch.touches, k.links, k.problem, w.settings.step, k.correction);
    const auto in = ledger_input<Dim>(w);
    report.energy = book_step(in, w.bodies);
    report.energy_gained = gained_energy(in, report.energy, report.law, w.energy.kinetic + std::abs(w.bookings.created));
    report.momentum_residual = momentum_residual(in, w.bodies);
    const double t_end = w.time_base + static_cast<double>(w.steps_at_pace + 1) * w.settings.step;
    finish<Dim>({k.problem, w.candidates, w.cell, k.at, k.correction, k.drive_index, t_end, w.settings.step}, w.drives,
                w.bodies);
    const double rotation_shift = keep_joints<Dim>(w, report);
    keep_history<Dim>(w);
    w.time = t_end;
    ++w.steps_at_pace;
    ++w.steps;
    close_report<Dim>(w, rotation_shift, report);
}

#define TALUS_INSTANTIATE(Dim)                                                  \
    template void predict_stage<Dim>(World<Dim>::Impl&);                        \
    template bool pair_stage<Dim>(World<Dim>::Impl&);                           \
    template void touch_stage<Dim>(World<Dim>::Impl&, StepReport&);             \
    template void gather_stage<Dim>(World<Dim>::Impl&);                         \
    template void solve_stage<Dim>(World<Dim>::Impl&, StepReport&);             \
    template void finish_stage<Dim>(World<Dim>::Impl&, StepReport&);
TALUS_INSTANTIATE(2)
TALUS_INSTANTIATE(3)
#undef TALUS_INSTANTIATE

}  // namespace talus
