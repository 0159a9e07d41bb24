/// \file
/// A column of drums, with a capital on top: cylinders, or frusta where it tapers; boxes and trapezia in the
/// plane.
#include "scene/read.h"
#include "scene/structure.h"

namespace talus {
namespace {

using namespace scene;

/// `diameter`: a number, or that of the foot and that of the top.
std::array<double, 2> read_diameters(Reader& keys) {
    Context& context = keys.context();
    const Node* node = keys.need("diameter", "1");
    if (node == nullptr) return {1.0, 1.0};
    if (!node->is_list()) {
        const double d = keys.number("diameter", quantity::length, range::positive, 1.0);
        return {d, d};
    }
    const auto values = read_numbers(*node, "diameter", 2, range::positive, context);
    if (!values) return {1.0, 1.0};
    return {context.si((*values)[0], quantity::length), context.si((*values)[1], quantity::length)};
}

/// A drum from height `low` on.
GeneratedGrain drum(const Site& site, double low, double height, double lower, double upper) {
    if (lower == upper && site.dimension() == 2) return site.block(0.0, low + 0.5 * height, lower, 0.0, height);
    if (lower == upper) return site.put({"cylinder", {0.5 * lower, height}}, 0.0, low + 0.5 * height);
    const double a = 0.5 * lower, b = 0.5 * upper, high = low + height;
    if (site.dimension() == 3) return site.put({"frustum", {a, b, height}}, 0.0, low + 0.5 * height);
    return site.prism({{-a, low}, {a, low}, {b, high}, {-b, high}}, 0.0);
}

std::vector<GeneratedGrain> make_column(GeneratorInput& input) {
    const Site site(input);
    Reader& keys = input.keys;
    const std::int64_t drums = keys.need_integer("drums", 1, 10000, "10");
    const auto [foot, top] = read_diameters(keys);
    const double height = keys.need_number("height", quantity::length, range::positive, "0.5");
    double capital[2] = {0.0, 0.0};
    if (const Node* node = keys.find("capital")) {
        Reader part(*node, keys.context(), "'capital' of " + keys.what());
        capital[0] = part.need_number("diameter", quantity::length, range::positive, "1.3");
        capital[1] = part.need_number("height", quantity::length, range::positive, "0.4");
        part.finish();
    }
    std::vector<GeneratedGrain> made;
    if (!keys.context().errors.empty()) return made;
    const auto width = [&, foot = foot, top = top](std::int64_t k) {
        return foot + (top - foot) * static_cast<double>(k) / static_cast<double>(drums);
    };
    for (std::int64_t k = 0; k < drums; ++k)
        made.push_back(drum(site, height * static_cast<double>(k), height, width(k), width(k + 1)));
    if (capital[0] > 0.0)
        made.push_back(drum(site, height * static_cast<double>(drums), capital[1], capital[0], capital[0]));
    return made;
}

}  // namespace

void register_column(GeneratorRegistry& registry) {
    registry.add("column", {make_column, false, Generator::Grains::own});
}

}  // namespace talus
