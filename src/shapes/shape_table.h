#pragma once
/// \file
/// The shapes that the bodies of a world have, each once, with what the narrow phase needs of them.

#include <map>
#include <memory>
#include <utility>

#include "shapes/mesh.h"
#include "shapes/solids.h"

namespace talus {

template <int Dim>
class ShapeTable {
public:
    ShapeTable() { add(ShapeSpec{}); }
    /// These shapes; the first is the ball.
    explicit ShapeTable(const std::vector<ShapeSpec>& specs) {
        for (const ShapeSpec& spec : specs) add(spec);
    }

    /// Index of the shape, which is added when it is new. Its sizes must have been checked.
    std::int32_t add(const ShapeSpec& spec);

    [[nodiscard]] const ShapeSpec& spec(std::int32_t k) const { return specs_[static_cast<std::size_t>(k)]; }
    /// Pieces of the shape; none for a boundary that is given by its distance function, or by triangles.
    [[nodiscard]] const Solid<Dim>& solid(std::int32_t k) const { return solids_[static_cast<std::size_t>(k)]; }
    /// Triangles of a mesh, or null.
    [[nodiscard]] const TriangleMesh* mesh(std::int32_t k) const { return meshes_[static_cast<std::size_t>(k)].get(); }
    [[nodiscard]] const std::vector<ShapeSpec>& specs() const { return specs_; }
    [[nodiscard]] std::size_t size() const { return specs_.size(); }

private:
    std::vector<ShapeSpec> specs_;
    std::vector<Solid<Dim>> solids_;
    std::vector<std::shared_ptr<const TriangleMesh>> meshes_;
    std::map<std::pair<std::string, std::vector<double>>, std::int32_t> index_;
};

}  // namespace talus
