#pragma once
/// \file
/// Symmetric tensors of stress and fabric: principal values in decreasing order and their axes, and the
/// angles by which people name directions of lines.

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>

#include <Eigen/Eigenvalues>

#include "observe/result.h"
#include "observe/space.h"

namespace talus::observe {

inline constexpr double degrees = 180.0 / std::numbers::pi;   ///< in a radian

template <int Dim>
struct Principal {
    Vec<Dim> values;   ///< decreasing
    Mat<Dim> axes;     ///< columns; the largest component of each is positive
};

template <int Dim>
[[nodiscard]] Principal<Dim> principal_of(const Mat<Dim>& symmetric) {
    const Eigen::SelfAdjointEigenSolver<Mat<Dim>> solved(symmetric);  // increasing
    Principal<Dim> principal;
    for (int k = 0; k < Dim; ++k) {
        Vec<Dim> axis = solved.eigenvectors().col(Dim - 1 - k);
        int largest = 0;
        axis.cwiseAbs().maxCoeff(&largest);
        if (axis[largest] < 0.0) axis = -axis;
        principal.values[k] = solved.eigenvalues()[Dim - 1 - k];
        principal.axes.col(k) = axis;
    }
    return principal;
}

/// Angle between a line and the vertical, in [0, 90] [deg].
template <int Dim>
[[nodiscard]] double angle_from(const Vec<Dim>& line, const Vec<Dim>& up) {
    return std::acos(std::min(1.0, std::abs(line.dot(up)) / line.norm())) * degrees;
}

/// Direction of a line with these components, in (-90, 90] [deg]; NaN without a direction.
[[nodiscard]] inline double line_angle(double along, double upward) {
    if (along == 0.0 && upward == 0.0) return std::numeric_limits<double>::quiet_NaN();
    const double angle = std::atan2(upward, along) * degrees;
    return angle > 90.0 ? angle - 180.0 : angle <= -90.0 ? angle + 180.0 : angle;
}

/// Angle between two lines given by their directions, in [0, 90] [deg].
[[nodiscard]] inline double line_difference(double a, double b) {
    const double d = std::fmod(std::abs(a - b), 180.0);
    return std::min(d, 180.0 - d);
}

/// `principal_1` ..., `axis_1_x` ... .
template <int Dim>
void add_principal(Result& result, const Principal<Dim>& principal, const char* unit) {
    for (int k = 0; k < Dim; ++k) result.add("principal_" + std::to_string(k + 1), principal.values[k], unit);
    for (int k = 0; k < Dim; ++k)
        for (int i = 0; i < Dim; ++i)
            result.add("axis_" + std::to_string(k + 1) + "_" + axis_names[static_cast<std::size_t>(i)], principal.axes(i, k));
}

/// Direction of the major axis from the x axis, in the plane only.
inline void add_major_angle(Result& result, const Vec<2>& major) {
    result.add("major_angle", line_angle(major.x(), major.y()), "deg");
}
inline void add_major_angle(Result&, const Vec<3>&) {}

}  // namespace talus::observe
