// Regions to fill or empty, and cross-sections to pour through.
#include "scene/read.h"

namespace talus::scene {

namespace {

std::string part(const std::string& kind, const std::string& what) { return "'" + kind + "' of " + what; }

Region read_box(Reader& keys) {
    const int dim = keys.context().dimension();
    Region region;
    region.low = keys.need_vector("low", quantity::length, dim == 2 ? "[0, 0]" : "[0, 0, 0]");
    region.high = keys.need_vector("high", quantity::length, dim == 2 ? "[1, 1]" : "[1, 1, 1]");
    if (!keys.has("low") || !keys.has("high")) return region;
    for (int k = 0; k < dim; ++k)
        if (!(region.high[k] > region.low[k])) {
            keys.fail("high", "'high' is not above 'low' along " +
                                  keys.context().axis_names()[static_cast<std::size_t>(k)] + "; swap them");
            break;
        }
    return region;
}

Region read_cylinder(Reader& keys) {
    Region region;
    region.centre = keys.vector("centre", quantity::length);
    region.radius = keys.need_number("radius", quantity::length, range::positive, "1");
    region.length = keys.need_number("length", quantity::length, range::positive, "1");
    const std::string axis = keys.choice("axis", {"x", "y", "z"}, "z");
    region.axis = axis == "x" ? 0 : axis == "y" ? 1 : 2;
    return region;
}

/// Numbers across the vertical: one in the plane (with or without brackets), two in space.
bool read_across(const Node& node, const std::string& label, double out[2], Context& context) {
    const auto free = static_cast<std::size_t>(context.dimension() - 1);
    if (free == 1 && node.is_scalar()) {
        const auto x = read_number(node, label, range::any, context);
        if (x) out[0] = context.si(*x, quantity::length);
        return x.has_value();
    }
    const auto values = read_numbers(node, label, free, range::any, context);
    if (!values) return false;
    for (std::size_t k = 0; k < free; ++k) out[k] = context.si((*values)[k], quantity::length);
    return true;
}

void read_disk(const Node& node, CrossSection& section, const std::string& what, Context& context) {
    Reader keys(node, context, part("disk", what));
    section.kind = CrossSection::Kind::disk;
    if (const Node* centre = keys.find("centre")) read_across(*centre, "centre", section.centre, context);
    section.radius = keys.need_number("radius", quantity::length, range::positive, "1");
    keys.finish();
}

void check_order(const Node& node, const CrossSection& section, Context& context) {
    for (int k = 0; k < context.dimension() - 1; ++k)
        if (!(section.high[k] > section.low[k])) {
            context.errors.add(node.mark, "the high end of the region is not above its low end; swap them");
            return;
        }
}

void read_rectangle(const Node& node, CrossSection& section, const std::string& what, Context& context) {
    Reader keys(node, context, part("rectangle", what));
    section.kind = CrossSection::Kind::rectangle;
    const Node *low = keys.need("low", "[0, 0]"), *high = keys.need("high", "[1, 1]");
    keys.finish();
    if (low == nullptr || high == nullptr) return;
    if (read_across(*low, "low", section.low, context) && read_across(*high, "high", section.high, context))
        check_order(*high, section, context);
}

void read_interval(const Node& node, CrossSection& section, Context& context) {
    section.kind = CrossSection::Kind::rectangle;
    const auto values = read_numbers(node, "interval", 2, range::any, context);
    if (!values) return;
    section.low[0] = context.si((*values)[0], quantity::length);
    section.high[0] = context.si((*values)[1], quantity::length);
    check_order(node, section, context);
}

std::vector<std::string> section_kinds(int dimension) {
    if (dimension == 2) return {"interval", "point"};
    return {"disk", "rectangle", "point"};
}

void read_section_part(Reader& keys, const std::string& kind, CrossSection& section, const std::string& what,
                       Context& context) {
    if (kind.empty()) return;
    const Node& node = *keys.find(kind);
    if (kind == "disk") read_disk(node, section, what, context);
    if (kind == "rectangle") read_rectangle(node, section, what, context);
    if (kind == "interval") read_interval(node, section, context);
    if (kind == "point") read_across(node, "point", section.centre, context);
}

}  // namespace

Region read_region(const Node& node, const std::string& what, Context& context) {
    Reader keys(node, context, what);
    const auto kinds = context.dimension() == 2 ? std::vector<std::string>{"box", "disk"}
                                                : std::vector<std::string>{"box", "ball", "cylinder"};
    const std::string kind = keys.one_of(kinds, "region");
    keys.finish();
    Region region;
    if (!kind.empty()) {
        Reader inner(*keys.find(kind), context, part(kind, what));
        if (kind == "box") region = read_box(inner);
        if (kind == "cylinder") region = read_cylinder(inner);
        if (kind == "ball" || kind == "disk") {
            region.centre = inner.vector("centre", quantity::length);
            region.radius = inner.need_number("radius", quantity::length, range::positive, "1");
        }
        inner.finish();
        region.kind = kind == "box"        ? Region::Kind::box
                      : kind == "cylinder" ? Region::Kind::cylinder
                                           : Region::Kind::ball;
    }
    region.dimension = context.dimension();
    return region;
}

CrossSection read_cross_section(const Node& node, const std::string& what, Context& context) {
    Reader keys(node, context, what);
    CrossSection section;
    section.dimension = context.dimension();
    read_section_part(keys, keys.one_of(section_kinds(context.dimension()), "region"), section, what, context);
    keys.finish();
    return section;
}

CrossSection read_source_region(const Node& node, const std::string& what, Context& context, double box[2],
                                bool& has_box) {
    Reader keys(node, context, what);
    CrossSection section;
    section.dimension = context.dimension();
    auto kinds = section_kinds(context.dimension());
    kinds.emplace_back("box");
    const std::string kind = keys.one_of(kinds, "region");
    keys.finish();
    has_box = kind == "box";
    if (!has_box) {
        read_section_part(keys, kind, section, what, context);
        return section;
    }
    Reader inner(*keys.find("box"), context, part("box", what));
    const Region region = read_box(inner);
    inner.finish();
    // Along each direction of the frame the box spans between its corners (exactly so for an axis).
    const Frame& frame = context.scene.frame;
    const Point directions[3] = {frame.first, frame.second, frame.up};
    double span[3][2];
    for (int k = 0; k < 3; ++k) {
        const double a = directions[k].dot(region.low), b = directions[k].dot(region.high);
        span[k][0] = std::min(a, b);
        span[k][1] = std::max(a, b);
    }
    section.kind = CrossSection::Kind::rectangle;
    for (int k = 0; k < 2; ++k) {
        section.low[k] = span[k][0];
        section.high[k] = span[k][1];
    }
    box[0] = span[2][0];
    box[1] = span[2][1];
    return section;
}

}  // namespace talus::scene
