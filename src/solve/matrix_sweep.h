#pragma once
/// \file
/// The visit of one contact of a problem in matrix form: its exact impulse with the others held.
///
/// What does not change from sweep to sweep is prepared once: H, its inverse for the trial of sticking,
/// and whether H is diagonal and the same in all tangential directions, where the answer is closed form.
/// Where friction can drive bodies together faster than the normal impulse parts them (H_NN < mu |H_TN|), a contact
/// alone may have several answers, and sweeps that jump from one to another never end: such a contact gets
/// one projected step of the bipotential instead, which moves gradually and has the same fixed points. All
/// contacts do when asked: the way out where the exact answers of many drive each other round.

#include <Eigen/LU>
#include <cmath>
#include <vector>

#include "laws/local.h"
#include "solve/matrix_problem.h"
#include "solve/residual.h"

namespace talus {

template <int Dim>
class MatrixContact {
public:
    MatrixContact(const Mat<Dim>& H, double mu, bool gradual) : H_(H), mu_(mu) {
        constexpr double rounding = 1e-14;
        const double wn = H(0, 0), wt = H(1, 1), trace = H.trace();
        Mat<Dim> ball = Mat<Dim>::Identity() * wt;
        ball(0, 0) = wn;
        inverse_.setZero();
        if (wn > 0.0 && wt > 0.0 && (H - ball).cwiseAbs().maxCoeff() <= rounding * trace) {
            kind_ = Kind::ball;
            inverse_(0, 0) = 1.0 / wn;
            inverse_(1, 1) = 1.0 / wt;
            return;
        }
        if (gradual || mu * H.template bottomLeftCorner<Dim - 1, 1>().norm() > wn) {
            kind_ = Kind::gradual;
            inverse_(0, 0) = 1.0 / trace;
            return;
        }
        const Eigen::FullPivLU<Mat<Dim>> lu(H);
        constexpr double regular = 1e-8;
        if (!(wn > 0.0) || lu.rcond() < regular) return;
        kind_ = Kind::regular;
        inverse_ = lu.inverse();
    }

    [[nodiscard]] const Mat<Dim>& H() const { return H_; }

    /// V is the velocity with the present impulse S.
    [[nodiscard]] Vec<Dim> answer(const Vec<Dim>& V, const Vec<Dim>& S) const {
        if (kind_ == Kind::ball) return ball_answer(V, S);
        if (kind_ == Kind::gradual) {
            Vec<Dim> predicted = S - inverse_(0, 0) * V;
            predicted[0] -= inverse_(0, 0) * mu_ * V.template tail<Dim - 1>().norm();
            return project_on_cone<Dim>(predicted, mu_);
        }
        const Vec<Dim> b = V - H_ * S;
        if (b[0] >= 0.0) return Vec<Dim>::Zero();
        if (kind_ == Kind::regular) {
            const Vec<Dim> stuck = S - inverse_ * V;
            if (stuck.template tail<Dim - 1>().squaredNorm() <= mu_ * stuck[0] * (mu_ * stuck[0]) && stuck[0] > 0.0) return stuck;
        }
        return solve_full_contact(H_, b, mu_, S);
    }

private:
    [[nodiscard]] Vec<Dim> ball_answer(const Vec<Dim>& V, const Vec<Dim>& S) const {
        Vec<Dim> out;
        out[0] = std::max(0.0, S[0] - inverse_(0, 0) * V[0]);
        auto t = out.template tail<Dim - 1>();
        t = S.template tail<Dim - 1>() - inverse_(1, 1) * V.template tail<Dim - 1>();
        const double limit = mu_ * out[0], square = t.squaredNorm();
        if (square > limit * limit) t *= limit / std::sqrt(square);
        return out;
    }

    enum class Kind : std::uint8_t { ball, regular, gradual, other };
    Mat<Dim> H_, inverse_;
    double mu_;
    Kind kind_ = Kind::other;
};

template <int Dim>
[[nodiscard]] std::vector<MatrixContact<Dim>> prepare_contacts(const MatrixProblem<Dim>& problem, bool gradual = false) {
    std::vector<MatrixContact<Dim>> contacts;
    contacts.reserve(problem.contacts());
    for (std::size_t k = 0; k < problem.contacts(); ++k) contacts.emplace_back(problem.H(k), problem.mu[k], gradual);
    return contacts;
}

}  // namespace talus
