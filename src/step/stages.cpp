#include "step/stages.h"

#include <algorithm>
#include <cmath>

#include "integrate/correct.h"
#include "integrate/finish.h"
#include "integrate/predict.h"
#include "integrate/project_joints.h"
#include "laws/link.h"
#include "state/loads.h"
#include "step/step_length.h"

namespace talus {
namespace {

constexpr std::size_t chunk = 2048;  ///< bodies or contacts handled together

template <int Dim>
LedgerInput<Dim> ledger_input(typename World<Dim>::Impl& w) {
    auto& k = w.work;
    return {k.touch.touches, k.links, k.problem, w.candidates, k.at, k.loads, k.loaded_bodies, k.correction, k.joints,
            w.settings.gravity, w.h, w.threads};
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
void keep_history(typename World<Dim>::Impl& w, bool on_trial) {
    auto& k = w.work;
    if (!on_trial) break_bonds<Dim>(w);
    close_sums(w.cache, k.touch.lost, w.bodies);
    const std::size_t n = k.touch.touches.size();
    const bool couples = !k.links.couple_before.empty();
    const bool stays = k.links.records.empty() && k.links.pull.empty() && k.touch.arms.empty() && !w.cache.keeps_sums;
    resize(w.cache, n, stays);
    w.cache.couple.resize(couples ? n : 0);
    w.threads.for_chunks(n, chunk, [&](std::size_t begin, std::size_t end) {
        for (std::size_t c = begin; c < end; ++c) {
            note(k.touch.touches[c], c, w.cache);
            if (stays) continue;
            look_ahead(k.problem, k.links, c);
            const Vec<Dim> point = w.cache.keeps_sums ? w.contact_point(c) : Vec<Dim>(Vec<Dim>::Zero());
            const Vec<Dim> impulse = impulse_of(k.problem, k.links, c);
            store(k.touch.touches[c], c, impulse, on_trial ? Vec<Dim>(Vec<Dim>::Zero()) : impulse, point, w.cache);
            if (couples) w.cache.couple[c] = couple_of(k.problem, k.links, c);
        }
    });
    if (w.cache.keeps_sums) w.cache.sum.swap(w.cache.next_sum);
    w.cache.bond = k.links.bond;
}

template <int Dim>
void predict_stage(typename World<Dim>::Impl& w) {
    auto& k = w.work;
    w.has_contacts = false;   // until the step is made: it may fail
    choose_step<Dim>(w);
    k.rounds = 0;
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
void touch_stage(typename World<Dim>::Impl& w, StepReport& report) {
    auto& touch = w.work.touch;
    find_touches<Dim>({w.bodies, *w.shapes, w.cell, w.work.at, {w.settings.rule, w.settings.touch, w.materials.any_cohesion()}, w.work.ways,
                       {w.cache.a, w.cache.b}, w.cache.feature, w.cache.normal, w.threads}, w.candidates, w.work.problem.by_body, touch);
    if (w.work.rounds == 0) watch_normals<Dim>(w);
    struct Overlap {
        double largest = 0.0, sum = 0.0;
    };
    const Overlap overlap = w.threads.reduce(
        touch.touches.size(), chunk, Overlap{},
        [&](std::size_t begin, std::size_t end) {
            Overlap part;
            for (std::size_t c = begin; c < end; ++c) {
                const auto& t = touch.touches[c];
                if (c + lines_ahead < end) {
                    __builtin_prefetch(&w.bodies.radius[touch.touches[c + lines_ahead].a]);
                    __builtin_prefetch(&w.bodies.radius[touch.touches[c + lines_ahead].b]);
                }
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
    w.laws.update(w.materials);
    const GatherInput<Dim> input{w.bodies, w.cell, k.at, w.candidates, k.motion, k.touch, w.cache, w.materials, w.settings.gravity,
                                 w.h, k.loads, k.loaded_bodies, w.joints.size(), w.settings.solver.warm_start, w.laws.any_springs_back(), w.threads};
    gather<Dim>(input, k.problem, k.links);
    if (w.cache.in_problem) w.cache.use_up();
    gather_joints<Dim>({w.bodies, w.cell, k.at, w.candidates, k.motion, w.h, w.settings.solver.warm_start}, w.joints,
                       k.problem, k.joints);
    k.problem.v_ref = w.settings.gravity.norm() * w.h;
    k.problem.step = w.steps;
    k.step = w.h;
    if (w.settings.rule == ContactRule::gap && w.laws.any_bounces())
        throw InputError("contact rule 'gap' needs all restitutions to be 0; set them so, or use the rule 'moreau'");
    freeze_laws<Dim>({w.bodies, w.materials, w.laws, k.touch.touches, w.cache, k.links, w.settings.rule, w.settings.touch,
                      w.h, w.threads},
                     k.problem);
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
    report.sweeps += s.sweeps;
    report.updates += s.updates;
    report.converged = s.converged;
    report.law = s.law;
    report.moreau_change = s.moreau_change;
}

template <int Dim>
void finish_stage(typename World<Dim>::Impl& w, StepReport& report) {
    auto& k = w.work;
    note_start(w.bodies, w.candidates, w.threads, k.problem);
    k.correction = {};
    if (w.settings.position_correction) {
        k.correction = k.aside.template take<BodyLine<Dim>>(k.problem.lines.size());
        correct_positions<Dim>({w.bodies, k.touch.touches, k.links, k.problem, w.h, w.threads}, k.correction_work, k.correction);
    }
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
    keep_history<Dim>(w, false);
    w.has_contacts = true;
    w.time = t_end;
    ++w.steps_at_pace;
    ++w.steps;
    close_report<Dim>(w, rotation_shift, report);
}

#define TALUS_INSTANTIATE(Dim)                                                  \
    template void keep_history<Dim>(World<Dim>::Impl&, bool);                   \
    template void predict_stage<Dim>(World<Dim>::Impl&);                        \
    template void touch_stage<Dim>(World<Dim>::Impl&, StepReport&);             \
    template void gather_stage<Dim>(World<Dim>::Impl&);                         \
    template void solve_stage<Dim>(World<Dim>::Impl&, StepReport&);             \
    template void finish_stage<Dim>(World<Dim>::Impl&, StepReport&);
TALUS_INSTANTIATE(2)
TALUS_INSTANTIATE(3)
#undef TALUS_INSTANTIATE

}  // namespace talus
