#pragma once
/// \file
/// One contact in reduced form: a normal row and blocks of rows, each within a disk of radius S_N. What
/// `laws/link.h` turns its contacts into, and solves; see there for the method.

#include <array>

#include <Eigen/Core>

namespace talus {

/// Row 0 is the normal; H is symmetric and positive definite.
struct BoundedContact {
    static constexpr int most_rows = 6;
    using Matrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, 0, most_rows, most_rows>;
    using Vector = Eigen::Matrix<double, Eigen::Dynamic, 1, 0, most_rows, 1>;
    struct Block {
        int at = 1, size = 1;  ///< first row, one or two rows
    };
    Matrix H;
    Vector b;
    std::array<Block, 3> block{};
    int blocks = 0;

    [[nodiscard]] int rows() const { return static_cast<int>(b.size()); }
};

/// The impulse that satisfies the law. `start` is one near it, or empty.
[[nodiscard]] BoundedContact::Vector solve_bounded(const BoundedContact& p, const BoundedContact::Vector& start);

}  // namespace talus
