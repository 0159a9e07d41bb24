#pragma once
/// \file
/// What the readers of the parts of a scene share: the mistakes found, the scene being filled, and the
/// names that other parts may refer to.

#include <set>
#include <string>
#include <vector>

#include "scene/diagnostics.h"
#include "scene/document.h"
#include "scene/quantity.h"
#include "scene/scene.h"

namespace talus::scene {

struct Context {
    Diagnostics errors;
    Scene scene;
    std::set<std::string> allowed;  ///< checks the scene waives
    double step = 0.0;              ///< of the scene, for tables and expressions [s]
    std::int32_t next_tag = 1001;

    [[nodiscard]] int dimension() const { return scene.dimension; }
    [[nodiscard]] double si(double value, Quantity q) const { return to_si(value, q, scene.units); }
    [[nodiscard]] double user(double value, Quantity q) const { return from_si(value, q, scene.units); }
    /// A position as the user would write it.
    [[nodiscard]] std::string point_text(const Point& p) const;
    [[nodiscard]] std::vector<std::string> material_names() const;
    [[nodiscard]] std::vector<std::string> body_names() const;
    [[nodiscard]] std::vector<std::string> axis_names() const;     ///< x y [z]
    [[nodiscard]] std::vector<std::string> freedom_names() const;  ///< x y r, or x y z rx ry rz
    /// Index of a body by name, or -1.
    [[nodiscard]] int body_index(const std::string& name) const;
    /// Number of a named tag, given on first use.
    [[nodiscard]] std::int32_t tag_number(const std::string& name);
};

}  // namespace talus::scene
