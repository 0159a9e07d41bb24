#pragma once
/// \file
/// Shapes by name. A member of this open set is one file `src/shapes/<name>.cpp` that defines
/// `void register_<name>(ShapeRegistry&)` and states which sizes the shape takes; how it touches
/// others is in `src/detect/narrow/`.

#include <functional>
#include <map>
#include <span>
#include <string>

#include "talus/shape.h"

namespace talus {

struct ShapeType {
    std::string name;
    int sizes_2d = -1;   ///< how many numbers in 2D; -1: not a shape of the plane
    int sizes_3d = -1;   ///< how many numbers in 3D; -1: not a shape of space
    std::string sizes_text;  ///< the numbers in words, for messages
    /// Says what is wrong with the sizes, or nothing.
    std::function<std::string(std::span<const double>)> complaint;
    /// Turning it about its centre changes nothing.
    bool round = false;
};

class ShapeRegistry {
public:
    void add(ShapeType type) { types_[type.name] = std::move(type); }
    /// \throws InputError naming the shapes there are.
    [[nodiscard]] const ShapeType& find(const std::string& name) const;
    /// \throws InputError when the sizes do not fit the shape in this dimension.
    void check(const ShapeSpec& spec, int dim) const;
    [[nodiscard]] const std::map<std::string, ShapeType>& types() const { return types_; }

private:
    std::map<std::string, ShapeType> types_;
};

void register_members(ShapeRegistry& registry);
/// The registry with all members; made once.
[[nodiscard]] const ShapeRegistry& shape_registry();

/// Complaint of shapes whose numbers are all lengths > 0.
[[nodiscard]] std::string positive_sizes(std::span<const double> sizes);

}  // namespace talus
