#pragma once
/// \file
/// The world: bodies, materials, and the step.
///
/// \code
/// talus::Settings<3> settings;
/// settings.gravity = {0, 0, -9.81};
/// settings.step = 1e-3;
/// talus::World<3> world(settings);
/// auto glass = world.add_material("glass");
/// world.set_law(glass, glass, {"coulomb", 0.4, 0.0, 0.0});
/// world.add_boundary({.shape = {"plane", {0, 0, 1}}, .material = glass});
/// world.add_ball({.position = {0, 0, 1}, .radius = 0.01, .density = 2500, .material = glass});
/// while (world.time() < 1.0) world.step();
/// \endcode
///
/// Conventions: SI units; a contact's normal points towards body a; the impulse is what b gives a;
/// gap >= 0 when apart. The library never prints and never exits. A world is used by one thread at a time,
/// and may itself work with several (`set_threads`): the bits of its results do not depend on how many.

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "talus/error.h"
#include "talus/ids.h"
#include "talus/joint.h"
#include "talus/law.h"
#include "talus/math.h"
#include "talus/report.h"
#include "talus/shape.h"
#include "talus/time_function.h"

namespace talus {

/// Gets bytes in the order in which they belong.
using ByteSink = std::function<void(std::span<const std::byte>)>;

template <int Dim>
class ShapeTable;
template <int Dim>
struct StepProblem;

/// Which pairs count as contacts [design, sec. 2].
enum class ContactRule : std::uint8_t {
    moreau,  ///< those with gap(q_m) <= 0, and no others
    gap      ///< near pairs too, with U_N+ >= -gap/h; restitution zero only
};

/// In which order a sweep visits the contacts.
enum class SweepOrder : std::uint8_t { forward, symmetric, random };

/// Which error a solver must bring below its tolerance [docs/solvers.md].
enum class ErrorKind : std::uint8_t {
    law,   ///< the law error: mean over working contacts of |H (S - S*)| over g h
    full,  ///< the natural map of the De Saxce form over max(|q|, |r|, |u|), as Siconos measures
    gap    ///< the bipotential gap of sanni2009 eq. 32, over the sum of |U| |S|
};

/// What multiplies a contact's velocity error in a sweep [moreau2003, sec. 7.2].
enum class Multiplier : std::uint8_t {
    exact,   ///< the exact solution of the contact, with its own H
    scalar,  ///< one number a contact instead of H: its largest eigenvalue
    tuned    ///< one number for all contacts, `multiplier_value`
};

/// Instructions of the sweeps. All give the same bits but `fused`.
enum class Kernel : std::uint8_t {
    automatic,  ///< the fastest that the machine has and that rounds as all others
    scalar,     ///< the reference
    avx2,       ///< four contacts at a time
    fused       ///< the same with fused multiply-add: other bits, on machines that have it
};

struct SolverSettings {
    std::string name = "accelerated";  ///< a file of `src/solve/`
    double tolerance = 1e-3;      ///< on `law_error` (or the error chosen below) [-]; 0 runs to `max_sweeps`
    double tolerance_max = 0.0;   ///< on `law_error_max` too, when > 0 [-]
    ErrorKind error = ErrorKind::law;
    int min_sweeps = 1;
    int max_sweeps = 1000;        ///< hitting it above the tolerance is reported
    SweepOrder order = SweepOrder::forward;
    std::uint64_t seed = 1;       ///< for the random order
    bool warm_start = true;       ///< start from the last step's impulses, else from zero
    double relaxation = 1.0;      ///< of a sweep's corrections, in (0, 2)
    Multiplier multiplier = Multiplier::exact;
    double multiplier_value = 0.0;  ///< with Multiplier::tuned: change of impulse over change of velocity [kg], > 0
    Kernel kernel = Kernel::automatic;
    double max_seconds = 0.0;     ///< when > 0, stop after that time; results then depend on the machine
};

/// A step that follows the motion: the longest of step, step/2, step/4 ... that keeps the bounds below, judged by the
/// state at its start, so that a run is reproducible. Bounds give way where they ask for less than `min`.
struct AdaptiveStep {
    double min = 0.0;      ///< shortest step [s]; 0: all steps are `Settings::step`
    double travel = 0.1;   ///< way of a body's centre in a step, in radii (of the smallest body for boundaries) [-]
    double turn = 0.1;     ///< angle by which the normal of a contact turns in a step [rad]
};

template <int Dim>
struct Settings {
    Vec<Dim> gravity = Vec<Dim>::Zero();    ///< [m/s2]
    double step = 0.0;                      ///< h [s], > 0; the longest when it adapts
    AdaptiveStep adaptive;
    ContactRule rule = ContactRule::moreau;
    double touch = 0.0;                     ///< under `moreau`: gap counted as closed, in smaller diameters [-]
    bool position_correction = false;       ///< remove overlap by a pseudo-velocity that adds no kinetic energy
    SolverSettings solver;
    std::array<bool, Dim> periodic{};       ///< directions in which space repeats
    Vec<Dim> cell_low = Vec<Dim>::Zero();   ///< periodic cell [m]; only periodic axes are read
    Vec<Dim> cell_high = Vec<Dim>::Zero();
};

template <int Dim>
struct BallSpec {
    Vec<Dim> position = Vec<Dim>::Zero();   ///< [m]
    double radius = 0.0;                    ///< [m], > 0
    double density = 0.0;                   ///< [kg/m3] ([kg/m2] in 2D); or state `mass`
    double mass = 0.0;                      ///< [kg]; 0: from the density
    double inertia = 0.0;                   ///< [kg m2]; 0: that of a solid ball
    MaterialId material = 0;
    Vec<Dim> velocity = Vec<Dim>::Zero();   ///< [m/s]
    Spin<Dim> spin = Spin<Dim>::Zero();     ///< [rad/s]
    Rotation<Dim> rotation = {};
    std::int32_t tag = 0;                   ///< free for the user
    bool fixed = false;                     ///< all freedoms held
    BodyId glued_to = -1;                   ///< piece of that boundary: moves with it and passes its impulses on
};

/// A body of any solid shape. The shape is placed by the axes in which its sizes describe it; the body
/// itself has its origin in the centre of mass and its axes along the principal ones.
template <int Dim>
struct BodySpec {
    ShapeSpec shape;
    Vec<Dim> position = Vec<Dim>::Zero();   ///< of the origin of the shape's description [m]
    Rotation<Dim> rotation = {};            ///< of the axes of the shape's description
    double density = 0.0;                   ///< [kg/m3] ([kg/m2] in 2D); or state `mass`
    double mass = 0.0;                      ///< [kg]; 0: from the density
    Spin<Dim> inertia = Spin<Dim>::Zero();  ///< principal moments [kg m2]; 0: from mass and shape
    MaterialId material = 0;
    Vec<Dim> velocity = Vec<Dim>::Zero();   ///< of the centre of mass [m/s]
    Spin<Dim> spin = Spin<Dim>::Zero();     ///< world axes [rad/s]
    std::int32_t tag = 0;
    bool fixed = false;                     ///< all freedoms held
    bool has_weight = true;                 ///< gravity acts on its free directions
};

template <int Dim>
struct BoundarySpec {
    ShapeSpec shape;
    Vec<Dim> position = Vec<Dim>::Zero();   ///< [m]
    Rotation<Dim> rotation = {};
    MaterialId material = 0;
    double mass = 0.0;                      ///< [kg]; needed once a freedom is free
    Spin<Dim> inertia = Spin<Dim>::Zero();  ///< principal moments [kg m2]; needed once a rotation is free
    bool has_weight = false;                ///< gravity acts on its free directions
    std::int32_t tag = 0;
    Vec<Dim> velocity = Vec<Dim>::Zero();   ///< that freedoms take when they are first released [m/s]
    Spin<Dim> spin = Spin<Dim>::Zero();     ///< the same for rotations [rad/s]
};

/// A force (or torque) that depends on time and on the body's state.
class ForceFunction {
public:
    virtual ~ForceFunction() = default;
    /// `position` and `velocity` have the freedoms of the body: x y [z], then angles are left out of
    /// `position`; velocity has all of them.
    [[nodiscard]] virtual double value(double t, std::span<const double> position,
                                       std::span<const double> velocity) const = 0;
};
using ForceFunctionPtr = std::shared_ptr<const ForceFunction>;
[[nodiscard]] ForceFunctionPtr force(TimeFunctionPtr f);  ///< one that depends on time only
/// A muParser expression in t, x, y, z, vx, vy, vz (and wz in 2D; wx, wy, wz in 3D).
[[nodiscard]] ForceFunctionPtr force_expression(const std::string& text, int dim);

/// The current distance between two bodies along an axis: a factor of the area a pressure acts on.
struct Span {
    BodyId low = -1, high = -1;
    int axis = 0;
};

/// A load on one freedom: a force [N] or, with spans, a pressure [Pa] times the current area.
struct Load {
    int freedom = 0;                ///< x y [z] then rotations, see `freedoms`
    ForceFunctionPtr function;
    std::vector<Span> area;         ///< empty: `function` is a force or torque
};

enum class ContactStatus : std::uint8_t { open = 0, sticking = 1, sliding = 2 };

/// Cohesion of a contact.
enum class BondState : std::uint8_t {
    none = 0,    ///< its law has no cohesion
    intact = 1,  ///< it bears a pull
    broken = 2   ///< its law has cohesion, but this contact opened, or never was bonded
};

/// A contact of the last step.
template <int Dim>
struct Contact {
    BodyId a = -1, b = -1;
    std::uint32_t feature = 0;             ///< which feature of b (face of a box...)
    Vec<Dim> point = Vec<Dim>::Zero();     ///< on the surface of a, at q_m [m]
    Vec<Dim> normal = Vec<Dim>::Zero();    ///< unit, towards a
    double gap = 0.0;                      ///< at q_m [m], negative in overlap
    Vec<Dim> impulse = Vec<Dim>::Zero();   ///< what b gave a during the step [N s]; force = impulse / h
    ContactStatus status = ContactStatus::open;
    Vec<Dim> velocity_before = Vec<Dim>::Zero();  ///< U- = V_a - V_b at the contact point [m/s]
    Vec<Dim> velocity_after = Vec<Dim>::Zero();   ///< U+ [m/s]
    double restitution = 0.0, tangential_restitution = 0.0, friction = 0.0;  ///< as frozen for the step
    Spin<Dim> couple = Spin<Dim>::Zero();  ///< rolling and pivoting couple that b gave a, about the point [N m s]
    double cohesion = 0.0;                 ///< pull that it could bear during the step [N]
    BondState bond = BondState::none;      ///< after the step

    [[nodiscard]] double normal_impulse() const { return impulse.dot(normal); }
};

/// Impulses of one contact summed since `clear_contact_sums`.
template <int Dim>
struct ContactSum {
    BodyId a = -1, b = -1;
    std::uint32_t feature = 0;
    Vec<Dim> point = Vec<Dim>::Zero();     ///< where it was last seen [m]
    Vec<Dim> normal = Vec<Dim>::Zero();    ///< as last seen
    Vec<Dim> impulse = Vec<Dim>::Zero();   ///< sum [N s]
};

/// Answer of the one-step equilibrium check [moreau2001, sec. 2.1].
struct Equilibrium {
    bool holds = false;            ///< largest |u_F| <= tolerance * v_ref
    double max_velocity = 0.0;     ///< largest |u_F| from rest [m/s]
    double v_ref = 0.0;            ///< g h [m/s]
    StepReport report;             ///< of the step that was tried
};

/// A collection of rigid bodies in contact, in `Dim` = 2 or 3 dimensions.
template <int Dim>
class World {
public:
    /// \throws InputError when a setting is impossible.
    explicit World(const Settings<Dim>& settings);
    ~World();
    World(World&&) noexcept;
    World& operator=(World&&) noexcept;

    // --- set-up ---------------------------------------------------------------------------------
    MaterialId add_material(const std::string& name);
    /// The law between two materials (both orders). Pairs not set have none: using one is an error.
    void set_law(MaterialId a, MaterialId b, const LawSpec& law);
    /// Makes room for so many bodies, for who knows how many will come.
    void reserve(std::size_t bodies);
    BodyId add_ball(const BallSpec<Dim>& spec);
    /// A solid of any shape: it touches every other body.
    BodyId add_body(const BodySpec<Dim>& spec);
    /// Boundaries are fixed until their freedoms are released or driven. They do not touch each other.
    BodyId add_boundary(const BoundarySpec<Dim>& spec);
    void remove(std::span<const BodyId> ids);
    /// Stops the body where it stands, for good.
    void freeze(BodyId id);
    /// Freedom `k` (x y [z] then rotations) follows `displacement` relative to where it stands now:
    /// x(t) = x(now) + f(t) - f(now). In 3D at most one rotation of a body may be driven to move.
    void drive(BodyId id, int k, TimeFunctionPtr displacement);
    void release(BodyId id, int k);          ///< the freedom becomes free
    void fix(BodyId id, int k);              ///< the freedom is held where it stands
    /// Joins two bodies, or one and the ground. Joints of a body that is removed go with it.
    JointId add_joint(const JointSpec<Dim>& spec);
    void remove_joint(JointId id);
    void set_loads(BodyId id, std::vector<Load> loads);  ///< replaces those it had
    void set_velocity(BodyId id, const Vec<Dim>& velocity, const Spin<Dim>& spin);
    void set_tag(BodyId id, std::int32_t tag);
    /// Change gravity, step, rule or solver between steps (the cell stays).
    /// Stored impulses are rescaled when the step changes.
    void set_settings(const Settings<Dim>& settings);
    [[nodiscard]] const Settings<Dim>& settings() const;
    /// Threads that a step may use, 1 at first. Not a setting: results have the same bits for any number.
    /// \throws InputError when `count` < 1.
    void set_threads(int count);
    [[nodiscard]] int threads() const;
    /// Gives a contact the impulse its first solve starts from: history carried over from elsewhere
    /// [moreau2003, sec. 8.2]. Contacts that are not found at the next step are ignored.
    void set_history(std::span<const Contact<Dim>> contacts);

    // --- motion ---------------------------------------------------------------------------------
    StepReport step();
    /// One step from rest, undone afterwards; `contacts()` keeps the forces found.
    Equilibrium check_equilibrium(double tolerance = 1e-6);
    [[nodiscard]] double step_length() const;   ///< h of the last step; before the first, of the longest [s]
    [[nodiscard]] double time() const;
    [[nodiscard]] std::int64_t steps() const;

    // --- bodies, as parallel arrays; an index is valid until bodies are added or removed --------
    [[nodiscard]] std::size_t size() const;
    [[nodiscard]] std::span<const BodyId> ids() const;               ///< increasing
    [[nodiscard]] std::span<const Vec<Dim>> positions() const;       ///< [m], inside the periodic cell
    [[nodiscard]] std::span<const Eigen::Matrix<std::int32_t, Dim, 1>> images() const;  ///< cells crossed
    [[nodiscard]] std::span<const Rotation<Dim>> rotations() const;
    [[nodiscard]] std::span<const Vec<Dim>> velocities() const;      ///< [m/s]
    [[nodiscard]] std::span<const Spin<Dim>> spins() const;          ///< [rad/s], world axes
    [[nodiscard]] std::span<const double> radii() const;             ///< of balls, or of the ball about the centre of mass that holds the body [m]; 0 for boundaries
    [[nodiscard]] std::span<const double> masses() const;            ///< [kg]
    [[nodiscard]] std::span<const Spin<Dim>> inertias() const;       ///< principal moments [kg m2]
    [[nodiscard]] std::span<const MaterialId> materials() const;
    [[nodiscard]] std::span<const std::int32_t> tags() const;
    [[nodiscard]] std::span<const double> births() const;            ///< time of creation [s]
    /// Bit k set: freedom k is driven (or fixed). All freedoms set: the body is part of the walls.
    [[nodiscard]] std::span<const std::uint8_t> driven() const;
    [[nodiscard]] std::span<const std::int32_t> shapes() const;      ///< index for `shape`
    [[nodiscard]] const ShapeSpec& shape(std::int32_t shape_index) const;  ///< index 0 is the ball
    [[nodiscard]] std::shared_ptr<const ShapeTable<Dim>> shape_table() const;  ///< their geometry, for the laboratory
    [[nodiscard]] bool is_ball(std::size_t index) const;
    [[nodiscard]] bool is_grain(std::size_t index) const;            ///< a ball or another solid that is not a wall
    [[nodiscard]] bool is_wall(std::size_t index) const;             ///< no free freedom, itself or what it is glued to
    [[nodiscard]] std::size_t index_of(BodyId id) const;             ///< \throws InputError when gone
    [[nodiscard]] bool contains(BodyId id) const;
    [[nodiscard]] const std::string& material_name(MaterialId id) const;

    // --- contacts of the last step --------------------------------------------------------------
    [[nodiscard]] std::vector<Contact<Dim>> contacts() const;
    /// The contact problem of the last step as it was solved, for the laboratory (`src/step/step_problem.h`).
    [[nodiscard]] StepProblem<Dim> step_problem() const;
    /// Sum of the contact impulses that the others gave this body in the last step [N s].
    [[nodiscard]] Vec<Dim> contact_impulse(BodyId id) const;
    /// The same for every body, by index, in one pass over the contacts; those of balls may be left undone, which is quicker.
    [[nodiscard]] std::vector<Vec<Dim>> contact_impulses(bool of_balls = true) const;
    /// From now on sum impulses over steps, for recorders.
    void accumulate_contacts(bool on);
    [[nodiscard]] std::vector<ContactSum<Dim>> contact_sums() const;
    void clear_contact_sums();

    /// All joints in the order of creation, with the impulses of the last step.
    [[nodiscard]] std::vector<Joint<Dim>> joints() const;
    /// Gives joint `id` the impulse and moment its next solve starts from.
    void set_joint_history(JointId id, const Vec<Dim>& impulse, const Spin<Dim>& moment);

    // --- questions ------------------------------------------------------------------------------
    /// Smallest gap between a ball placed at `centre` and any body [m]; infinity in an empty world.
    [[nodiscard]] double clearance(const Vec<Dim>& centre, double radius) const;
    /// Gap between two bodies as they stand [m], negative in overlap; infinity when it is above `limit`, or
    /// between two boundaries.
    [[nodiscard]] double gap(BodyId first, BodyId second, double limit = 0.0) const;
    /// Digest of the whole dynamic state: equal hashes, equal bits.
    [[nodiscard]] std::uint64_t hash() const;
    /// Bytes held for bodies, contacts and candidates.
    [[nodiscard]] std::size_t bytes() const;

    // --- stop and resume ------------------------------------------------------------------------
    /// Everything that changes while running, contact history and candidate list included. Laws,
    /// drives and loads are not in it: build the same world, then `restore`.
    [[nodiscard]] std::vector<std::byte> checkpoint() const;
    /// The same bytes, piece by piece: those of a million bodies take half a gigabyte.
    void checkpoint(const ByteSink& sink) const;
    /// \throws IoError when the bytes are damaged or of another version.
    void restore(std::span<const std::byte> bytes);

    struct Impl;

private:
    friend struct WorldAccess;  // for the laboratory: src/step/next_problem.h
    std::unique_ptr<Impl> impl_;
};

extern template class World<2>;
extern template class World<3>;

}  // namespace talus
