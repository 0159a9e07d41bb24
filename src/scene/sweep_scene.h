#pragma once
/// \file
/// A sweeping process from a file: the moving set as formulas in t, x and y, and the points that it carries.
///
/// Formulas are muParser's; gradients and rates are differences of the formulas over five points. The language is
/// documented in docs/sweeping.md.

#include <array>
#include <string>
#include <vector>

#include "talus/sweeping.h"

namespace talus::scene {

struct SweepScene {
    std::string title;
    int dimension = 2;                     ///< of the space of q: x, or x and y
    double from = 0.0, until = 0.0, step = 0.0;
    SweepScheme scheme = SweepScheme::catching_up;
    std::vector<std::string> names;        ///< of the inequalities
    std::vector<std::string> formulas;     ///< f <= 0 inside
    std::vector<Inequality> set;
    std::vector<Eigen::VectorXd> starts;
    std::array<double, 2> window{-1.0, 1.0};  ///< x from and to, of the picture
    double section = 0.0;                  ///< the y at which the picture cuts the set
};

/// \throws InputError with every mistake and its place, IoError when the file cannot be read.
[[nodiscard]] SweepScene load_sweep_scene(const std::string& path);
[[nodiscard]] SweepScene load_sweep_scene_text(const std::string& text, const std::string& name);

/// Does a file say `kind: sweeping`? \throws InputError when it is not YAML, IoError when it cannot be read.
[[nodiscard]] bool is_sweep_scene(const std::string& path);

/// The way of one point.
struct SweepPath {
    std::vector<double> time;
    std::vector<Eigen::VectorXd> position;
    std::vector<std::vector<int>> active;   ///< inequalities that pushed during the step that ended here
    double swept = 0.0;
    double violation = 0.0;                 ///< largest of all steps
    bool converged = true;                  ///< in every step
};

[[nodiscard]] std::vector<SweepPath> run_sweep(const SweepScene& scene);

}  // namespace talus::scene
