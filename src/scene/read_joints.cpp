// Joints between named bodies, or a body and the ground.
#include <cmath>

#include "scene/read.h"

namespace talus::scene {

namespace {

const std::vector<std::string> kinds = {"ball", "hinge", "slider", "fixed", "rod"};

/// The body named under `key`; -1 after a report.
int read_partner(Reader& keys, const std::string& key) {
    Context& context = keys.context();
    const std::string name = keys.text(key, "");
    const int index = context.body_index(name);
    if (index < 0 && !name.empty())
        keys.fail(key, "there is no body '" + name + "' to join; " + suggest(name, context.body_names(), "bodies"));
    return index;
}

bool needs_axis(JointKind kind, int dimension) {
    return kind == JointKind::slider || (kind == JointKind::hinge && dimension == 3);
}

void read_place(Reader& keys, JointPlan& joint) {
    joint.at = keys.need_vector("at", quantity::length, keys.context().dimension() == 2 ? "[0, 1]" : "[0, 0, 1]");
    if (needs_axis(joint.kind, keys.context().dimension())) {
        joint.axis = keys.need_vector("axis", quantity::number, keys.context().dimension() == 2 ? "[1, 0]" : "[0, 1, 0]");
        if (keys.has("axis") && joint.axis.norm() == 0.0) keys.fail("axis", "'axis' has no direction; write for example [1, 0]");
    }
    if (joint.kind != JointKind::rod) return;
    joint.to = keys.need_vector("to", quantity::length, keys.context().dimension() == 2 ? "[0, 2]" : "[0, 0, 2]");
    joint.length = keys.number("length", quantity::length, range::positive, 0.0);
    const double distance = (joint.at - joint.to).norm();
    if (keys.has("at") && keys.has("to") && distance == 0.0) keys.fail("to", "the two ends of the rod are one point; move one, or write 'kind: ball'");
    if (joint.length > 0.0 && distance > 0.0 && std::abs(joint.length - distance) > 0.01 * distance)
        keys.fail("length", "the ends of the rod are " + number_text(keys.context().user(distance, quantity::length), 6) +
                                " apart, which is not its length; move them, or leave 'length' out");
}

void read_joint(Reader& keys, JointPlan& joint) {
    joint.name = keys.name();
    const std::string kind = keys.choice("kind", kinds, "");
    for (std::size_t k = 0; k < kinds.size(); ++k)
        if (kinds[k] == kind) joint.kind = static_cast<JointKind>(k);
    if (keys.need("a", "wheel") != nullptr) joint.a = read_partner(keys, "a");
    if (keys.has("b") && keys.text("b", "") != "ground") joint.b = read_partner(keys, "b");
    if (joint.a >= 0 && joint.a == joint.b) keys.fail("b", "a joint needs two bodies; leave 'b' out to join the ground");
    read_place(keys, joint);
    joint.collide = keys.flag("collide", false);
    keys.finish();
}

}  // namespace

void read_joints(Reader& root) {
    Context& context = root.context();
    for (const Node* item : read_list(root, "joints", "{kind: hinge, a: arm, at: [0, 1]}")) {
        const Node* label = item->find("name");
        const bool named = label != nullptr && label->is_scalar();
        Reader keys(*item, context, named ? "joint '" + label->text + "'" : "a joint");
        JointPlan joint;
        joint.mark = item->mark;
        if (keys.is_valid()) read_joint(keys, joint);
        context.scene.joints.push_back(std::move(joint));
    }
}

}  // namespace talus::scene
