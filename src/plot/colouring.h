#pragma once
/// \file
/// What the colour of a grain says in a drawing:
///   birth     its birth date; `layers`: black where born in given intervals (fossil layers of moreau2003, fig. 3 and 5)
///   speed     classes at powers of 0.18 below the fastest where most rest (moreau2003, fig. 2), else equal steps
///   load      the sum of the normal forces it bears (moreau2001, fig. 1); dark: much
///   rotation  how far it has turned [deg]; spin: how fast it turns [rad/s]
///   size, tag, material, or nothing.

#include <map>
#include <string>
#include <vector>

#include "observe/forces.h"
#include "observe/units.h"
#include "plot/colour_scale.h"
#include "plot/options.h"

namespace talus::plot {

inline const std::vector<std::string> colourings{"auto", "birth", "layers", "speed", "load", "rotation", "spin", "size", "tag", "material", "plain"};

struct Colouring {
    std::string kind = "auto";       ///< one of `colourings`
    std::string palette = "auto";    ///< auto, grey, colour
    std::vector<Interval> layers;    ///< [s]
    double highest = 0.0;            ///< end of the scale, in the units of the key; 0: from the frame
    bool average = false;            ///< loads over the frame's interval
    std::string plain = "#c9d6df";   ///< colour of `plain`
};

/// Colours of the bodies of a frame: a value for each, NaN for those held fixed, and what the values mean.
struct BodyColours {
    std::vector<double> values;
    ColourScale scale;
    bool grey = false;   ///< grey levels: grains want a dark outline
};

using TagNames = std::map<std::string, std::int32_t>;

/// `tag_names`: what the scene calls its tags; may be empty.
template <int Dim>
[[nodiscard]] BodyColours colour_bodies(const Snapshot<Dim>& snapshot, Colouring colouring, observe::UnitSystem units,
                                        const TagNames& tag_names);

/// Sum of the normal forces on each body [N].
template <int Dim>
[[nodiscard]] std::vector<double> grain_loads(const Snapshot<Dim>& snapshot, bool average);

}  // namespace talus::plot
