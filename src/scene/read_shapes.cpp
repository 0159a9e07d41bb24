// Shapes of bodies under friendly parameter names. What the engine expects is in talus/shape.h.
#include <algorithm>
#include <cmath>

#include "math/portable.h"
#include "math/rotation.h"
#include "scene/mesh_file.h"
#include "scene/read.h"
#include "shapes/clump.h"
#include "shapes/shape_registry.h"
#include "talus/error.h"

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
    body.turn[0] = portable::atan2(d[1], d[0]);
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

std::vector<double> flattened(const std::vector<Point>& points, int dim) {
    std::vector<double> numbers;
    for (const Point& p : points) numbers.insert(numbers.end(), p.data(), p.data() + dim);
    return numbers;
}

/// A convex polygon by its points, or a regular one by its sides: one of them lies below.
std::vector<double> read_polygon(Reader& keys) {
    const std::string form = keys.one_of({"points", "sides"}, "outline ('points' or 'sides')");
    if (form == "points") return flattened(read_points(keys, "points", 3), 2);
    if (form.empty()) return {};
    const auto sides = keys.integer("sides", 3, 1000, 3);
    const double radius = read_radius(keys);
    std::vector<double> numbers;
    for (std::int64_t k = 0; k < sides; ++k) {
        const double angle = (2.0 * static_cast<double>(k) - 1.0) * M_PI / static_cast<double>(sides) - 0.5 * M_PI;
        numbers.insert(numbers.end(), {radius * portable::cos(angle), radius * portable::sin(angle)});
    }
    return numbers;
}

/// Triangles of a file, in the units of the scene times `scale`.
std::vector<double> read_triangles(Reader& keys) {
    Context& context = keys.context();
    const Node* node = keys.need("file", "wall.stl");
    const double scale = keys.number("scale", quantity::number, range::positive, 1.0);
    const auto path = node != nullptr ? read_text(*node, "file", context) : std::nullopt;
    if (!path) return {};
    try {
        auto numbers = read_mesh(resolve_path(*path, context), *path);
        for (double& x : numbers) x = context.si(scale * x, quantity::length);
        return numbers;
    } catch (const IoError& e) {
        throw IoError(node->mark.text() + ": " + e.what() + "; check the path (it is relative to the scene)");
    } catch (const InputError& e) {
        context.errors.add(node->mark, e.what());
        return {};
    }
}

/// A convex polyhedron by its points, or the hull of a mesh.
std::vector<double> read_polyhedron(Reader& keys) {
    const std::string form = keys.one_of({"points", "file"}, "outline ('points' or 'file')");
    if (form == "points") return flattened(read_points(keys, "points", 4), 3);
    return form == "file" ? read_triangles(keys) : std::vector<double>{};
}

std::vector<double> read_parameters(const std::string& shape, Reader& keys, Reader& body_keys, BodyPlan& body);

/// One part of a clump: a solid with its place.
template <int Dim>
std::optional<ClumpPart<Dim>> read_part(const Node& node, const std::string& what, Context& context) {
    Reader keys(node, context, what);
    if (!keys.is_valid()) return {};
    std::vector<std::string> names;
    for (const auto name : clump_shapes) {
        const ShapeType& type = shape_registry().find(std::string(name));
        if ((context.dimension() == 2 ? type.sizes_2d : type.sizes_3d) != no_shape) names.emplace_back(name);
    }
    const std::string shape = keys.one_of(names, "shape");
    const Point position = keys.vector("position", quantity::length), turn = read_rotation(keys);
    if (shape.empty()) return {};
    Reader inner(*keys.find(shape), context, "'" + shape + "' of " + what);
    BodyPlan body;
    ClumpPart<Dim> part;
    part.shape = {shape, read_parameters(shape, inner, keys, body)};
    if (shape == "ball") part.shape.sizes = {body.radius};
    part.position = position.head<Dim>();
    part.rotation = rotation_by<Dim>(Spin<Dim>(turn.head<spin_size<Dim>>()));
    inner.finish();
    keys.finish();
    return part;
}

template <int Dim>
std::vector<double> read_clump(Reader& keys) {
    std::vector<ClumpPart<Dim>> parts;
    const auto items = read_list(keys, "parts", "{ball: {radius: 1}, position: [0, 0]}");
    if (keys.need("parts", "[{ball: {radius: 1}}]") != nullptr && items.empty())
        keys.fail("parts", "a clump needs at least one part; write '- {ball: {radius: 1}}'");
    for (const Node* item : items)
        if (auto part = read_part<Dim>(*item, "a part of " + keys.what(), keys.context())) parts.push_back(*part);
    return parts.empty() ? std::vector<double>{} : clump_of<Dim>(parts).sizes;
}

std::vector<double> read_parameters(const std::string& shape, Reader& keys, Reader& body_keys, BodyPlan& body) {
    const auto dim = static_cast<std::size_t>(keys.context().dimension());
    if (shape == "ball") {
        body.radius = read_radius(keys);
        return {};
    }
    if (shape == "polygon") return read_polygon(keys);
    if (shape == "polyhedron") return read_polyhedron(keys);
    if (shape == "mesh") return read_triangles(keys);
    if (shape == "clump") return dim == 2 ? read_clump<2>(keys) : read_clump<3>(keys);
    if (shape == "capsule") {
        const double radius = read_radius(keys);
        return {keys.need_number("length", quantity::length, range::positive, "1"), radius};
    }
    if (shape == "cylinder") {
        const double radius = read_radius(keys);
        return {radius, keys.need_number("length", quantity::length, range::positive, "1")};
    }
    if (shape == "frustum") return read_cone(keys);
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
        ((dim == 2 ? type.sizes_2d : type.sizes_3d) != no_shape ? names : others).push_back(name);
    for (const auto& name : others)
        if (keys.has(name)) {
            keys.fail(name,
                      "shape '" + name + "' is not there in " + std::to_string(dim) + "D; write one of " + join(names));
            return;
        }
    const std::string shape = keys.one_of(names, "shape");
    body.shape.name = shape.empty() ? "ball" : shape;
    body.is_ball = shape == "ball";
    body.is_solid = !shape.empty() && !body.is_ball && shape_registry().find(shape).is_solid;
    if (shape.empty()) return;
    Node nothing = *keys.find(shape);
    const Node& node = *keys.find(shape);
    if (nothing.is_null()) nothing.kind = Node::Kind::map;  // `plane:` alone: all parameters by default
    Reader part(node.is_null() ? nothing : node, context, "'" + shape + "' of " + keys.what());
    const std::size_t before = context.errors.size();
    body.shape.sizes = read_parameters(shape, part, keys, body);
    part.finish();
    if (!body.is_solid || context.errors.size() > before) return;
    try {
        shape_registry().check(body.shape, dim);
    } catch (const InputError& e) {
        keys.fail(shape, e.what());
    }
}

std::vector<Point> read_points(Reader& keys, const std::string& key, std::size_t least) {
    Context& context = keys.context();
    const std::string point = context.dimension() == 2 ? "[0, 0]" : "[0, 0, 0]";
    const Node* node = keys.need(key, "[" + point + ", ...]");
    std::vector<Point> points;
    if (node == nullptr) return points;
    if (!node->is_list() || node->items.size() < least) {
        keys.fail(key, "'" + key + "' is " +
                           (node->is_list() ? "a list of " + std::to_string(node->items.size()) : describe(*node)) +
                           "; write at least " + std::to_string(least) + " points like " + point);
        return points;
    }
    for (std::size_t i = 0; i < node->items.size(); ++i)
        if (const auto p = read_vector(node->items[i], key + "[" + std::to_string(i) + "]", quantity::length, context))
            points.push_back(*p);
    if (points.size() != node->items.size()) points.clear();
    return points;
}

}  // namespace talus::scene
