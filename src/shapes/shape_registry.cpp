#include "shapes/shape_registry.h"

#include "talus/error.h"

namespace talus {

const ShapeType& ShapeRegistry::find(const std::string& name) const {
    const auto it = types_.find(name);
    if (it != types_.end()) return it->second;
    std::string known;
    for (const auto& [key, type] : types_) known += (known.empty() ? "" : ", ") + key;
    throw InputError("unknown shape '" + name + "'; the shapes are " + known);
}

void ShapeRegistry::check(const ShapeSpec& spec, int dim) const {
    const ShapeType& type = find(spec.name);
    const int wanted = dim == 2 ? type.sizes_2d : type.sizes_3d;
    if (wanted == no_shape) throw InputError("shape '" + spec.name + "' does not exist in " + std::to_string(dim) + "D");
    if (wanted != any_number && static_cast<int>(spec.sizes.size()) != wanted)
        throw InputError("shape '" + spec.name + "' takes " + std::to_string(wanted) + " sizes (" + type.sizes_text +
                         "), not " + std::to_string(spec.sizes.size()));
    const std::string wrong = type.complaint ? type.complaint(spec.sizes) : std::string();
    if (!wrong.empty()) throw InputError("shape '" + spec.name + "': " + wrong);
}

const ShapeRegistry& shape_registry() {
    static const ShapeRegistry registry = [] {
        ShapeRegistry r;
        register_members(r);
        return r;
    }();
    return registry;
}

std::string positive_sizes(std::span<const double> sizes) {
    for (const double s : sizes)
        if (!(s > 0.0)) return "sizes must be > 0, not " + std::to_string(s);
    return {};
}

}  // namespace talus
