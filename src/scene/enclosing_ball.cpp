#include "scene/enclosing_ball.h"

#include <Eigen/LU>

namespace talus::scene {

namespace {

/// The ball through all of at most four points with its centre in their span.
EnclosingBall through(const std::vector<Point>& rim) {
    if (rim.empty()) return {Point::Zero(), -1.0};
    const auto n = static_cast<Eigen::Index>(rim.size()) - 1;
    if (n == 0) return {rim[0], 0.0};
    // centre = rim[0] + D x with 2 D^T D x = diag(D^T D).
    Eigen::Matrix<double, 3, Eigen::Dynamic, 0, 3, 3> D(3, n);
    for (Eigen::Index k = 0; k < n; ++k) D.col(k) = rim[static_cast<std::size_t>(k) + 1] - rim[0];
    const Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, 0, 3, 3> G = D.transpose() * D;
    const Eigen::Matrix<double, Eigen::Dynamic, 1, 0, 3, 1> x = (2.0 * G).fullPivLu().solve(G.diagonal());
    const Point arm = D * x;
    return {rim[0] + arm, arm.norm()};
}

bool holds(const EnclosingBall& ball, const Point& p) {
    return ball.radius >= 0.0 && (p - ball.centre).norm() <= ball.radius * (1.0 + 1e-12);
}

/// Smallest ball of the first `count` points that has `rim` on its surface.
EnclosingBall smallest(const std::vector<Point>& points, std::size_t count, std::vector<Point>& rim) {
    EnclosingBall ball = through(rim);
    if (rim.size() == 4) return ball;
    for (std::size_t k = 0; k < count; ++k) {
        if (holds(ball, points[k])) continue;
        rim.push_back(points[k]);
        ball = smallest(points, k, rim);
        rim.pop_back();
    }
    return ball;
}

}  // namespace

EnclosingBall enclosing_ball(const std::vector<Point>& points) {
    std::vector<Point> rim;
    EnclosingBall ball = smallest(points, points.size(), rim);
    // No point outside, not even by rounding.
    for (const Point& p : points) ball.radius = std::max(ball.radius, (p - ball.centre).norm());
    return ball;
}

}  // namespace talus::scene
