#pragma once
/// \file
/// The cones of a cone program and their scaling.
///
/// The product of an orthant and of second-order cones Q = {(t, u): t >= |u|} is its own dual. For s and z inside
/// it, the scaling of Nesterov and Todd is the symmetric W with W z = W^-1 s = lambda; on it rest the directions of
/// primal-dual methods. On a second-order cone, with J = diag(1, -1, ...),
///     W = eta [w0 w1'; w1 I + w1 w1'/(1 + w0)],   W^2 = eta^2 (2 w w' - J),
/// w being the normalised mean of s and J z, and eta^4 = (s'Js)/(z'Jz) [Vandenberghe, The CVXOPT linear and quadratic
/// cone program solvers, 2010, sec. 5].
///
/// Near a solution W has very large and very small eigenvalues, and rounding spoils the latter: all of it is
/// computed with the 64 bits of mantissa of long double, which buys three digits of the answer.

#include <Eigen/Core>
#include <vector>

namespace talus {

/// The numbers inside the method.
using ConeReal = long double;
using ConeVector = Eigen::Matrix<ConeReal, Eigen::Dynamic, 1>;

class ConeScaling {
public:
    /// Components 0 ... orthant-1 are >= 0, those after them make second-order cones of these sizes (>= 1).
    ConeScaling(int orthant, const std::vector<int>& second_order);

    [[nodiscard]] int size() const { return size_; }
    /// Of the barrier: one for each component of the orthant, one for each second-order cone.
    [[nodiscard]] int degree() const { return orthant_ + static_cast<int>(cones_.size()); }
    /// The identity of the product: (1, 0, ...) in every cone.
    [[nodiscard]] ConeVector identity() const;
    /// v, moved along the identity until it is well inside when it is not.
    [[nodiscard]] ConeVector brought_inside(const ConeVector& v) const;

    /// Computes W and lambda; false when s or z is not inside to rounding.
    [[nodiscard]] bool update(const ConeVector& s, const ConeVector& z);
    [[nodiscard]] const ConeVector& lambda() const { return lambda_; }
    [[nodiscard]] ConeVector times_W(const ConeVector& v) const { return times(v, false); }
    [[nodiscard]] ConeVector times_inverse(const ConeVector& v) const { return times(v, true); }

    /// The Jordan product u o v, and its inverse: the v with lambda o v = d.
    [[nodiscard]] ConeVector product(const ConeVector& u, const ConeVector& v) const;
    [[nodiscard]] ConeVector divided_by_lambda(const ConeVector& d) const;
    /// The largest a with lambda + a d in the cone; infinite when there is none.
    [[nodiscard]] ConeReal longest_step(const ConeVector& d) const;

    /// Calls put(row, column, value) for the lower triangle of W^2.
    template <class Put>
    void visit_square(Put&& put) const {
        for (int k = 0; k < orthant_; ++k) put(k, k, diagonal_[k] * diagonal_[k]);
        for (const Cone& c : cones_) {
            const ConeReal square = c.eta * c.eta;
            for (int j = 0; j < c.size; ++j)
                for (int i = j; i < c.size; ++i)
                    put(c.begin + i, c.begin + j, square * (2.0L * c.w[i] * c.w[j] - (i != j ? 0.0L : (i == 0 ? 1.0L : -1.0L))));
        }
    }

private:
    struct Cone {
        int begin, size;
        ConeReal eta = 1.0;
        ConeVector w;
    };
    [[nodiscard]] ConeVector times(const ConeVector& v, bool inverse) const;
    [[nodiscard]] ConeReal longest_step(const Cone& c, const ConeVector& d) const;

    int orthant_, size_;
    std::vector<Cone> cones_;
    ConeVector diagonal_;   ///< W on the orthant
    ConeVector lambda_;
};

}  // namespace talus
