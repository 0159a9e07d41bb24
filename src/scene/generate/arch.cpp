/// \file
/// Arches of voussoirs with radial joints: semicircular, segmental, or pointed (two arcs whose centres lie
/// `offset` beyond the middle). Faces between joints are plane. In space the arch has a width.
#include <cmath>

#include "math/portable.h"
#include "scene/read.h"
#include "scene/structure.h"

namespace talus {
namespace {

using namespace scene;

struct ArchPlan {
    std::string kind;
    std::int64_t voussoirs = 1;
    double inner = 0.0, outer = 0.0;  ///< radii of the two faces [m]
    double angle = M_PI;              ///< of the whole arch [rad]
    double offset = 0.0;              ///< pointed: of the centres from the middle [m]
    double width = 0.0;
    bool abutments = false;
};

void read_radii(Reader& keys, ArchPlan& plan) {
    const std::string key = keys.one_of({"radius", "intrados"}, "size ('radius' of the mean line, or 'intrados')");
    const double radius = key.empty() ? 1.0 : keys.number(key, quantity::length, range::positive, 1.0);
    const double thickness = keys.need_number("thickness", quantity::length, range::positive, "0.15");
    plan.inner = key == "intrados" ? radius : radius - 0.5 * thickness;
    plan.outer = plan.inner + thickness;
    if (!(plan.inner > 0.0)) keys.fail("thickness", "the arch is thicker than its diameter; lower 'thickness'");
}

ArchPlan read_plan(GeneratorInput& input) {
    Reader& keys = input.keys;
    ArchPlan plan;
    plan.kind = keys.choice("kind", {"semicircular", "segmental", "pointed"}, "semicircular");
    plan.voussoirs = keys.need_integer("voussoirs", 2, 10000, "21");
    read_radii(keys, plan);
    if (plan.kind == "segmental")
        plan.angle = keys.need_number("angle", quantity::number, {0.0, 180.0, true, false}, "120") * M_PI / 180.0;
    if (plan.kind == "pointed") {
        plan.offset = keys.need_number("offset", quantity::length, range::positive, "0.5");
        if (plan.voussoirs % 2 != 0)
            keys.fail("voussoirs", "a pointed arch has a joint at its top; write an even number of voussoirs");
        if (!(plan.offset < plan.inner))
            keys.fail("offset", "the centres lie beyond the opposite springing; write an 'offset' below the intrados");
    }
    if (input.scene.dimension == 3) plan.width = keys.need_number("width", quantity::length, range::positive, "0.3");
    plan.abutments = keys.flag("abutments", false);
    return plan;
}

using Outline = std::vector<std::array<double, 2>>;

/// Between two joints of an arc about (centre, base); angles from the horizontal.
Outline voussoir(const ArchPlan& plan, double centre, double base, double from, double to) {
    const auto at = [&](double r, double a) {
        return std::array<double, 2>{centre + r * portable::cos(a), base + r * portable::sin(a)};
    };
    return {at(plan.inner, from), at(plan.outer, from), at(plan.outer, to), at(plan.inner, to)};
}

Outline mirrored(Outline outline) {
    for (auto& p : outline) p[0] = -p[0];
    return outline;
}

/// Outlines of the right half of a pointed arch, from the springing up; the last one ends at the middle.
std::vector<Outline> pointed_half(const ArchPlan& plan) {
    const double mean = 0.5 * (plan.inner + plan.outer), top = portable::acos(plan.offset / mean);
    const auto half = plan.voussoirs / 2;
    std::vector<Outline> outlines;
    const double step = top / static_cast<double>(half);
    for (std::int64_t k = 0; k < half; ++k) {
        const double from = step * static_cast<double>(k), to = step * static_cast<double>(k + 1);
        outlines.push_back(voussoir(plan, -plan.offset, 0.0, from, to));
    }
    const auto height = [&](double r) { return std::sqrt(r * r - plan.offset * plan.offset); };
    outlines.back()[2] = {0.0, height(plan.outer)};
    outlines.back()[3] = {0.0, height(plan.inner)};
    return outlines;
}

/// Outlines from the right springing to the left one; `base` is the height of the centre.
std::vector<Outline> round_arch(const ArchPlan& plan, double base) {
    std::vector<Outline> outlines;
    const double first = 0.5 * (M_PI - plan.angle), step = plan.angle / static_cast<double>(plan.voussoirs);
    for (std::int64_t k = 0; k < plan.voussoirs; ++k) {
        // The left half is the mirror image of the right one to the last bit.
        const bool left = 2 * k >= plan.voussoirs;
        const std::int64_t i = left ? plan.voussoirs - 1 - k : k;
        const double from = first + step * static_cast<double>(i);
        Outline outline = voussoir(plan, 0.0, base, from, from + step);
        if (2 * k + 1 == plan.voussoirs) {  // the keystone
            outline[2] = {-outline[1][0], outline[1][1]};
            outline[3] = {-outline[0][0], outline[0][1]};
        }
        outlines.push_back(left ? mirrored(outline) : outline);
    }
    return outlines;
}

std::vector<GeneratedGrain> make_arch(GeneratorInput& input) {
    const Site site(input);
    const ArchPlan plan = read_plan(input);
    std::vector<GeneratedGrain> made;
    if (!input.keys.context().errors.empty()) return made;
    const bool pointed = plan.kind == "pointed";
    // The inner edges of the springings stand on the ground line.
    const double first = pointed ? 0.0 : 0.5 * (M_PI - plan.angle);
    const double base = first == 0.0 ? 0.0 : -plan.inner * portable::sin(first);
    std::vector<Outline> outlines;
    if (pointed) {
        outlines = pointed_half(plan);
        for (auto k = outlines.size(); k > 0; --k) outlines.push_back(mirrored(outlines[k - 1]));
    } else {
        outlines = round_arch(plan, base);
    }
    for (const auto& outline : outlines) made.push_back(site.prism(outline, plan.width));
    if (!plan.abutments) return made;
    const double below = M_PI / 18.0;
    const Outline right = voussoir(plan, pointed ? -plan.offset : 0.0, base, first - below, first);
    for (const auto& outline : {right, mirrored(right)}) {
        made.push_back(site.prism(outline, plan.width));
        made.back().fixed = true;
    }
    return made;
}

}  // namespace

void register_arch(GeneratorRegistry& registry) { registry.add("arch", {make_arch, false, Generator::Grains::own}); }

}  // namespace talus
