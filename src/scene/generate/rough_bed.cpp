/// \file
/// A rough ground: balls on a disturbed lattice across the vertical, held fixed. They may overlap, as
/// walls do not touch each other [moreau2003, sec. 9: "fixed grains"].
#include "scene/generate/generator_registry.h"
#include "scene/read.h"

namespace talus {
namespace {

using namespace scene;

bool read_spacing(Reader& keys, double spacing[2]) {
    Context& context = keys.context();
    const Node* node = keys.need("spacing", context.dimension() == 2 ? "0.3" : "[0.30, 0.28]");
    if (node == nullptr) return false;
    const auto free = static_cast<std::size_t>(context.dimension() - 1);
    if (node->is_list()) {
        const auto values = read_numbers(*node, "spacing", free, range::positive, context);
        if (!values) return false;
        for (std::size_t k = 0; k < free; ++k) spacing[k] = context.si((*values)[k], quantity::length);
        return true;
    }
    spacing[0] = spacing[1] = keys.number("spacing", quantity::length, range::positive, 1.0);
    return true;
}

std::vector<GeneratedGrain> make_rough_bed(GeneratorInput& input) {
    Reader& keys = input.keys;
    Context& context = keys.context();
    CrossSection section;
    if (const Node* region =
            keys.need("region", context.dimension() == 2 ? "{interval: [-1, 1]}" : "{disk: {radius: 1}}"))
        section = read_cross_section(*region, "'region' of " + keys.what(), context);
    double spacing[2] = {1.0, 1.0};
    read_spacing(keys, spacing);
    const double height = keys.number("height", quantity::length, range::any, 0.0);
    const double jitter = keys.number("jitter", quantity::length, range::not_negative, 0.0);
    const double height_jitter = keys.number("height_jitter", quantity::length, range::not_negative, 0.0);
    std::vector<GeneratedGrain> balls;
    if (!context.errors.empty()) return balls;
    double low[2], high[2];
    section.bounds(low, high);
    const bool plane = context.dimension() == 2;
    const auto steps = [&](int k) {
        return plane && k == 1 ? 0 : static_cast<std::int64_t>((high[k] - low[k]) / spacing[k] + 1e-9);
    };
    Random random(input.seed);
    for (std::int64_t j = 0; j <= steps(1); ++j)
        for (std::int64_t i = 0; i <= steps(0); ++i) {
            const double s = low[0] + spacing[0] * static_cast<double>(i),
                         t = plane ? 0.0 : low[1] + spacing[1] * static_cast<double>(j);
            if (!section.contains(s, t)) continue;
            GeneratedGrain ball;
            ball.radius = input.sizes.draw(balls.size(), random);
            const double ds = random.uniform(-jitter, jitter), dt = plane ? 0.0 : random.uniform(-jitter, jitter);
            ball.position =
                input.scene.frame.at(s + ds, t + dt, height + random.uniform(-height_jitter, height_jitter));
            balls.push_back(ball);
        }
    return balls;
}

}  // namespace

void register_rough_bed(GeneratorRegistry& registry) { registry.add("rough_bed", {make_rough_bed, true}); }

}  // namespace talus
