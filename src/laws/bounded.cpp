#include "laws/bounded.h"

#include <cmath>
#include <limits>

#include <Eigen/Cholesky>
#include <Eigen/LU>

namespace talus {
namespace {

using Matrix = BoundedContact::Matrix;
using Vector = BoundedContact::Vector;
using Block = BoundedContact::Block;

constexpr double epsilon = std::numeric_limits<double>::epsilon();
constexpr double exact = 16.0 * epsilon;    ///< residual, in units of the terms that are added up
constexpr double good = 64.0 * epsilon;     ///< accepted where it gets no better

/// The step of the natural map of a block.
double multiplier(const BoundedContact& p, const Block& k) {
    return k.size / p.H.block(k.at, k.at, k.size, k.size).trace();
}

/// The two faces of a block at x: velocity, and impulse less velocity times the multiplier.
struct Seen {
    Eigen::Vector2d U = Eigen::Vector2d::Zero(), w = Eigen::Vector2d::Zero();
    double size = 0.0;  ///< of the terms of U
    double r = 0.0;
};

Seen see(const BoundedContact& p, const Vector& x, const Block& k) {
    Seen seen;
    seen.r = multiplier(p, k);
    for (int i = 0; i < k.size; ++i) {
        const int row = k.at + i;
        double u = p.b[row], size = std::abs(u);
        for (int j = 0; j < p.rows(); ++j) {
            u += p.H(row, j) * x[j];
            size += std::abs(p.H(row, j) * x[j]);
        }
        seen.U[i] = u;
        seen.w[i] = x[row] - seen.r * u;
        seen.size += size;
    }
    return seen;
}

/// How far a block is from its law, as a velocity over the size of its terms. On the rim, an impulse that is off by
/// d is off by d/r as a velocity, and its direction by d/s: the velocity is across it by |U| d/s.
double block_defect(const BoundedContact& p, const Vector& x, const Block& k) {
    const Seen seen = see(p, x, k);
    const double length = seen.w.norm();
    const bool on_rim = length > x[0];
    double miss = 0.0;
    for (int i = 0; i < k.size; ++i) {
        const double d = on_rim ? x[k.at + i] - x[0] / length * seen.w[i] : seen.r * seen.U[i];
        miss += d * d;
    }
    if (miss == 0.0) return 0.0;
    const double per_impulse = on_rim ? std::max(1.0 / seen.r, seen.U.norm() / x[0]) : 1.0 / seen.r;
    return std::sqrt(miss) * per_impulse / seen.size;
}

double blocks_defect(const BoundedContact& p, const Vector& x) {
    double most = 0.0;
    for (int k = 0; k < p.blocks; ++k) most = std::max(most, block_defect(p, x, p.block[k]));
    return std::isfinite(x.sum()) ? most : HUGE_VAL;
}

/// The same with the normal row: what a solution has none of.
double defect(const BoundedContact& p, const Vector& x) {
    if (!(x[0] > 0.0)) return HUGE_VAL;
    double u = p.b[0], size = std::abs(u);
    for (int j = 0; j < p.rows(); ++j) {
        u += p.H(0, j) * x[j];
        size += std::abs(p.H(0, j) * x[j]);
    }
    return std::max(std::abs(u) / size, blocks_defect(p, x));
}

/// One step of Newton's method on the natural map; the normal impulse is held or free.
Vector newton_step(const BoundedContact& p, const Vector& x, bool hold_normal) {
    const int n = p.rows();
    Matrix J = p.H;
    Vector F = p.b + p.H * x;
    if (hold_normal) {
        J.row(0).setZero();
        J(0, 0) = 1.0;
        F[0] = 0.0;
    }
    for (int b = 0; b < p.blocks; ++b) {
        const Block& k = p.block[b];
        const Seen seen = see(p, x, k);
        const double length = seen.w.norm();
        if (length <= x[0]) continue;  // at rest: U = 0
        // y = s e, e = w/|w|: dy = ds e + s (1 - e e') dw/|w|, dw = dy - r H dx.
        const Eigen::Vector2d e = seen.w / length;
        for (int i = 0; i < k.size; ++i) {
            F[k.at + i] = x[k.at + i] - x[0] * e[i];
            for (int j = 0; j < n; ++j) {
                double turn = 0.0;
                for (int l = 0; l < k.size; ++l) {
                    const double dw = (k.at + l == j ? 1.0 : 0.0) - seen.r * p.H(k.at + l, j);
                    turn += ((i == l ? 1.0 : 0.0) - e[i] * e[l]) * dw;
                }
                J(k.at + i, j) = (k.at + i == j ? 1.0 : 0.0) - (j == 0 ? e[i] : 0.0) - x[0] / length * turn;
            }
        }
    }
    // Rows of blocks on the rim are impulses, the others velocities: each in its own unit.
    for (int i = 0; i < n; ++i) {
        const double size = J.row(i).cwiseAbs().maxCoeff();
        if (!(size > 0.0)) continue;
        J.row(i) /= size;
        F[i] /= size;
    }
    return x - Vector(J.partialPivLu().solve(F));
}

/// Newton's method from x until it gets no better. True when the law holds to rounding.
bool polish(const BoundedContact& p, Vector& x, bool hold_normal, int most_steps) {
    const auto miss = [&](const Vector& at) { return hold_normal ? blocks_defect(p, at) : defect(p, at); };
    Vector at = x;
    double least = miss(x);
    for (int step = 0, idle = 0; step < most_steps && idle < 3 && least > exact; ++step) {
        at = newton_step(p, at, hold_normal);
        if (!at.allFinite() || (!hold_normal && !(at[0] > 0.0))) break;
        const double now = miss(at);
        idle = now < 0.5 * least ? 0 : idle + 1;
        if (now >= least) continue;
        least = now;
        x = at;
    }
    return least <= good;
}

/// min 1/2 y.A y + g.y in the disk of radius R: the multiplier l >= 0 with |(A + l)^-1 g| = R, by Newton's method
/// on 1/|y| - 1/R, which is concave: from l = 0 it never overshoots.
Eigen::Vector2d in_disk(const Eigen::Matrix2d& A, const Eigen::Vector2d& g, double R) {
    double l = 0.0;
    Eigen::Vector2d y = Eigen::Vector2d::Zero();
    for (int step = 0; step < 60; ++step) {
        const double a = A(0, 0) + l, d = A(1, 1) + l, c = A(0, 1), det = a * d - c * c;
        const auto solve = [&](const Eigen::Vector2d& v) {
            return Eigen::Vector2d((d * v[0] - c * v[1]) / det, (a * v[1] - c * v[0]) / det);
        };
        y = -solve(g);
        const double size = y.norm();
        if (!(size > R * (1.0 + 4.0 * epsilon))) return y;
        const double slope = y.dot(solve(y));  // -|y| d|y|/dl
        const double next = l + (size - R) / R * size * size / slope;
        if (!(next > l)) break;
        l = next;
    }
    return y * (R / y.norm());
}

/// One sweep over the blocks, each at the minimum with the others held.
void sweep_blocks(const BoundedContact& p, Vector& x) {
    for (int b = 0; b < p.blocks; ++b) {
        const Block& k = p.block[b];
        Eigen::Matrix2d A = Eigen::Matrix2d::Identity();
        Eigen::Vector2d g = Eigen::Vector2d::Zero();
        A.topLeftCorner(k.size, k.size) = p.H.block(k.at, k.at, k.size, k.size);
        g.head(k.size) = (p.b + p.H * x).segment(k.at, k.size) - A.topLeftCorner(k.size, k.size) * x.segment(k.at, k.size);
        x.segment(k.at, k.size) = in_disk(A, g, x[0]).head(k.size);
    }
}

/// The blocks of an ill-conditioned H: those of a better one, which is then led to H.
bool settle_by_steps(const BoundedContact& p, Vector& x) {
    Vector at = x;
    for (double more = 1.0; more > 1e-15; more *= 0.1) {
        BoundedContact q = p;
        q.H.diagonal().tail(p.rows() - 1) *= 1.0 + more;
        for (int sweep = 0; sweep < 5; ++sweep) {
            if (polish(q, at, true, 12)) break;
            sweep_blocks(q, at);
        }
        Vector end = at;
        if (!polish(p, end, true, 12)) continue;
        x = end;
        return true;
    }
    return false;
}

/// The blocks for the normal impulse x[0]: Gauss-Seidel, with Newton's method to end it.
void settle_blocks(const BoundedContact& p, Vector& x) {
    for (int sweep = 0; sweep < 200; ++sweep) {
        sweep_blocks(p, x);
        if (polish(p, x, true, 4) || (sweep == 10 && settle_by_steps(p, x))) return;
    }
}

/// What decides about uniqueness, and where the root of f lies.
struct Bracket {
    double beta;        ///< f <= 0 from here on
    double lipschitz;   ///< of f
    bool unique;

    explicit Bracket(const BoundedContact& p) {
        const int n = p.rows() - 1;
        const Vector h = p.H.col(0).tail(n), b = p.b.tail(n);
        double most = p.H(0, 0);
        for (int k = 0; k < p.blocks; ++k) most += p.H.col(0).segment(p.block[k].at, p.block[k].size).norm();
        const Matrix A = p.H.bottomRightCorner(n, n);
        const Eigen::LDLT<Matrix> factor(A);
        const double spread = std::sqrt(std::max(0.0, h.dot(Vector(factor.solve(h)))) * std::max(0.0, b.dot(Vector(factor.solve(b)))));
        beta = most / -p.b[0];
        lipschitz = spread - p.b[0];
        unique = spread < -0.999 * p.b[0];
    }
};

/// Looks for the root of f from above, then by halving.
Vector search(const BoundedContact& p, const Bracket& bracket) {
    double low = 0.0, high = bracket.beta;
    Vector x = Vector::Zero(p.rows()), best = x;
    double least = HUGE_VAL, beta = high;
    for (int step = 0; step < 300 && high > low; ++step) {
        const bool stepping = !bracket.unique && step < 100;
        if (x[0] > 0.0) x.tail(p.rows() - 1) *= 1.0 / (beta * x[0]);
        x[0] = 1.0 / beta;
        settle_blocks(p, x);
        const double f = beta * (p.b[0] + p.H.row(0).dot(x));
        (f > 0.0 ? low : high) = beta;
        Vector root = x;
        const bool found = polish(p, root, false, 12);
        const double missed = defect(p, root), at = 1.0 / root[0], clear = std::abs(f) / bracket.lipschitz;
        const bool nearest = !stepping || at >= beta - 4.0 * clear - 1e-12 * beta;
        if (found && nearest && at >= low * (1.0 - 1e-12) && at <= high * (1.0 + 1e-12)) return root;
        if (missed < least) {
            least = missed;
            best = root;
        }
        beta = stepping && f <= 0.0 ? beta - clear : 0.5 * (low + high);
    }
    return best;
}

bool sticks(const BoundedContact& p, Vector& x) {
    const Eigen::LDLT<Matrix> factor(p.H);
    x = -Vector(factor.solve(p.b));
    x -= Vector(factor.solve(p.b + p.H * x));
    if (!x.allFinite() || !(x[0] > 0.0)) return false;
    for (int k = 0; k < p.blocks; ++k)
        if (x.segment(p.block[k].at, p.block[k].size).norm() > x[0]) return false;
    return defect(p, x) <= good;
}

}  // namespace

Vector solve_bounded(const BoundedContact& p, const Vector& start) {
    if (!(p.b[0] < 0.0) || !(p.H(0, 0) > 0.0)) return Vector::Zero(p.rows());
    if (p.rows() == 1) return Vector::Constant(1, -p.b[0] / p.H(0, 0));
    Vector x;
    if (sticks(p, x)) return x;
    const Bracket bracket(p);
    if (bracket.unique) {
        if (start.size() == p.rows() && start[0] > 0.0) {
            x = start;
            if (polish(p, x, false, 12)) return x;
        }
        x.setZero(p.rows());
        x[0] = -p.b[0] / p.H(0, 0);
        settle_blocks(p, x);
        if (polish(p, x, false, 12)) return x;
    }
    return search(p, bracket);
}

}  // namespace talus
