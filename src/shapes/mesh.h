#pragma once
/// \file
/// A surface of triangles: a boundary touched from both sides. Triangles that share an edge know each
/// other, and a tree of boxes finds those near a place.

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "shapes/solid.h"

namespace talus {

/// An upright box in space; empty when it holds nothing.
struct UprightBox {
    Vec<3> low = Vec<3>::Constant(1e300), high = Vec<3>::Constant(-1e300);
    void add(const Vec<3>& x) { low = low.cwiseMin(x), high = high.cwiseMax(x); }
    [[nodiscard]] bool meets(const UprightBox& o) const {
        return (low.array() <= o.high.array()).all() && (o.low.array() <= high.array()).all();
    }
    [[nodiscard]] double distance2(const Vec<3>& x) const {
        return (low - x).cwiseMax(x - high).cwiseMax(0.0).squaredNorm();
    }
};

class TriangleMesh {
public:
    struct Triangle {
        std::array<std::int32_t, 3> corner;     ///< vertices, counter-clockwise seen from the side of the normal
        std::array<std::int32_t, 3> neighbour;  ///< triangle across the edge from corner k to k+1; -1: none
        Vec<3> normal;                          ///< unit
    };

    /// Nine numbers a triangle. Corners closer than 1e-9 of the size of the mesh are one vertex.
    /// \throws InputError naming the triangle when one has no area.
    explicit TriangleMesh(std::span<const double> sizes);

    [[nodiscard]] const std::vector<Vec<3>>& vertices() const { return vertices_; }
    [[nodiscard]] const std::vector<Triangle>& triangles() const { return triangles_; }
    /// The triangle as a flat convex piece.
    [[nodiscard]] const Polytope<3>& flat(std::int32_t k) const { return flats_[static_cast<std::size_t>(k)]; }
    /// Triangles that have vertex v as a corner.
    [[nodiscard]] std::span<const std::int32_t> around(std::int32_t v) const {
        return {ring_.data() + ring_begin_[static_cast<std::size_t>(v)],
                ring_.data() + ring_begin_[static_cast<std::size_t>(v) + 1]};
    }
    /// Calls f(triangle) for those whose boxes meet `box`, in a fixed order.
    template <class F>
    void for_each_near(const UprightBox& box, F&& f) const {
        visit(0, box, f);
    }
    /// Distance from a ball to the nearest point of the surface (negative when it overlaps).
    [[nodiscard]] double clearance(const Vec<3>& centre, double radius) const;
    /// Nearest point of triangle k.
    [[nodiscard]] Vec<3> nearest(std::int32_t k, const Vec<3>& x) const;

private:
    struct Node {
        UprightBox box;
        std::int32_t first = 0, count = 0;  ///< leaves: triangles `order_[first ..)`; else count is 0
        std::int32_t second = 0;            ///< the other child; the first follows its parent
    };
    template <class F>
    void visit(std::int32_t n, const UprightBox& box, F& f) const {
        const Node& node = nodes_[static_cast<std::size_t>(n)];
        if (!node.box.meets(box)) return;
        for (std::int32_t i = node.first; i < node.first + node.count; ++i) {
            const std::int32_t k = order_[static_cast<std::size_t>(i)];
            if (boxes_[static_cast<std::size_t>(k)].meets(box)) f(k);
        }
        if (node.count > 0) return;
        visit(n + 1, box, f);
        visit(node.second, box, f);
    }
    void weld(std::span<const double> sizes);
    void find_normals(std::span<const double> sizes);
    void find_neighbours();
    void find_rings();
    void build_tree();
    std::int32_t build_node(std::int32_t first, std::int32_t count);
    void search(std::int32_t n, const Vec<3>& x, double& best2) const;

    std::vector<Vec<3>> vertices_;
    std::vector<Triangle> triangles_;
    std::vector<Polytope<3>> flats_;
    std::vector<UprightBox> boxes_;
    std::vector<std::int32_t> ring_, ring_begin_, order_;
    std::vector<Node> nodes_;
};

}  // namespace talus
