#pragma once
/// \file
/// The readers of the parts of a scene. Each takes its keys from a mapping and fills the scene of its
/// context; mistakes are noted there. Order matters: materials before bodies, bodies before what names
/// them.

#include <string>
#include <vector>

#include "scene/reader.h"

namespace talus::scene {

// --- materials and laws (read_materials.cpp) --------------------------------------------------------
/// Fills materials and the laws of the first stage.
void read_materials(Reader& root, std::vector<PairLaw>& laws);
/// Pairs of the scene or, with `replace`, changes to those there are.
void read_pairs(Reader& parent, std::vector<PairLaw>& laws, bool replace);
/// Reports the pairs of materials that may touch and have no law.
void check_pairs(Context& context, const std::vector<PairLaw>& laws);

// --- geometry (read_regions.cpp, read_shapes.cpp) ---------------------------------------------------
/// The one region below `node`; `what` names it in messages.
[[nodiscard]] Region read_region(const Node& node, const std::string& what, Context& context);
[[nodiscard]] CrossSection read_cross_section(const Node& node, const std::string& what, Context& context);
/// A cross-section, or a box that also bounds the height: `box` is then set.
[[nodiscard]] CrossSection read_source_region(const Node& node, const std::string& what, Context& context,
                                              double box[2], bool& has_box);
/// The shape of a body: shape, radius, and for a segment by its ends position and rotation.
void read_shape(Reader& keys, BodyPlan& body);
/// `rotation`: degrees in the plane, axis and degrees in space; as axis times radians.
[[nodiscard]] Point read_rotation(Reader& keys);
/// A list of points with at least `least` entries, in SI; empty after a report.
[[nodiscard]] std::vector<Point> read_points(Reader& keys, const std::string& key, std::size_t least);
/// `shape` of generated grains (read_grain_shapes.cpp); balls when the key is absent.
[[nodiscard]] GrainShapes read_grain_shapes(Reader& keys);

// --- sizes (read_sizes.cpp) -------------------------------------------------------------------------
/// The distribution under `radius` or `diameter`.
[[nodiscard]] Sizes read_sizes(Reader& keys, std::uint64_t seed);

// --- motion (read_time_functions.cpp, read_motion.cpp) ----------------------------------------------
/// A function of time in SI with the largest slope where it is known.
struct TimeLaw {
    TimeFunctionPtr function;
    double top_slope = 0.0;
};
/// A drive of one freedom: its displacement. `unit` is the quantity of the displacement.
[[nodiscard]] TimeLaw read_drive(const Node& node, const std::string& what, Quantity unit, Context& context);
/// A load: a number, an expression in t, or a ramp, sine or table.
[[nodiscard]] TimeFunctionPtr read_time_load(const Node& node, const std::string& what, Quantity unit,
                                             Context& context);
/// Reads `freedoms` (by axis, or free or fixed for all), `drive`, `fixed` into `motion`, which holds the defaults.
void read_freedoms(Reader& keys, Motion& motion, bool is_ball);
/// Reads `force` and `pressure`; replaces the loads when either is there. Bodies must be known by name.
void read_loads(Reader& keys, Motion& motion);

// --- the lists (read_bodies.cpp, read_generate.cpp, read_sources.cpp, read_stages.cpp) --------------
void read_bodies(Reader& root);
void read_joints(Reader& root);  // read_joints.cpp
void read_generators(Reader& root);
void read_emitters(Reader& root);
void read_sinks(Reader& root);
void read_freeze(Reader& root);
void read_stages(Reader& root, const Stage& base);

// --- settings and recording (read_settings.cpp, read_record.cpp, read_start.cpp) --------------------
/// Format version, title, dimension, units, seed, periodic cell: what all others need first.
void read_header(Reader& root);
/// `step`, `gravity`, `contact`, `solver` into a stage that holds the defaults.
void read_stage_settings(Reader& keys, Stage& stage);
void read_record(Reader& root);
void read_observe(Reader& root);
void read_start(Reader& root);

// --- files ------------------------------------------------------------------------------------------
/// A path of the scene, relative to where the scene is.
[[nodiscard]] std::string resolve_path(const std::string& path, const Context& context);

// --- checks of the whole (check_*.cpp), made when all parts could be read ---------------------------
/// Grains inside other bodies, and bodies the engine refuses.
void check_overlap(Context& context);
/// Steps in which something of known speed travels more than a tenth of the smallest diameter.
void check_speeds(Context& context);
void check_solvers(Context& context);
/// Free grains and bodies without mass.
void check_masses(Context& context);
/// Periodic cells shorter than four of the largest radii; `mark` is where they are stated.
void check_cell(Context& context, const Node* periodic);
/// Bouncing laws under the rule `gap`.
void check_rule(Context& context);

/// Largest speed known at the beginning of `stage` [m/s]: of balls (first stage only), sources, drives.
[[nodiscard]] double known_speed(const Scene& scene, std::size_t stage);
/// Smallest and largest diameter of balls and sources [m]; 0 when there are none.
void diameters(const Scene& scene, double& smallest, double& largest);

}  // namespace talus::scene
