/// \file
/// A row of dominoes; the first one is tilted towards the others about its lower edge, or pushed.
#include <cmath>

#include "math/portable.h"
#include "scene/read.h"
#include "scene/structure.h"

namespace talus {
namespace {

using namespace scene;

std::vector<GeneratedGrain> make_dominoes(GeneratorInput& input) {
    const Site site(input);
    Reader& keys = input.keys;
    const std::int64_t count = keys.need_integer("count", 1, 1'000'000, "20");
    const double height = keys.need_number("height", quantity::length, range::positive, "0.048");
    const double thickness = keys.need_number("thickness", quantity::length, range::positive, "0.0075");
    const double spacing = keys.need_number("spacing", quantity::length, range::positive, "0.02");
    const double width =
        site.dimension() == 3 ? keys.need_number("width", quantity::length, range::positive, "0.024") : 0.0;
    const double tilt = keys.number("tilt", quantity::number, {0.0, 90.0, false, false}, 0.0) * M_PI / 180.0;
    const double push = keys.number("push", quantity::velocity, range::not_negative, 0.0);
    const double c = portable::cos(tilt), s = portable::sin(tilt);
    if (count > 1 && height * s > spacing)
        keys.fail("tilt", "the first domino leans into the second one; write a smaller 'tilt' or a larger 'spacing'");
    std::vector<GeneratedGrain> made;
    if (!keys.context().errors.empty()) return made;
    const double pitch = thickness + spacing, middle = 0.5 * pitch * static_cast<double>(count - 1);
    for (std::int64_t k = 0; k < count; ++k) {
        const double along = pitch * static_cast<double>(k) - middle;
        if (k > 0) {
            made.push_back(site.block(along, 0.5 * height, thickness, width, height));
            continue;
        }
        // The centre seen from the lower edge that it leans over.
        const double edge = along + 0.5 * thickness, x = -0.5 * thickness * c + 0.5 * height * s,
                     y = 0.5 * thickness * s + 0.5 * height * c;
        made.push_back(tilt > 0.0 ? site.block(edge + x, y, thickness, width, height, tilt)
                                  : site.block(along, 0.5 * height, thickness, width, height));
        made.back().velocity = push * site.along();
    }
    return made;
}

}  // namespace

void register_dominoes(GeneratorRegistry& registry) {
    registry.add("dominoes", {make_dominoes, false, Generator::Grains::own});
}

}  // namespace talus
