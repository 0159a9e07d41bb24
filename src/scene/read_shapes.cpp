// Shapes of bodies under friendly parameter names. What the engine expects is in talus/shape.h.
#include <cmath>

#include "scene/read.h"
#include "shapes/shape_registry.h"

namespace talus::scene {

namespace {

/// `radius` or `diameter`.
double read_radius(Reader& keys) {
    const std::string key = keys.one_of({"radius", "diameter"}, "size ('radius' or 'diameter')");
    if (key.empty()) return 1.0;
    const double value = keys.number(key, quantity::length, range::positive, 1.0);
    return key == "radius" ? value : 0.5 * value;
}

std::vector<double> read_side_lengths(Reader& keys, std::size_t count, Range range) {
    Context& context = keys.context();
    const Node* node = keys.need("size", count == 2 ? "[1, 1]" : "[1, 1, 1]");
    std::vector<double> sizes(count, 1.0);
    if (node == nullptr) return sizes;
    if (const auto values = read_numbers(*node, "size", count, range, context))
        for (std::size_t k = 0; k < count; ++k) sizes[k] = context.si((*values)[k], quantity::length);
    return sizes;
}

std::vector<double> read_normal(Reader& keys) {
    const int dim = keys.context().dimension();
    Point normal = keys.vector("normal", quantity::number, Point::Unit(dim - 1));
    if (normal.norm() == 0.0) {
        keys.fail("normal",
                  "'normal' has no direction; write for example " + std::string(dim == 2 ? "[0, 1]" : "[0, 0, 1]"));
        normal = Point::Unit(dim - 1);
    }
    normal /= normal.norm();
    return {normal.data(), normal.data() + dim};
}

/// A segment by its length along local x, or by its ends (which then place the body).
std::vector<double> read_segment(Reader& keys, Reader& body_keys, BodyPlan& body) {
    const Node *from = keys.find("from"), *to = keys.find("to");
    if (from == nullptr && to == nullptr) return {keys.need_number("length", quantity::length, range::positive, "1")};
    if (keys.has("length"))
        keys.fail("length", "a segment has 'length', or 'from' and 'to'; keep one of the two forms");
    const Point a = keys.need_vector("from", quantity::length, "[0, 0]"),
                b = keys.need_vector("to", quantity::length, "[1, 0]");
    for (const std::string key : {"position", "rotation"})
        if (body_keys.has(key))
            body_keys.fail(key, "'from' and 'to' already place the segment; remove '" + key + "'");
    const Point d = b - a;
    body.position = 0.5 * (a + b);
    body.turn[0] = std::atan2(d[1], d[0]);
    if (from != nullptr && to != nullptr && d.norm() == 0.0)
        keys.fail("to", "'from' and 'to' are the same point; move one of them");
    return {d.norm() > 0.0 ? d.norm() : 1.0};
}

std::vector<double> read_cone(Reader& keys) {
    const double lower = keys.need_number("lower_radius", quantity::length, range::not_negative, "0.1");
    const double upper = keys.need_number("upper_radius", quantity::length, range::not_negative, "1");
    const double height = keys.need_number("height", quantity::length, range::positive, "1");
    if (lower == 0.0 && upper == 0.0) keys.fail("upper_radius", "both radii of the cone are 0; write one > 0");
    return {lower, upper, height};
}

std::vector<double> read_parameters(const std::string& shape, Reader& keys, Reader& body_keys, BodyPlan& body) {
    const auto dim = static_cast<std::size_t>(keys.context().dimension());
    if (shape == "ball") {
        body.radius = read_radius(keys);
        return {};
    }
    if (shape == "plane") return read_normal(keys);
    if (shape == "segment") return read_segment(keys, body_keys, body);
    if (shape == "plate") return read_side_lengths(keys, 2, range::positive);
    if (shape == "box") return read_side_lengths(keys, dim, range::positive);
    if (shape == "box_inside") return read_side_lengths(keys, dim, range::positive_or_infinite);
    if (shape == "ball_inside") return {read_radius(keys)};
    if (shape == "cylinder_inside") {
        const double radius = read_radius(keys);
        return {radius, keys.number("length", quantity::length, range::positive_or_infinite, infinity)};
    }
    if (shape == "cone_inside") return read_cone(keys);
    // A shape of the engine without friendly names: its numbers in the order its file states, in metres.
    const Node* node = keys.need("sizes", "[1]");
    if (node == nullptr) return {};
    return read_numbers(*node, "sizes", 0, range::any, keys.context()).value_or(std::vector<double>{});
}

}  // namespace

void read_shape(Reader& keys, BodyPlan& body) {
    Context& context = keys.context();
    const int dim = context.dimension();
    std::vector<std::string> names, others;
    for (const auto& [name, type] : shape_registry().types())
        ((dim == 2 ? type.sizes_2d : type.sizes_3d) >= 0 ? names : others).push_back(name);
    for (const auto& name : others)
        if (keys.has(name)) {
            keys.fail(name,
                      "shape '" + name + "' is not there in " + std::to_string(dim) + "D; write one of " + join(names));
            return;
        }
    const std::string shape = keys.one_of(names, "shape");
    body.shape.name = shape.empty() ? "ball" : shape;
    body.is_ball = shape == "ball";
    if (shape.empty()) return;
    Node nothing = *keys.find(shape);
    const Node& node = *keys.find(shape);
    if (nothing.is_null()) nothing.kind = Node::Kind::map;  // `plane:` alone: all parameters by default
    Reader part(node.is_null() ? nothing : node, context, "'" + shape + "' of " + keys.what());
    body.shape.sizes = read_parameters(shape, part, keys, body);
    part.finish();
}

}  // namespace talus::scene
