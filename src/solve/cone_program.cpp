#include "solve/cone_program.h"

#include <Eigen/SparseCholesky>
#include <algorithm>
#include <cmath>
#include <limits>

#include "solve/cone_scaling.h"
#include "talus/error.h"

namespace talus {
namespace {

using Real = ConeReal;
using Vector = ConeVector;
using Sparse = Eigen::SparseMatrix<Real>;

Real largest(const Vector& v) { return v.size() > 0 ? v.lpNorm<Eigen::Infinity>() : 0.0L; }

void check(const ConeProgram& p) {
    Eigen::Index rows = p.orthant;
    bool fits = p.orthant >= 0;
    for (const int n : p.second_order) {
        fits = fits && n >= 1;
        rows += n;
    }
    fits = fits && p.A.cols() == p.c.size() && p.G.cols() == p.c.size() && p.A.rows() == p.b.size() &&
           p.G.rows() == p.h.size() && p.h.size() == rows;
    if (!fits) throw InputError("cone program: the sizes of A, b, c, G, h and the cones do not fit");
    const auto finite = [](const Eigen::SparseMatrix<double>& m) {
        for (Eigen::Index k = 0; k < m.outerSize(); ++k)
            for (Eigen::SparseMatrix<double>::InnerIterator it(m, k); it; ++it)
                if (!std::isfinite(it.value())) return false;
        return true;
    };
    if (!finite(p.A) || !finite(p.G) || !p.b.allFinite() || !p.c.allFinite() || !p.h.allFinite())
        throw InputError("cone program: a number is not finite");
}

/// The program in units in which the largest of b, h and the largest of c are 1.
struct Data {
    Sparse A, G;
    Vector b, c, h;
    Real force = 1.0L, cost = 1.0L;   ///< the units
    explicit Data(const ConeProgram& p)
        : A(p.A.cast<Real>()), G(p.G.cast<Real>()), b(p.b.cast<Real>()), c(p.c.cast<Real>()), h(p.h.cast<Real>()) {
        const Real f = std::max(largest(b), largest(h)), k = largest(c);
        if (f > 0.0L) force = f;
        if (k > 0.0L) cost = k;
        b /= force;
        h /= force;
        c /= cost;
    }
};

/// A triple (x, y, z): unknowns of the three block rows.
struct Triple {
    Vector x, y, z;
};

/// The matrix [0 A' G'; A 0 0; G 0 -W^2], factorised with a slight regularisation that refinement undoes.
class KktSystem {
public:
    KktSystem(const Data& p, const ConeScaling& scaling) : p_(p), scaling_(scaling) {
        const auto n = static_cast<int>(p.c.size()), e = static_cast<int>(p.b.size()), size = n + e + scaling.size();
        std::vector<Eigen::Triplet<Real>> entries;
        const auto put = [&](const Sparse& m, int first_row) {
            for (int k = 0; k < m.outerSize(); ++k)
                for (Sparse::InnerIterator it(m, k); it; ++it) entries.emplace_back(first_row + static_cast<int>(it.row()), k, it.value());
        };
        for (int k = 0; k < size; ++k) entries.emplace_back(k, k, k < n ? delta : -delta);
        put(p.A, n);
        put(p.G, n + e);
        scaling.visit_square([&](int i, int j, Real) { if (i != j) entries.emplace_back(n + e + i, n + e + j, 0.0L); });
        matrix_.resize(size, size);
        matrix_.setFromTriplets(entries.begin(), entries.end());
        scaling.visit_square([&](int i, int j, Real) { square_.push_back(&matrix_.coeffRef(n + e + i, n + e + j)); });
        for (int k = 0; k < n + e; ++k) diagonal_.push_back(&matrix_.coeffRef(k, k));
        ldl_.analyzePattern(matrix_);
    }

    /// With the present W, regularised more when a pivot vanishes; false when that does not help.
    bool factorise() {
        const auto n = p_.c.size(), e = p_.b.size();
        for (const Real more : {1.0L, 1e2L, 1e4L, 1e6L}) {
            for (Eigen::Index k = 0; k < n + e; ++k) *diagonal_[static_cast<std::size_t>(k)] = (k < n ? more : -more) * delta;
            std::size_t k = 0;
            scaling_.visit_square([&](int i, int j, Real value) { *square_[k++] = -value - (i == j ? more * delta : 0.0L); });
            ldl_.factorize(matrix_);
            if (ldl_.info() == Eigen::Success) return true;
        }
        return false;
    }

    [[nodiscard]] Triple solve(const Triple& right) const {
        Triple u = split(ldl_.solve(joined(right)));
        Triple rest = residual(right, u);
        Real error = size_of(rest);
        const Real enough = 1e-18L * (1.0L + size_of(right));
        for (int round = 0; round < max_rounds && error > enough; ++round) {
            const Triple du = split(ldl_.solve(joined(rest)));
            const Triple next{u.x + du.x, u.y + du.y, u.z + du.z};
            const Triple next_rest = residual(right, next);
            const Real next_error = size_of(next_rest);
            if (!(next_error < 0.9L * error)) break;
            u = next;
            rest = next_rest;
            error = next_error;
        }
        return u;
    }

private:
    static constexpr Real delta = 1e-11L;
    static constexpr int max_rounds = 20;

    [[nodiscard]] static Real size_of(const Triple& t) { return std::max({largest(t.x), largest(t.y), largest(t.z)}); }
    [[nodiscard]] static Vector joined(const Triple& t) {
        Vector v(t.x.size() + t.y.size() + t.z.size());
        v << t.x, t.y, t.z;
        return v;
    }
    [[nodiscard]] Triple split(const Vector& v) const {
        const auto n = p_.c.size(), e = p_.b.size();
        return {v.head(n), v.segment(n, e), v.tail(v.size() - n - e)};
    }
    [[nodiscard]] Triple residual(const Triple& right, const Triple& u) const {
        return {right.x - p_.A.transpose() * u.y - p_.G.transpose() * u.z, right.y - p_.A * u.x,
                right.z - p_.G * u.x + scaling_.times_W(scaling_.times_W(u.z))};
    }

    const Data& p_;
    const ConeScaling& scaling_;
    Sparse matrix_;
    std::vector<Real*> square_, diagonal_;   ///< where W^2 and the first two diagonal blocks are in it
    Eigen::SimplicialLDLT<Sparse, Eigen::Lower, Eigen::AMDOrdering<int>> ldl_;
};

struct Iterate {
    Vector x, y, z, s;
    Real tau = 1.0L, kappa = 1.0L;
};

/// How far an iterate is from a solution or from a certificate.
struct Judgement {
    Real primal = 0.0L, dual = 0.0L, gap = 0.0L, value = 0.0L, dual_value = 0.0L;
    Real infeasible = std::numeric_limits<Real>::infinity(), unbounded = infeasible;
    [[nodiscard]] Real worst() const { return std::max({primal, dual, gap}); }
};

class InteriorPoint {
public:
    InteriorPoint(const ConeProgram& p, const ConeSettings& settings)
        : p_(p), settings_(settings), scaling_(p.orthant, p.second_order), kkt_(p_, scaling_) {}

    ConeSolution run() {
        start();
        Iterate best = now_;
        Judgement best_seen;
        Real least = std::numeric_limits<Real>::infinity();
        int iteration = 0;
        for (;; ++iteration) {
            const Judgement seen = judge();
            const Real measure = std::min({seen.worst(), seen.infeasible, seen.unbounded});
            if (measure < least) {
                least = measure;
                best = now_;
                best_seen = seen;
            }
            if (least <= settings_.tolerance || iteration >= settings_.max_iterations) break;
            if (least <= settings_.acceptable && measure > 100.0L * least) break;  // rounding has taken over
            if (!advance()) break;
        }
        return conclude(best, best_seen, iteration);
    }

private:
    void start() {
        const auto n = p_.c.size();
        const auto e = p_.b.size();
        now_.tau = now_.kappa = 1.0L;
        kkt_.factorise();  // W = I
        const Triple primal = kkt_.solve({Vector::Zero(n), p_.b, p_.h});
        const Triple dual = kkt_.solve({-p_.c, Vector::Zero(e), Vector::Zero(p_.h.size())});
        now_.x = primal.x;
        now_.s = scaling_.brought_inside(-primal.z);
        now_.y = dual.y;
        now_.z = scaling_.brought_inside(dual.z);
    }

    [[nodiscard]] Judgement judge() const {
        Judgement j;
        const Iterate& v = now_;
        const Vector Aty = p_.A.transpose() * v.y + p_.G.transpose() * v.z, Ax = p_.A * v.x, Gx = p_.G * v.x + v.s;
        j.primal = std::max(largest(Ax / v.tau - p_.b), largest(Gx / v.tau - p_.h));
        j.dual = largest(Aty / v.tau + p_.c);
        j.value = p_.c.dot(v.x) / v.tau;
        j.dual_value = -(p_.b.dot(v.y) + p_.h.dot(v.z)) / v.tau;
        const Real scale = std::max(1.0L, std::abs(j.value));
        j.gap = std::max(v.s.dot(v.z) / (v.tau * v.tau), std::abs(j.value - j.dual_value)) / scale;
        const Real proof = -(p_.b.dot(v.y) + p_.h.dot(v.z)), fall = -p_.c.dot(v.x);
        if (v.tau < v.kappa && proof > 0.0L) j.infeasible = largest(Aty) / proof;
        if (v.tau < v.kappa && fall > 0.0L) j.unbounded = std::max(largest(Ax), largest(Gx)) / fall;
        return j;
    }

    struct Direction {
        Triple d;
        Vector s;
        Real tau = 0.0L, kappa = 0.0L;
    };

    /// The Newton direction that leaves `sigma` of the residuals; `ds`, `dk` are the right sides of complementarity.
    [[nodiscard]] Direction direction(const Triple& fixed, Real sigma, const Vector& ds, Real dk) const {
        const Iterate& v = now_;
        const Real part = 1.0L - sigma;
        const Vector back = scaling_.times_W(scaling_.divided_by_lambda(ds));
        const Vector rx = -(p_.A.transpose() * v.y + p_.G.transpose() * v.z + p_.c * v.tau);
        const Vector ry = p_.A * v.x - p_.b * v.tau, rz = v.s + p_.G * v.x - p_.h * v.tau;
        const Real rt = v.kappa + p_.c.dot(v.x) + p_.b.dot(v.y) + p_.h.dot(v.z);
        const Triple moving = kkt_.solve({part * rx, -part * ry, -part * rz - back});
        const auto pair = [&](const Triple& t) { return p_.c.dot(t.x) + p_.b.dot(t.y) + p_.h.dot(t.z); };
        Direction out;
        out.tau = (-part * rt - dk / v.tau - pair(moving)) / (pair(fixed) - v.kappa / v.tau);
        out.d = {moving.x + out.tau * fixed.x, moving.y + out.tau * fixed.y, moving.z + out.tau * fixed.z};
        out.s = back - scaling_.times_W(scaling_.times_W(out.d.z));
        out.kappa = (dk - v.kappa * out.tau) / v.tau;
        return out;
    }

    [[nodiscard]] Real longest_step(const Direction& to) const {
        Real step = std::min(scaling_.longest_step(scaling_.times_inverse(to.s)), scaling_.longest_step(scaling_.times_W(to.d.z)));
        if (to.tau < 0.0L) step = std::min(step, -now_.tau / to.tau);
        if (to.kappa < 0.0L) step = std::min(step, -now_.kappa / to.kappa);
        return step;
    }

    /// One predictor and corrector; false when rounding leaves no way on.
    bool advance() {
        if (!scaling_.update(now_.s, now_.z) || !kkt_.factorise()) return false;
        const Triple fixed = kkt_.solve({-p_.c, p_.b, p_.h});
        const Vector lambda2 = scaling_.product(scaling_.lambda(), scaling_.lambda());
        const Real tk = now_.tau * now_.kappa;
        const Direction guess = direction(fixed, 0.0L, -lambda2, -tk);
        const Real reach = std::min(1.0L, longest_step(guess));
        const Real sigma = std::clamp((1.0L - reach) * (1.0L - reach) * (1.0L - reach), Real(1e-6L), Real(1.0L));
        const Real mu = (now_.s.dot(now_.z) + tk) / (scaling_.degree() + 1.0L);
        const Vector second = scaling_.product(scaling_.times_inverse(guess.s), scaling_.times_W(guess.d.z));
        const Direction to = direction(fixed, sigma, -lambda2 - second + sigma * mu * scaling_.identity(),
                                       -tk - guess.tau * guess.kappa + sigma * mu);
        const Real step = std::min(1.0L, 0.99L * longest_step(to));
        if (!(step > 1e-10L) || !to.d.x.allFinite() || !to.d.z.allFinite()) return false;
        now_.x += step * to.d.x;
        now_.y += step * to.d.y;
        now_.z += step * to.d.z;
        now_.s += step * to.s;
        now_.tau += step * to.tau;
        now_.kappa += step * to.kappa;
        return true;
    }

    [[nodiscard]] ConeSolution conclude(const Iterate& v, const Judgement& seen, int iterations) const {
        ConeSolution out;
        out.iterations = iterations;
        Real primal = seen.primal, dual = seen.dual, by = 1.0L / v.tau;
        // A certificate is normalised by b'y + h'z = -1 or c'x = -1 in the caller's units.
        Real x_unit = p_.force, y_unit = p_.cost;
        if (seen.worst() <= settings_.acceptable) {
            out.status = ConeStatus::optimal;
        } else if (seen.infeasible <= settings_.acceptable) {
            out.status = ConeStatus::infeasible;
            by = -1.0L / (p_.b.dot(v.y) + p_.h.dot(v.z));
            y_unit = 1.0L / p_.force;
            dual = seen.infeasible;
        } else if (seen.unbounded <= settings_.acceptable) {
            out.status = ConeStatus::unbounded;
            by = -1.0L / p_.c.dot(v.x);
            x_unit = 1.0L / p_.cost;
            primal = seen.unbounded;
        }
        out.primal_residual = static_cast<double>(primal);
        out.dual_residual = static_cast<double>(dual);
        out.gap = static_cast<double>(seen.gap);
        out.x = Vector(by * x_unit * v.x).cast<double>();
        out.s = Vector(by * x_unit * v.s).cast<double>();
        out.y = Vector(by * y_unit * v.y).cast<double>();
        out.z = Vector(by * y_unit * v.z).cast<double>();
        out.value = static_cast<double>(by * x_unit * p_.cost * p_.c.dot(v.x));
        out.dual_value = static_cast<double>(-by * y_unit * p_.force * (p_.b.dot(v.y) + p_.h.dot(v.z)));
        return out;
    }

    const Data p_;
    const ConeSettings& settings_;
    ConeScaling scaling_;
    KktSystem kkt_;
    Iterate now_;
};

}  // namespace

ConeSolution solve(const ConeProgram& program, const ConeSettings& settings) {
    check(program);
    return InteriorPoint(program, settings).run();
}

}  // namespace talus
