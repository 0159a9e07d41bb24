#pragma once
/// \file
/// What a world holds: the state that lasts, and the workspace of a step.

#include <map>
#include <memory>

#include "contact/cache.h"
#include "contact/gather.h"
#include "contact/joints.h"
#include "detect/broad/list_work.h"
#include "detect/broad/patch.h"
#include "detect/narrow/touch.h"
#include "integrate/correct.h"
#include "integrate/ledger.h"
#include "laws/freeze.h"
#include "laws/link.h"
#include "parallel/threads.h"
#include "solve/solver_registry.h"
#include "state/drives.h"
#include "state/joints.h"
#include "state/materials.h"
#include "talus/world.h"

namespace talus {

/// Arrays that a step fills; kept so that a warmed-up step allocates nothing.
template <int Dim>
struct StepWork {
    Placement<Dim> at;
    DrivenMotion<Dim> motion;
    TouchList<Dim> touch;
    ContactProblem<Dim> problem;
    StartImpulses<Dim> start;
    ContactLinks<Dim> links;
    std::vector<JointRecord<Dim>> joints;
    std::span<BodyLine<Dim>> correction;   ///< pseudo-velocities, in `aside`; empty when off
    CorrectionWork correction_work;
    std::vector<Wrench<Dim>> loads;
    std::vector<std::int32_t> loaded_bodies;
    std::vector<std::size_t> drive_index;
    WaysAhead<Dim> ways;
    LostEntries lost;
    PatchWork<Dim> patch;
    ListWork<Dim> list;
    Scratch aside;                    ///< lists made under the rule `gap`; pseudo-velocities
    int rounds = 0;                   ///< how often the step has looked again for contacts
    double step = 0.0;                ///< h of the step that filled this [s]
};

/// Energy that entered or left between steps by the user's hand [J].
struct Bookings {
    double created = 0.0, removed = 0.0, frozen = 0.0;
};

template <int Dim>
struct World<Dim>::Impl {
    Settings<Dim> settings;
    Threads threads;                 ///< no part of the state: results do not depend on them
    Cell<Dim> cell;
    double h = 0.0;                  ///< present step [s]
    double turning = 0.0;            ///< fastest turn of a normal in the last step, when the step adapts [rad/s]
    double time = 0.0;
    double time_base = 0.0;          ///< time = time_base + steps_at_pace * h: no error builds up
    std::int64_t steps_at_pace = 0;
    std::int64_t steps = 0;
    BodyId next_id = 0;
    JointId next_joint = 0;
    Bodies<Dim> bodies;
    std::shared_ptr<ShapeTable<Dim>> shapes = std::make_shared<ShapeTable<Dim>>();  ///< shared with snapshots; only grows
    Materials materials;
    LawTable laws;
    std::vector<Drive> drives;
    std::vector<BodyLoads<Dim>> loads;
    std::vector<JointState<Dim>> joints;
    /// Velocities that boundaries take when a freedom is first released.
    std::map<BodyId, Eigen::Matrix<double, freedoms<Dim>, 1>> launches;
    ContactCache<Dim> cache;
    CandidateList<Dim> candidates;
    std::unique_ptr<Solver<Dim>> solver;
    Bookings bookings;
    Energy<Dim> energy;         ///< after the last step, bookings included
    StepWork<Dim> work;
    bool has_contacts = false;  ///< `work` holds the contacts of a step made with the present bodies

    [[nodiscard]] std::size_t index_of(BodyId id) const;
    [[nodiscard]] Energy<Dim> energy_of_body(std::size_t i) const {
        return energy_of(bodies, cell, settings.gravity, i);
    }
    /// The bodies changed: lists and links are stale.
    void invalidate();
    /// For a list that is made while no contacts are. Under the rule `gap` a list may be asked for once velocities are known: where bodies went,
    /// by body, stays.
    [[nodiscard]] ListMemory<Dim> list_memory() {
        return {work.list, work.problem.by_contact, settings.rule == ContactRule::gap ? work.aside : work.problem.by_body};
    }
    [[nodiscard]] Vec<Dim> contact_point(std::size_t k) const;
};

/// One step: the table of contents of the program.
template <int Dim>
StepReport make_step(typename World<Dim>::Impl& w);

}  // namespace talus
