#include "scene/load_observe.h"

#include "scene/read.h"

namespace talus::scene {

namespace {

/// The one item of a list, or the one value of a mapping.
Node wrapped(Node inside, Node::Kind kind) {
    Node outer;
    outer.kind = kind;
    outer.mark = inside.mark;
    outer.items.push_back(std::move(inside));
    return outer;
}

}  // namespace

std::vector<observe::Spec> load_observe_text(const std::string& text, const std::string& name, const Scene& scene) {
    Context context;
    Node document = parse_yaml_value(text, name, context.errors);
    context.scene.path = name;
    context.scene.dimension = scene.dimension;
    context.scene.units = scene.units;
    context.scene.tags = scene.tags;
    context.scene.record = scene.record;
    if (document.find("observe") == nullptr) {
        if (!document.is_list()) document = wrapped(std::move(document), Node::Kind::list);
        document = wrapped(std::move(document), Node::Kind::map);
        document.keys = {"observe"};
        document.key_marks = {document.mark};
    }
    Reader root(document, context, "the file of observables");
    read_observe(root);
    if (document.find("talus") == nullptr) root.finish();  // a scene has other keys, which do not matter here
    context.errors.raise();
    return std::move(context.scene.observe);
}

}  // namespace talus::scene
