#include "shapes/shape_table.h"

namespace talus {

template <int Dim>
std::int32_t ShapeTable<Dim>::add(const ShapeSpec& spec) {
    const auto [it, is_new] = index_.try_emplace({spec.name, spec.sizes}, static_cast<std::int32_t>(specs_.size()));
    if (!is_new) return it->second;
    specs_.push_back(spec);
    solids_.push_back(has_pieces<Dim>(spec) ? solid_of<Dim>(spec) : Solid<Dim>{});
    meshes_.push_back(spec.name == "mesh" ? std::make_shared<const TriangleMesh>(spec.sizes) : nullptr);
    return it->second;
}

template class ShapeTable<2>;
template class ShapeTable<3>;

}  // namespace talus
