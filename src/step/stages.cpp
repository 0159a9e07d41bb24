#include "step/stages.h"

#include <algorithm>
#include <cmath>

#include "contact/domains.h"
#include "detect/broad/patch.h"
#include "integrate/correct.h"
#include "integrate/finish.h"
#include "integrate/predict.h"
#include "integrate/project_joints.h"
#include "laws/link.h"
#include "state/loads.h"
#include "step/step_length.h"

namespace talus {
namespace {

/// How much faster than its centre a corner of a body may be made to go once contacts have turned its energy of
/// motion into whatever mixture of translation and spin: the largest v + r w with v^2 + k^2 w^2 given is sqrt(1 + (r/k)^2)
/// times that root, k being the (least) radius of gyration.
template <int Dim>
double corner_stretch(const Bodies<Dim>& bodies, std::size_t i) {
    return std::sqrt(1.0 + bodies.radius[i] * bodies.radius[i] * bodies.mass[i] / bodies.inertia[i].minCoeff());
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

constexpr std::size_t chunk = 2048;  ///< bodies or contacts handled together

/// Where body i goes in a step if nothing stops it.
template <int Dim>
Going<Dim> going_of(const typename World<Dim>::Impl& w, std::size_t i) {
    const Bodies<Dim>& bodies = w.bodies;
    const std::int32_t c = bodies.carrier(i);
    const std::int32_t driven = w.work.motion.slot[c];
    Going<Dim> going;
    going.way = w.h * bodies.velocity[c];
    if (driven >= 0) going.turn += w.h * ((w.work.motion.velocity[driven] - bodies.velocity[c]).norm() + turning_speed<Dim>(w, i, c));
    if (!bodies.is_wall(i)) going.fall = 2.0 * w.settings.gravity.norm() * w.h * w.h;
    if (bodies.is_ball(i) || bodies.is_wall(i)) return going;
    const double spin = bodies.spin[i].norm();
    if (bodies.is_boundary(i) || !(bodies.mass[i] > 0.0) || !(bodies.inertia[i].minCoeff() > 0.0)) {
        going.turn += w.h * bodies.radius[i] * spin;
        return going;
    }
    going.stretch = corner_stretch(bodies, i);
    going.turn += w.h * going.stretch * std::sqrt(bodies.inertia[i].maxCoeff() / bodies.mass[i]) * spin;
    return going;
}

template <int Dim>
CandidateInput<Dim> candidate_input(const typename World<Dim>::Impl& w) { return {w.bodies, *w.shapes, w.cell, w.threads}; }

template <int Dim>
LedgerInput<Dim> ledger_input(typename World<Dim>::Impl& w) {
    auto& k = w.work;
    return {k.touch.touches, k.links, k.problem, w.candidates, k.at, k.loads, k.loaded_bodies, k.correction, k.joints,
            w.settings.gravity, w.h, w.threads};
}

/// Makes the candidate list anew and points it at the history.
template <int Dim>
void new_list(typename World<Dim>::Impl& w) {
    w.candidates.apart = pairs_apart(w.joints, w.bodies);
    build_candidates(candidate_input<Dim>(w), w.work.at, {w.h, w.settings.gravity.norm(), w.work.ways.need}, w.candidates);
    w.work.lost.clear();
    link_cache(w.cache, w.threads, w.candidates, w.work.lost);
    close_sums(w.cache, w.work.lost, w.bodies);
}

/// `gap` rule: a list that looks as far ahead as the bodies may come. \returns whether it is new.
template <int Dim>
bool pair_ahead(typename World<Dim>::Impl& w) {
    const CandidateInput<Dim> in = candidate_input<Dim>(w);
    WaysAhead<Dim>& ways = w.work.ways;
    ways.going.resize(w.bodies.size());
    w.threads.for_chunks(w.bodies.size(), chunk, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) ways.going[i] = going_of<Dim>(w, i);
    });
    need_of_own(in, ways);
    if (w.candidates.valid && w.candidates.ahead.size() == w.bodies.size()) {
        // Even a list that is out of date tells about what pushes are to be expected.
        follow_pushes(in, w.work.at, w.candidates, ways);
        if (state_of(w.candidates, in, w.work.at, w.h) == ListState::valid && looks_far_enough(in, w.candidates, ways.need)) return false;
    }
    new_list<Dim>(w);
    follow_pushes(in, w.work.at, w.candidates, ways);
    if (looks_far_enough(in, w.candidates, ways.need)) return true;
    // It shows neighbours that push more than it was made for. What still lies beyond the next one is not followed.
    new_list<Dim>(w);
    follow_pushes(in, w.work.at, w.candidates, ways);
    return true;
}

/// A bond that opened is broken, for the law to remember.
template <int Dim>
void break_bonds(typename World<Dim>::Impl& w) {
    auto& k = w.work;
    for (std::size_t c = 0; c < k.links.bond.size(); ++c) {
        if (k.links.bond[c] != BondState::intact) continue;
        const Vec<Dim>& n = k.touch.touches[c].normal;
        if (impulse_of(k.problem, k.links, c).dot(n) + k.links.pull[c] > 1e-12 * k.links.pull[c]) continue;
        if (velocity_of(k.problem, k.links, c).dot(n) > 0.0 || k.touch.touches[c].gap > 0.0) k.links.bond[c] = BondState::broken;
    }
    w.materials.end_bonding();
}

template <int Dim>
void keep_history(typename World<Dim>::Impl& w) {
    auto& k = w.work;
    break_bonds<Dim>(w);
    close_sums(w.cache, k.touch.lost, w.bodies);
    const std::size_t n = k.touch.touches.size();
    const bool couples = !k.links.couple_before.empty();
    resize(w.cache, n);
    w.cache.couple.resize(couples ? n : 0);
    w.threads.for_chunks(n, chunk, [&](std::size_t begin, std::size_t end) {
        for (std::size_t c = begin; c < end; ++c) {
            const Vec<Dim> point = w.cache.keeps_sums ? w.contact_point(c) : Vec<Dim>(Vec<Dim>::Zero());
            store(k.touch.touches[c], c, impulse_of(k.problem, k.links, c), point, w.cache);
            if (couples) w.cache.couple[c] = couple_of(k.problem, k.links, c);
        }
    });
    if (w.cache.keeps_sums) w.cache.sum.swap(w.cache.next_sum);
    w.cache.bond = k.links.bond;
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
    w.energy = energy_of_all(w.bodies, w.cell, w.settings.gravity, w.threads);
    w.bookings = {};
    e.kinetic = w.energy.kinetic;
    e.potential = w.energy.potential;
    e.residual = w.energy.total() - before - (e.drive_work + e.load_work - e.impact - e.friction + e.correction + e.rotation);
    report.max_speed = w.threads.reduce(
        w.bodies.size(), chunk, 0.0,
        [&](std::size_t begin, std::size_t end) {
            double fastest = 0.0;
            for (std::size_t i = begin; i < end; ++i)
                if (!w.bodies.is_wall(i)) fastest = std::max(fastest, w.bodies.velocity[i].norm());
            return fastest;
        },
        [](double x, double y) { return std::max(x, y); });
}

}  // namespace

template <int Dim>
void predict_stage(typename World<Dim>::Impl& w) {
    auto& k = w.work;
    choose_step<Dim>(w);
    k.drive_index.clear();
    for (const Drive& d : w.drives) k.drive_index.push_back(w.index_of(d.body));
    predict(w.bodies, w.drives, k.drive_index, w.time, w.h, w.threads, k.at, k.motion);
    k.loads.clear();
    k.loaded_bodies.clear();
    for (const auto& l : w.loads) {
        const std::size_t i = w.index_of(l.body);
        k.loaded_bodies.push_back(static_cast<std::int32_t>(i));
        k.loads.push_back(wrench_of<Dim>(l.loads, w.bodies, i, w.time + 0.5 * w.h, k.at.position));
    }
}

template <int Dim>
bool pair_stage(typename World<Dim>::Impl& w) {
    const CandidateInput<Dim> in = candidate_input<Dim>(w);
    if (w.settings.rule == ContactRule::gap) return pair_ahead<Dim>(w);
    w.work.ways.clear();   // the rule may have been another
    const ListState state = state_of(w.candidates, in, w.work.at, w.h);
    if (state == ListState::valid) return false;
    if (state == ListState::in_part && find_few_to_patch(in, w.work.at, w.candidates, w.work.patch.few)) {
        w.work.lost.clear();
        patch_candidates(in, w.work.at, {w.h, w.settings.gravity.norm(), w.work.ways.need}, w.work.patch, w.candidates, w.work.lost);
        close_sums(w.cache, w.work.lost, w.bodies);
        return true;
    }
    new_list<Dim>(w);
    return true;
}

template <int Dim>
void touch_stage(typename World<Dim>::Impl& w, StepReport& report) {
    auto& touch = w.work.touch;
    find_touches<Dim>({w.bodies, *w.shapes, w.cell, w.work.at, {w.settings.rule, w.settings.touch}, w.work.ways,
                       w.cache.feature, w.cache.normal, w.cache.a, w.threads}, w.candidates, touch);
    watch_normals<Dim>(w);
    struct Overlap {
        double largest = 0.0, sum = 0.0;
    };
    const Overlap overlap = w.threads.reduce(
        touch.touches.size(), chunk, Overlap{},
        [&](std::size_t begin, std::size_t end) {
            Overlap part;
            for (std::size_t c = begin; c < end; ++c) {
                const auto& t = touch.touches[c];
                if (t.gap >= 0.0) continue;
                const double one = -t.gap / smaller_diameter(w.bodies, t);
                part.largest = std::max(part.largest, one);
                part.sum += one;
            }
            return part;
        },
        [](const Overlap& x, const Overlap& y) { return Overlap{std::max(x.largest, y.largest), x.sum + y.sum}; });
    report.contacts = static_cast<std::int64_t>(touch.touches.size());
    report.max_overlap = overlap.largest;
    report.mean_overlap = touch.touches.empty() ? 0.0 : overlap.sum / static_cast<double>(report.contacts);
}

template <int Dim>
void gather_stage(typename World<Dim>::Impl& w) {
    auto& k = w.work;
    const GatherInput<Dim> input{w.bodies, w.cell, k.at, w.candidates, k.motion, k.touch, w.cache, w.materials, w.settings.gravity,
                                 w.h, k.loads, k.loaded_bodies, w.settings.solver.warm_start, w.threads};
    gather<Dim>(input, k.problem, k.links);
    gather_joints<Dim>({w.bodies, w.cell, k.at, w.candidates, k.motion, w.h, w.settings.solver.warm_start}, w.joints,
                       k.problem, k.joints);
    assign_domains(input, k.problem);
    k.problem.v_ref = w.settings.gravity.norm() * w.h;
    k.problem.step = w.steps;
    k.problem.threads = &w.threads;
    k.step = w.h;
    w.laws.update(w.materials);
    if (w.settings.rule == ContactRule::gap && w.laws.any_bounces())
        throw InputError("contact rule 'gap' needs all restitutions to be 0; set them so, or use the rule 'moreau'");
    freeze_laws<Dim>({w.bodies, w.materials, w.laws, k.touch.touches, w.cache, k.links, w.settings.rule, w.settings.touch,
                      w.h, w.threads},
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
}

template <int Dim>
void finish_stage(typename World<Dim>::Impl& w, StepReport& report) {
    auto& k = w.work;
    k.correction.clear();
    if (w.settings.position_correction)
        correct_positions<Dim>({w.bodies, k.touch.touches, k.links, k.problem, w.h, w.threads}, k.correction_work, k.correction);
    const auto in = ledger_input<Dim>(w);
    const auto contacts = book_contacts(in, w.bodies);
    report.working_contacts = contacts.working;
    report.energy = book_step(in, contacts, w.bodies);
    report.energy_gained = gained_energy(in, report.energy, report.law, w.energy.kinetic + std::abs(w.bookings.created));
    report.momentum_residual = momentum_residual(in, contacts, w.bodies);
    const double t_end = w.time_base + static_cast<double>(w.steps_at_pace + 1) * w.h;
    finish<Dim>({k.problem, w.candidates, w.cell, k.at, k.correction, k.drive_index, t_end, w.h, w.threads}, w.drives,
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
