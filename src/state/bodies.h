#pragma once
/// \file
/// All bodies, as parallel arrays (structure of arrays). Index = order of creation among those still
/// there; ids never change and increase with the index.
///
/// A body has `freedoms<Dim>` degrees of freedom, x y [z] then rotations; bit k of `driven` says that
/// freedom k follows a drive (or stands still) instead of the equation of motion. A body glued to
/// another is a piece of its surface: it has no motion of its own.

#include <cstdint>
#include <vector>

#include "state/uniform_array.h"
#include "talus/world.h"

namespace talus {

template <int Dim>
using Image = Eigen::Matrix<std::int32_t, Dim, 1>;

/// Mask with every freedom driven.
template <int Dim>
inline constexpr std::uint8_t all_driven = static_cast<std::uint8_t>((1u << freedoms<Dim>) - 1u);
template <int Dim>
inline constexpr std::uint8_t translations_mask = static_cast<std::uint8_t>((1u << Dim) - 1u);
template <int Dim>
inline constexpr std::uint8_t rotations_mask = static_cast<std::uint8_t>(all_driven<Dim> & ~translations_mask<Dim>);

template <int Dim>
struct Bodies {
    std::vector<BodyId> id;
    std::vector<Vec<Dim>> position;
    std::vector<Image<Dim>> image;          ///< periodic cells crossed
    std::vector<Rotation<Dim>> rotation;
    std::vector<Vec<Dim>> velocity;
    std::vector<Spin<Dim>> spin;
    std::vector<double> radius;             ///< of the ball, or of one about the centre of mass that holds the body; 0 for boundaries
    std::vector<double> mass;
    std::vector<Spin<Dim>> inertia;         ///< principal moments
    std::vector<MaterialId> material;
    std::vector<std::int32_t> tag;
    std::vector<double> birth;
    std::vector<std::uint8_t> driven;
    std::vector<std::uint8_t> has_weight;
    std::vector<std::int32_t> shape;        ///< into the shape table; 0 is the ball
    UniformArray<std::int32_t> glued_to{-1};             ///< index of the carrier, or -1
    UniformArray<Vec<Dim>> glue_offset{Vec<Dim>::Zero()};   ///< in the carrier's axes
    UniformArray<std::int32_t> owner{0};                 ///< rank that owns the body: 0 on one machine

    [[nodiscard]] std::size_t size() const { return id.size(); }
    /// The body whose motion this one has: its carrier, or itself.
    [[nodiscard]] std::int32_t carrier(std::size_t i) const {
        return glued_to[i] >= 0 ? glued_to[i] : static_cast<std::int32_t>(i);
    }
    [[nodiscard]] bool is_wall(std::size_t i) const { return driven[carrier(i)] == all_driven<Dim>; }
    [[nodiscard]] bool is_ball(std::size_t i) const { return shape[i] == 0; }
    /// Boundaries do not touch each other.
    [[nodiscard]] bool is_boundary(std::size_t i) const { return radius[i] == 0.0; }
    /// Turns in three dimensions with a changing inertia: neither a ball nor held.
    [[nodiscard]] bool turns_freely(std::size_t i) const {
        return !is_ball(i) && glued_to[i] < 0 && (driven[i] & rotations_mask<Dim>) == 0;
    }
    [[nodiscard]] bool turns_partly(std::size_t i) const {
        const std::uint8_t held = driven[i] & rotations_mask<Dim>;
        return !is_ball(i) && held != 0 && held != rotations_mask<Dim>;
    }

    /// Calls f(name, array) for every array: one list for checkpoint, hash, removal and memory count.
    template <class F>
    void for_each_array(F&& f) { visit(*this, f); }
    template <class F>
    void for_each_array(F&& f) const { visit(*this, f); }

private:
    template <class Self, class F>
    static void visit(Self& s, F& f) {
        f(s.id); f(s.position); f(s.image); f(s.rotation); f(s.velocity); f(s.spin); f(s.radius);
        f(s.mass); f(s.inertia); f(s.material); f(s.tag); f(s.birth); f(s.driven); f(s.has_weight);
        f(s.shape); f(s.glued_to); f(s.glue_offset); f(s.owner);
    }
};

}  // namespace talus
