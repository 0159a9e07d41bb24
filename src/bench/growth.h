#pragma once
/// \file
/// How the cost of a step grows with the number of bodies, what detection takes of it, and how much memory a body
/// needs.
///
/// Settled packings of 1k to 1M spheres, or of other grains (bench/packing.h): steps with a fixed number of sweeps give the time of a step and its
/// slope over the number of bodies on log-log axes; steps at the scene's default tolerance under gravity tilted by two degrees,
/// so that contacts have work to do, give the share of detection in ordinary use. The fastest step counts, for other
/// jobs only ever slow one down. Limits: a packing of 1000 fits into a second-level cache, one of 100 000 into none, so that
/// some of the slope is that of the caches.

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "bench/packing.h"

namespace talus::bench {

struct GrowthOptions {
    Grains grains = Grains::spheres;
    std::vector<std::size_t> bodies;   ///< empty: 1k to 1M balls, 1k and 10k polygons or polyhedra
    std::string solver = SolverSettings{}.name;
    int sweeps = 50;             ///< of the steps that are timed
    double seconds = 2.0;        ///< spent on the timed steps of each size, three steps at least, and on those with gravity tilted [s]
    double settle = 0.6;         ///< simulated time in which the block settles [s]
    double friction = usual_friction;   ///< the less, the more contacts a body has [-]
    std::uint64_t seed = 1;
};

struct GrowthRow {
    std::size_t bodies = 0, contacts = 0;
    double step_seconds = 0.0;           ///< processor time of the fastest step with the fixed number of sweeps [s]
    StepTimes stages;                    ///< of that step, by the clock [s]
    double sweeps_tilted = 0.0;          ///< mean of the steps at the default tolerance, gravity tilted, in the fastest of the rounds in which they were made
    double seconds_tilted = 0.0;         ///< mean of a step of those [s]
    double detect_share_tilted = 0.0;    ///< of those steps [-]
    double bytes_per_body = 0.0;         ///< all that the world holds after its steps, contacts included [B]
    double peak_bytes = 0.0;             ///< largest resident memory of the process so far [B]
    [[nodiscard]] double detect_share() const { return stages.detect() / stages.total(); }
};

struct GrowthResult {
    std::vector<GrowthRow> rows;
    double slope = 0.0;                  ///< of log(step_seconds) over log(bodies), least squares; 0 with one size
};

/// \throws InputError on options that make no sense.
[[nodiscard]] GrowthResult measure_growth(const GrowthOptions& options,
                                          const std::function<void(const std::string&)>& say);

/// Slope of log(y) over log(x) by least squares; 0 with fewer than two different x.
[[nodiscard]] double log_slope(const std::vector<double>& x, const std::vector<double>& y);

}  // namespace talus::bench
