#pragma once
/// \file
/// A scene: all that a scene file says, checked, in SI units, with its grains generated.
///
/// The dimension (2 or 3) is known at run time; vectors have three components of which a scene in the
/// plane uses the first two (spins in the plane use the first one). `Simulation<Dim>` turns a scene
/// into a running world. Names are resolved: materials and bodies are referred to by index.
///
/// The language is documented in docs/scene.md.

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include <Eigen/Core>

#include "observe/spec.h"
#include "scene/frame.h"
#include "scene/grain_shapes.h"
#include "scene/mark.h"
#include "scene/region.h"
#include "scene/sizes.h"
#include "talus/law.h"
#include "talus/shape.h"
#include "talus/time_function.h"
#include "talus/world.h"

namespace talus::scene {

inline constexpr double infinity = std::numeric_limits<double>::infinity();

struct Material {
    std::string name;
    double density = 0.0;  ///< [kg/m3], [kg/m2] in 2D; 0: not stated, its balls state their mass
};

/// The law between two materials.
struct PairLaw {
    int a = 0, b = 0;
    LawSpec law;
    Mark mark;
};

/// How one freedom of a body moves.
struct Freedom {
    enum class Kind : std::uint8_t { free, fixed, driven } kind = Kind::fixed;
    TimeFunctionPtr drive;   ///< displacement [m] or angle [rad]; t counts from when it comes into force
    double top_speed = 0.0;  ///< largest |velocity| where known [m/s]; 0 for rotations
};
[[nodiscard]] inline bool is_free(const Freedom& freedom) { return freedom.kind == Freedom::Kind::free; }

/// A force or pressure on one freedom; spans name bodies by index.
struct LoadPlan {
    int freedom = 0;
    ForceFunctionPtr function;               ///< [N], [N m] or [Pa]; t counts as for drives
    std::vector<std::array<int, 3>> across;  ///< {low body, high body, axis}: factors of the area
};

/// What moves and loads a body; a stage may replace it.
struct Motion {
    std::vector<Freedom> freedoms;  ///< x y r, or x y z rx ry rz
    std::vector<LoadPlan> loads;
};

/// A named ball, solid of another shape, or boundary.
struct BodyPlan {
    std::string name;
    bool is_ball = false;
    bool is_solid = false;           ///< has an inside and is no ball: can be a body with mass
    ShapeSpec shape;
    double radius = 0.0;             ///< of a ball [m]
    Point position = Point::Zero();  ///< [m]
    Point turn = Point::Zero();      ///< orientation as axis times angle [rad]; 2D: first component
    Point velocity = Point::Zero();  ///< [m/s]
    Point spin = Point::Zero();      ///< [rad/s]; 2D: first component
    double mass = 0.0;               ///< [kg]; 0: from the density, or none needed
    Point inertia = Point::Zero();   ///< principal moments [kg m2]; 0: from mass and shape, or none needed
    int material = 0;
    std::int32_t tag = 0;
    bool has_weight = false;
    bool weight_stated = false;      ///< else a solid that serves as a boundary has none
    Motion motion;
    Mark mark;

    /// The world makes it with all freedoms free; else with all held.
    [[nodiscard]] bool is_made_free() const {
        return is_ball || (is_solid && std::all_of(motion.freedoms.begin(), motion.freedoms.end(), is_free));
    }
    /// Some freedom is free at the beginning.
    [[nodiscard]] bool can_move() const { return std::any_of(motion.freedoms.begin(), motion.freedoms.end(), is_free); }
};

/// A joint between two bodies, or one and the ground.
struct JointPlan {
    std::string name;
    JointKind kind = JointKind::ball;
    int a = -1, b = -1;              ///< bodies; b < 0: the ground
    Point at = Point::Zero();        ///< [m]
    Point to = Point::Zero();        ///< other end of a rod [m]
    Point axis = Point::Zero();
    double length = 0.0;             ///< of a rod [m]; 0: the distance of its ends
    bool collide = false;
    Mark mark;
};

/// A generated grain, or one read from a CSV file.
struct GrainPlan {
    Point position = Point::Zero();  ///< [m]
    Point velocity = Point::Zero();  ///< [m/s]
    Point spin = Point::Zero();      ///< [rad/s]; 2D: first component
    double radius = 0.0;             ///< of a ball, or of one that holds the grain [m]
    int shape = -1;                  ///< index in `Scene::shapes`; -1: a ball
    Point turn = Point::Zero();      ///< orientation as axis times angle [rad]; 2D: first component
    double mass = 0.0;               ///< [kg]; 0: from the density of its material
    int material = 0;
    std::int32_t tag = 0;
    bool fixed = false;
    int glued_to = -1;  ///< index of a body, or -1
    int group = 0;      ///< index in `Scene::groups`
};

/// Grains that one entry of `generate` (or the start CSV) made: `grains[first .. first + count)`.
struct Group {
    std::string name;
    std::size_t first = 0, count = 0;
    Mark mark;
};

struct EmitterPlan {
    enum class Height : std::uint8_t { fixed, lowest_free, in_box };
    std::string name;
    CrossSection region;
    double rate = 0.0;  ///< [grains/s]
    std::int64_t count = std::numeric_limits<std::int64_t>::max();
    double start = 0.0, stop = infinity;  ///< since it was switched on [s]
    Height height_rule = Height::fixed;
    double height = 0.0;             ///< along the vertical [m]; low end for `in_box`
    double height_high = 0.0;        ///< high end for `in_box` [m]
    double above_apex = infinity;    ///< `lowest_free`: at most so far above the apex [m]
    double drop_from = infinity;     ///< `lowest_free`: let down from this height; infinity: from above all
    Point velocity = Point::Zero();  ///< [m/s]
    double dispersion = 0.0;         ///< a vector uniform in a ball of this radius is added [m/s]
    Sizes sizes;
    GrainShapes shapes;
    int material = 0;
    std::int32_t tag = 0;
    std::uint64_t seed = 0;
};

/// Which grains a sink or a freezing rule concerns.
struct GrainFilter {
    std::optional<std::int32_t> tag;
    std::optional<int> material;
};

struct SinkPlan {
    enum class Kind : std::uint8_t { below, inside, outside } kind = Kind::below;
    std::string name;
    double height = 0.0;  ///< `below`: along the vertical [m]
    Region region;
    GrainFilter filter;
};

struct FreezePlan {
    std::vector<int> bodies;  ///< touching one of these
    std::vector<int> groups;  ///< or a ball of one of these
    GrainFilter filter;
};

/// When a stage ends before its duration. Every stated condition must hold.
struct Until {
    double kinetic_energy = infinity;            ///< total of the grains below this [J]
    double kinetic_energy_per_grain = infinity;  ///< mean over grains of E/(m g d) below this [-]
    double max_speed = infinity;                 ///< [m/s]
    bool emitters_done = false;                  ///< every emitter that is on has made its count
    double after = 0.0;                          ///< not before, since the stage began [s]
    [[nodiscard]] bool is_set() const {
        return kinetic_energy < infinity || kinetic_energy_per_grain < infinity || max_speed < infinity ||
               emitters_done;
    }
};

/// One stage with everything it changes already applied: a stage is the scene with its own changes.
struct Stage {
    std::string name;
    double duration = infinity;  ///< at most [s]
    Until until;
    double step = 0.0;  ///< [s]; the longest when it adapts
    AdaptiveStep adaptive;
    Point gravity = Point::Zero();
    ContactRule rule = ContactRule::moreau;
    double touch = 0.0;
    bool position_correction = false;
    SolverSettings solver;
    bool demand = false;  ///< missing the tolerance is a failure of the run
    std::vector<PairLaw> laws;
    std::vector<Motion> motions;   ///< of each body
    std::vector<bool> emitter_on;  ///< of each emitter
    Mark mark, step_mark;
};

/// What to write, and how often. Times are simulated seconds.
struct RecordPlan {
    double every = 0.0;               ///< between frames [s]; 0: only the first and the last
    bool contacts = true;             ///< contacts with the impulses of the step
    bool sums = false;                ///< impulses summed over the frame's interval
    std::vector<std::string> arrays;  ///< of bodies; empty: all
    double report_every = 0.0;        ///< between step reports [s]; 0: every step
    double checkpoint_every = 0.0;    ///< between checkpoints [s]; 0: only at the end or when stopped
    bool csv = false, vtp = false;    ///< export when done
};

/// Where the grains come from when not from this scene.
struct StartPlan {
    std::string run;              ///< path of a run file
    std::int64_t frame = -1;      ///< negative: counted from the end
    bool impulses = true;         ///< carry the contact impulses over [moreau2003, sec. 8.2]
    bool move_boundaries = true;  ///< boundaries stand where they stood in the frame
    bool fixed_balls = true;      ///< take balls without a free freedom too
    Mark mark;
};

struct Scene {
    std::string path;       ///< as given
    std::string directory;  ///< for files named in the scene
    std::string text;       ///< the scene file after overrides
    std::string title;
    int dimension = 3;
    observe::UnitSystem units = observe::UnitSystem::si;
    std::uint64_t seed = 1;
    double duration = infinity;  ///< cap on the whole run [s]
    std::array<bool, 3> periodic{};
    Point cell_low = Point::Zero(), cell_high = Point::Zero();
    Frame frame;  ///< which way is up
    std::vector<Material> materials;
    std::vector<BodyPlan> bodies;
    std::vector<JointPlan> joints;
    std::vector<GrainPlan> grains;
    std::vector<ShapeSpec> shapes;  ///< of grains that are not balls
    std::vector<Group> groups;
    std::vector<EmitterPlan> emitters;
    std::vector<SinkPlan> sinks;
    std::vector<FreezePlan> freezes;
    std::vector<Stage> stages;  ///< at least one
    RecordPlan record;
    std::vector<observe::Spec> observe;
    std::optional<StartPlan> start;
    std::map<std::string, std::int32_t> tags;  ///< names that stand for tags
};

/// One `--set key=value`.
struct Override {
    std::string key;    ///< path, e.g. materials.grain.friction
    std::string value;  ///< YAML
};

/// Reads, checks and fills in a scene.
/// \throws InputError with all that is wrong, one line each, `file:line:col: what; what to write instead`.
/// \throws IoError when the file cannot be read.
[[nodiscard]] Scene load_scene(const std::string& path, const std::vector<Override>& overrides = {});

/// The same from text; `name` stands for the file in messages, `directory` is where files named in the
/// scene are looked for.
[[nodiscard]] Scene load_scene_text(const std::string& text, const std::string& name, const std::string& directory,
                                    const std::vector<Override>& overrides = {});

}  // namespace talus::scene
