// Shapes of generated grains.
#include "scene/read.h"
#include "shapes/shape_registry.h"
#include "talus/error.h"

namespace talus::scene {

namespace {

constexpr Range at_least_one{1.0, 100.0, false, false};

/// `vertices`: a number, or the least and the most.
void read_vertices(Reader& keys, GrainShapes& shapes, int least) {
    Context& context = keys.context();
    const Node* node = keys.need("vertices", least == 3 ? "[5, 7]" : "[8, 20]");
    if (node == nullptr) return;
    constexpr int most = 64;
    if (!node->is_list()) {
        shapes.least_vertices = shapes.most_vertices =
            static_cast<int>(read_integer(*node, "vertices", least, most, context).value_or(6));
        return;
    }
    if (node->items.size() != 2) {
        keys.fail("vertices", "'vertices' is a list of " + std::to_string(node->items.size()) +
                                  "; write a number, or the least and the most: [6, 10]");
        return;
    }
    const auto few = read_integer(node->items[0], "vertices[0]", least, most, context);
    const auto many = read_integer(node->items[1], "vertices[1]", least, most, context);
    if (!few || !many) return;
    shapes.least_vertices = static_cast<int>(*few);
    shapes.most_vertices = static_cast<int>(*many);
    if (shapes.most_vertices >= shapes.least_vertices) return;
    keys.fail("vertices", "'vertices' goes from " + std::to_string(shapes.least_vertices) + " down to " +
                              std::to_string(shapes.most_vertices) + "; write the smaller number first");
    shapes.most_vertices = shapes.least_vertices;
}

void read_irregular(Reader& keys, GrainShapes& shapes, int least) {
    read_vertices(keys, shapes, least);
    shapes.roundness = keys.number("roundness", quantity::number, range::fraction, shapes.roundness);
    shapes.elongation = keys.number("elongation", quantity::number, at_least_one, 1.0);
    if (shapes.dimension == 3) shapes.flatness = keys.number("flatness", quantity::number, at_least_one, 1.0);
}

void read_box(Reader& keys, GrainShapes& shapes) {
    const Node* node = keys.find("aspect");
    if (node == nullptr) return;
    const auto dim = static_cast<std::size_t>(shapes.dimension);
    if (const auto sides = read_numbers(*node, "aspect", dim, range::positive, keys.context()))
        for (std::size_t k = 0; k < dim; ++k) shapes.aspect[static_cast<int>(k)] = (*sides)[k];
}

void read_given_points(Reader& keys, GrainShapes& shapes) {
    shapes.points = read_points(keys, "points", static_cast<std::size_t>(shapes.dimension) + 1);
    if (shapes.points.empty()) return;
    ShapeSpec shape{shapes.dimension == 2 ? "polygon" : "polyhedron", {}};
    for (const Point& p : shapes.points)
        shape.sizes.insert(shape.sizes.end(), p.data(), p.data() + shapes.dimension);
    try {
        shape_registry().check(shape, shapes.dimension);
        (void)volume_of(shape, shapes.dimension);
    } catch (const InputError& e) {
        keys.fail("points", e.what());
    }
}

void read_kind(const std::string& name, Reader& keys, GrainShapes& shapes) {
    using Kind = GrainShapes::Kind;
    if (name == "polygon" || name == "polyhedron") {
        shapes.kind = name == "polygon" ? Kind::polygon : Kind::polyhedron;
        read_irregular(keys, shapes, name == "polygon" ? 3 : 4);
    } else if (name == "box") {
        shapes.kind = Kind::box;
        read_box(keys, shapes);
    } else if (name == "capsule") {
        shapes.kind = Kind::capsule;
        shapes.aspect[0] = keys.number("aspect", quantity::number, {1.0, 100.0, true, false}, 2.0);
    } else if (name == "cylinder") {
        shapes.kind = Kind::cylinder;
        shapes.aspect[0] = keys.number("aspect", quantity::number, range::positive, 1.0);
    }
}

}  // namespace

GrainShapes read_grain_shapes(Reader& keys) {
    Context& context = keys.context();
    GrainShapes shapes;
    shapes.dimension = context.dimension();
    const Node* node = keys.find("shape");
    if (node == nullptr || (node->is_scalar() && node->text == "ball")) return shapes;
    std::vector<std::string> names = {"box", "capsule", "points"};
    if (shapes.dimension == 2) names.insert(names.end(), {"polygon"});
    else names.insert(names.end(), {"cylinder", "polyhedron"});
    Node nothing = *node;
    nothing.kind = Node::Kind::map;
    if (node->is_scalar() && (node->text == "box" || node->text == "capsule" ||
                              (node->text == "cylinder" && shapes.dimension == 3))) {
        Reader part(nothing, context, "'shape' of " + keys.what());
        read_kind(node->text, part, shapes);
        return shapes;
    }
    if (!node->is_map()) {
        keys.fail("shape", "'shape' is " + describe(*node) + "; write ball, or a mapping with one of " + join(names));
        return shapes;
    }
    Reader part(*node, context, "'shape' of " + keys.what());
    shapes.random_orientation = part.choice("orientation", {"random", "aligned"}, "random") == "random";
    const std::string name = part.one_of(names, "shape");
    part.finish();
    if (name == "points") {
        shapes.kind = GrainShapes::Kind::points;
        read_given_points(part, shapes);
        return shapes;
    }
    if (name.empty()) return shapes;
    const Node& inner = *part.find(name);
    if (inner.is_null()) {
        nothing.keys.clear();
        nothing.items.clear();
        nothing.key_marks.clear();
    }
    Reader values(inner.is_null() ? nothing : inner, context, "'" + name + "' of " + keys.what());
    read_kind(name, values, shapes);
    values.finish();
    return shapes;
}

}  // namespace talus::scene
