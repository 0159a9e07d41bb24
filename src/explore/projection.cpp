// The set of equilibrium forces seen along two quantities, by its support function.

#include <algorithm>
#include <cmath>

#include "explore/bounds.h"
#include "math/portable.h"

namespace talus::explore {
namespace {

using Vector = Eigen::VectorXd;
using Point = Eigen::Vector2d;   // in parts of the window: -1 ... 1

constexpr double pi = 3.14159265358979323846;

/// Where the support line of a direction touches the region.
struct Support {
    double angle = 0.0, value = 0.0;
    Point at = Point::Zero();
    bool tight = false;          ///< nothing is hidden under the edge to the next one
    [[nodiscard]] Point direction() const { return {portable::cos(angle), portable::sin(angle)}; }
};

/// The program of the set with both quantities held inside the window, as rows of size 1.
class WindowedSet {
public:
    template <int Dim>
    WindowedSet(const ForceSet<Dim>& set, const Quantity& x, const Quantity& y, const Window& w)
        : program_(conditions(set)), mid_(0.5 * (w.x_low + w.x_high), 0.5 * (w.y_low + w.y_high)) {
        const Point half(0.5 * (w.x_high - w.x_low), 0.5 * (w.y_high - w.y_low));
        rows_ = {x.weights * (set.unit / half[0]), y.weights * (set.unit / half[1])};
        mid_ = mid_.cwiseQuotient(half);
        std::vector<Eigen::Triplet<double>> entries;
        for (int k = 0; k < 4; ++k)
            for (Eigen::Index column = 0; column < set.columns(); ++column)
                if (rows_[k / 2][column] != 0.0)
                    entries.emplace_back(k, static_cast<int>(column), k % 2 == 0 ? rows_[k / 2][column] : -rows_[k / 2][column]);
        for (int k = 0; k < program_.G.outerSize(); ++k)
            for (Eigen::SparseMatrix<double>::InnerIterator it(program_.G, k); it; ++it)
                entries.emplace_back(4 + static_cast<int>(it.row()), k, it.value());
        Eigen::SparseMatrix<double> G(program_.G.rows() + 4, program_.G.cols());
        G.setFromTriplets(entries.begin(), entries.end());
        program_.G = G;
        Vector h(G.rows());
        h << 1.0 + mid_[0], 1.0 - mid_[0], 1.0 + mid_[1], 1.0 - mid_[1], program_.h;
        program_.h = h;
        program_.orthant += 4;
    }

    /// False when the program was not solved: the set misses the window, or rounding.
    bool support(double angle, Support& out) {
        out.angle = angle;
        const Point d = out.direction();
        program_.c = -d[0] * rows_[0] - d[1] * rows_[1];
        const ConeSolution s = solve(program_);
        if (s.status != ConeStatus::optimal) return false;
        out.at = Point(rows_[0].dot(s.x), rows_[1].dot(s.x)) - mid_;
        out.value = d.dot(out.at);
        return true;
    }

private:
    ConeProgram program_;
    std::array<Vector, 2> rows_;
    Point mid_;
};

/// How far the region may reach beyond the edge from a to b: to where their support lines meet.
double hidden(const Support& a, const Support& b) {
    const Point edge = b.at - a.at;
    if (a.tight || edge.norm() < 1e-9) return 0.0;
    const Point da = a.direction(), db = b.direction();
    const double det = da[0] * db[1] - da[1] * db[0];
    if (std::abs(det) < 1e-9) return 0.0;
    const Point meet((a.value * db[1] - b.value * da[1]) / det, (da[0] * b.value - db[0] * a.value) / det);
    const Point outward = Point(edge[1], -edge[0]) / edge.norm();
    return std::max(0.0, outward.dot(meet - a.at));
}

/// The angle of the outward normal of the edge, between those of its ends.
double edge_angle(const Support& a, const Support& b) {
    const Point edge = b.at - a.at;
    double angle = portable::atan2(-edge[0], edge[1]);
    while (angle < a.angle - 1e-12) angle += 2.0 * pi;
    return angle;
}

/// Corners without those that repeat their neighbour.
void keep_corners(const std::vector<Support>& around, const Window& w, Projection& out) {
    std::vector<Point> corners;
    for (const Support& s : around)
        if (corners.empty() || (corners.back() - s.at).norm() > 1e-9) corners.push_back(s.at);
    while (corners.size() > 1 && (corners.front() - corners.back()).norm() <= 1e-9) corners.pop_back();
    for (const Point& p : corners) {
        out.x.push_back(0.5 * (w.x_low + w.x_high) + 0.5 * (w.x_high - w.x_low) * p[0]);
        out.y.push_back(0.5 * (w.y_low + w.y_high) + 0.5 * (w.y_high - w.y_low) * p[1]);
    }
}

}  // namespace

template <int Dim>
Projection project(const ForceSet<Dim>& set, const Quantity& x, const Quantity& y, const Window& window, int most,
                   double tolerance) {
    Projection out;
    WindowedSet windowed(set, x, y, window);
    std::vector<Support> around;
    for (int k = 0; k < 4; ++k, ++out.programs) {
        Support s;
        if (!windowed.support(0.5 * pi * k, s)) return out;
        around.push_back(s);
    }
    while (true) {
        std::size_t widest = 0;
        out.defect = 0.0;
        for (std::size_t k = 0; k < around.size(); ++k) {
            const double part = hidden(around[k], around[(k + 1) % around.size()]);
            if (part > out.defect) {
                out.defect = part;
                widest = k;
            }
        }
        if (out.defect <= tolerance || out.programs >= most) break;
        const Support& next = around[(widest + 1) % around.size()];
        Support s;
        ++out.programs;
        const bool solved = windowed.support(edge_angle(around[widest], next), s);
        if (!solved || s.value - s.direction().dot(next.at) <= tolerance) around[widest].tight = true;
        else around.insert(around.begin() + static_cast<std::ptrdiff_t>(widest) + 1, s);
    }
    keep_corners(around, window, out);
    return out;
}

template Projection project<2>(const ForceSet<2>&, const Quantity&, const Quantity&, const Window&, int, double);
template Projection project<3>(const ForceSet<3>&, const Quantity&, const Quantity&, const Window&, int, double);

}  // namespace talus::explore
