#pragma once
/// \file
/// Shapes by name. A member of this open set is one file `src/shapes/<name>.cpp` that defines
/// `void register_<name>(ShapeRegistry&)`, states which sizes the shape takes and, for a solid, makes
/// its convex pieces; how they touch others is in `src/detect/narrow/`.
///
/// Solids (ball, box, polygon, cylinder...) can be bodies with mass, or walls. The other shapes are
/// boundaries only. A flat piece (segment, plate) has pieces but no mass.

#include <functional>
#include <map>
#include <span>
#include <string>

#include "shapes/solid.h"
#include "talus/shape.h"

namespace talus {

inline constexpr int no_shape = -1;    ///< not a shape of this dimension
inline constexpr int any_number = -2;  ///< as many numbers as the shape needs; its complaint counts them

struct ShapeType {
    std::string name;
    int sizes_2d = no_shape;   ///< how many numbers in 2D
    int sizes_3d = no_shape;   ///< how many numbers in 3D
    std::string sizes_text;  ///< the numbers in words, for messages
    /// Says what is wrong with the sizes, or nothing.
    std::function<std::string(std::span<const double>)> complaint = nullptr;
    /// Turning it about its centre changes nothing.
    bool round = false;
    /// It has an inside, so it can be a body with mass.
    bool is_solid = false;
    /// Its convex pieces and mass properties, in the axes in which the sizes describe it. None: a
    /// boundary given by its distance function, or not in this dimension. Called only with sizes that passed `complaint`.
    std::function<Solid<2>(std::span<const double>)> solid_2d = nullptr;
    std::function<Solid<3>(std::span<const double>)> solid_3d = nullptr;
    /// The sizes that describe the same shape seen from `centre`, along the columns of `axes`. Needed
    /// where the centre of mass or the principal axes may lie elsewhere than the sizes put them.
    std::function<std::vector<double>(std::span<const double>, const Vec<2>& centre, const Mat<2>& axes)> moved_2d = nullptr;
    std::function<std::vector<double>(std::span<const double>, const Vec<3>& centre, const Mat<3>& axes)> moved_3d = nullptr;

    /// The same by dimension.
    template <int Dim>
    [[nodiscard]] const auto& solid() const {
        if constexpr (spin_size<Dim> == 1) return solid_2d; else return solid_3d;
    }
    template <int Dim>
    [[nodiscard]] const auto& moved() const {
        if constexpr (spin_size<Dim> == 1) return moved_2d; else return moved_3d;
    }
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
