// Named balls, solids of other shapes and boundaries.
#include <cmath>
#include <deque>

#include "scene/read.h"

namespace talus::scene {

namespace {

Point read_spin(Reader& keys) {
    Context& context = keys.context();
    if (context.dimension() == 3) return keys.vector("spin", quantity::number);
    return {keys.number("spin", quantity::number, range::any, 0.0), 0.0, 0.0};
}

Point read_inertia(Reader& keys, bool is_ball) {
    Context& context = keys.context();
    const Node* node = keys.find("inertia");
    if (node == nullptr) return Point::Zero();
    if (context.dimension() == 2 || is_ball || node->is_scalar()) {
        const double moment = keys.number("inertia", quantity::inertia, range::positive, 0.0);
        return Point::Constant(moment);
    }
    Point inertia = Point::Zero();
    if (const auto values = read_numbers(*node, "inertia", 3, range::positive, context))
        for (int k = 0; k < 3; ++k) inertia[k] = context.si((*values)[static_cast<std::size_t>(k)], quantity::inertia);
    return inertia;
}

/// What is missing for the freedoms a boundary has.
void check_boundary(Reader& keys, const BodyPlan& body) {
    const auto dim = static_cast<std::size_t>(keys.context().dimension());
    const auto names = keys.context().freedom_names();
    for (std::size_t k = 0; k < names.size(); ++k) {
        if (body.motion.freedoms[k].kind != Freedom::Kind::free) continue;
        const bool is_rotation = k >= dim;
        if (!is_rotation && body.mass == 0.0) {
            keys.fail("freedoms",
                      "freedom '" + names[k] + "' of " + keys.what() + " is free but it has no mass; write 'mass'");
            return;
        }
        const double inertia = is_rotation ? body.inertia[static_cast<int>(k - dim)] : 1.0;
        if (inertia == 0.0) {
            keys.fail("freedoms", "freedom '" + names[k] + "' of " + keys.what() +
                                      " is free but it has no moment of inertia; write 'inertia'");
            return;
        }
    }
}

void read_body(Reader& keys, BodyPlan& body) {
    Context& context = keys.context();
    body.material = keys.material();
    read_shape(keys, body);
    if (keys.has("position")) body.position = keys.vector("position", quantity::length);
    if (keys.has("rotation")) body.turn = read_rotation(keys);
    body.velocity = keys.vector("velocity", quantity::velocity);
    body.spin = read_spin(keys);
    body.mass = keys.number("mass", quantity::mass, range::positive, 0.0);
    body.inertia = read_inertia(keys, body.is_ball);
    body.has_weight = keys.flag("weight", body.is_ball || body.is_solid);
    body.weight_stated = keys.has("weight");
    if (body.is_ball && !body.has_weight)
        keys.fail("weight", "balls always have weight; remove 'weight', or set 'gravity' to 0");
    body.tag = keys.tag(body.name);
    const auto kind = body.is_ball ? Freedom::Kind::free : Freedom::Kind::fixed;
    body.motion.freedoms.assign(context.freedom_names().size(), Freedom{kind, nullptr, 0.0});
    read_freedoms(keys, body.motion, body.is_ball);
    if (!body.is_ball && !body.is_solid) check_boundary(keys, body);
}

}  // namespace

Point read_rotation(Reader& keys) {
    Context& context = keys.context();
    const Node* node = keys.find("rotation");
    Point turn = Point::Zero();
    if (node == nullptr) return turn;
    if (context.dimension() == 2) {
        if (const auto angle = read_number(*node, "rotation", range::any, context)) turn[0] = *angle * M_PI / 180.0;
        return turn;
    }
    if (!node->is_map()) {
        keys.fail("rotation",
                  "'rotation' is " + describe(*node) + "; write an axis and degrees: '{axis: [0, 1, 0], angle: 30}'");
        return turn;
    }
    Reader part(*node, context, "'rotation' of " + keys.what());
    const Point axis = part.need_vector("axis", quantity::number, "[0, 1, 0]");
    const double angle = part.need_number("angle", quantity::number, range::any, "30");
    part.finish();
    if (axis.norm() > 0.0) return axis / axis.norm() * (angle * M_PI / 180.0);
    if (part.has("axis")) part.fail("axis", "'axis' has no direction; write for example [0, 1, 0]");
    return turn;
}

void read_bodies(Reader& root) {
    Context& context = root.context();
    auto& bodies = context.scene.bodies;
    std::deque<Reader> readers;
    for (const Node* item : read_list(root, "bodies", "{name: floor, plane: {normal: [0, 1]}, material: wall}")) {
        const Node* label = item->find("name");
        const bool named = label != nullptr && label->is_scalar();
        Reader& keys = readers.emplace_back(*item, context, named ? "body '" + label->text + "'" : "a body");
        BodyPlan body;
        body.mark = item->mark;
        body.name = keys.name();
        if (!body.name.empty() && context.body_index(body.name) >= 0)
            keys.fail("name", "a second body is named '" + body.name + "'; give it another name");
        if (keys.is_valid()) read_body(keys, body);
        bodies.push_back(std::move(body));
    }
    // Pressures name other bodies, so loads come when all names are known.
    for (std::size_t i = 0; i < readers.size(); ++i) {
        if (!readers[i].is_valid()) continue;
        read_loads(readers[i], bodies[i].motion);
        readers[i].finish();
    }
}

}  // namespace talus::scene
