#include "scene/context.h"

namespace talus::scene {

std::string Context::point_text(const Point& p) const {
    std::string text = "[";
    for (int k = 0; k < dimension(); ++k) text += (k > 0 ? ", " : "") + number_text(user(p[k], quantity::length), 6);
    return text + "]";
}

std::vector<std::string> Context::material_names() const {
    std::vector<std::string> names;
    for (const auto& material : scene.materials) names.push_back(material.name);
    return names;
}

std::vector<std::string> Context::body_names() const {
    std::vector<std::string> names;
    for (const auto& body : scene.bodies)
        if (!body.name.empty()) names.push_back(body.name);
    return names;
}

std::vector<std::string> Context::axis_names() const {
    if (dimension() == 2) return {"x", "y"};
    return {"x", "y", "z"};
}

std::vector<std::string> Context::freedom_names() const {
    if (dimension() == 2) return {"x", "y", "r"};
    return {"x", "y", "z", "rx", "ry", "rz"};
}

int Context::body_index(const std::string& name) const {
    for (std::size_t i = 0; i < scene.bodies.size(); ++i)
        if (scene.bodies[i].name == name) return static_cast<int>(i);
    return -1;
}

std::int32_t Context::tag_number(const std::string& name) {
    const auto [place, fresh] = scene.tags.emplace(name, next_tag);
    if (fresh) ++next_tag;
    return place->second;
}

}  // namespace talus::scene
