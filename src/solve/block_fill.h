#pragma once
/// \file
/// General contacts as lanes of blocks, and back.

#include "laws/local.h"
#include "solve/general_block.h"

namespace talus {

/// A vector, and a matrix.
template <class Vector, int Rows>
void put(const Vector& v, double (&to)[Rows][lanes], int l) {
    for (int i = 0; i < Rows; ++i) to[i][l] = v[i];
}
template <class Matrix, int Rows, int Columns>
void put(const Matrix& m, double (&to)[Rows][Columns][lanes], int l) {
    for (int i = 0; i < Rows; ++i)
        for (int j = 0; j < Columns; ++j) to[i][j][l] = m(i, j);
}

/// All but the lines.
inline void put(const LocalOperator<2>& op, GeneralLocal<2>& to, int l) {
    to.ratio[l] = op.ratio;
    to.A[l] = op.A;
}
inline void put(const LocalOperator<3>& op, GeneralLocal<3>& to, int l) {
    put(op.ratio, to.ratio, l);
    to.pivot[l] = op.pivot;
    to.across[l] = op.across;
    to.rest[l] = op.rest;
    to.swapped[l] = op.swapped ? 1.0 : 0.0;
    to.nu[l] = op.nu;
    to.tau[l] = op.tau;
    to.trace[l] = op.trace;
    to.single[l] = op.single ? 1.0 : 0.0;
}

template <int Dim>
void put(const GeneralContact<Dim>& c, GeneralBlock<Dim>& block, int l) {
    put(c.frame, block.frame, l);
    put(c.spin_a, block.spin_a, l);
    put(c.spin_b, block.spin_b, l);
    put(c.push_a, block.push_a, l);
    put(c.push_b, block.push_b, l);
    put(c.turn_a, block.turn_a, l);
    put(c.turn_b, block.turn_b, l);
    put(c.H, block.H, l);
    put(c.c, block.c, l);
    put(c.S, block.S, l);
    block.mu[l] = c.mu;
    const LocalOperator<Dim> op = local_operator(c.H, c.mu);
    put(op, block.local, l);
    block.irregular[l] = op.regular ? 0.0 : 1.0;
}
template <int Dim>
void take(const GeneralBlock<Dim>& block, int l, GeneralContact<Dim>& c) {
    for (int i = 0; i < Dim; ++i) c.S[i] = block.S[i][l];
}

/// A lane without a contact, in a block of zeros.
template <int Dim>
void put_nothing(GeneralBlock<Dim>& block, int l) {
    block.H[0][0][l] = 1.0;
    put(LocalOperator<Dim>{}, block.local, l);
}

/// One lane by the local solver.
template <int Dim>
void answer_lane(const GeneralBlock<Dim>& block, int l, const double* b, const double* start, double* S) {
    Mat<Dim> H;
    for (int i = 0; i < Dim; ++i)
        for (int j = 0; j < Dim; ++j) H(i, j) = block.H[i][j][l];
    using Plain = Eigen::Map<const Vec<Dim>>;
    Eigen::Map<Vec<Dim>>{S} = solve_full_contact(H, Vec<Dim>(Plain(b)), block.mu[l], Vec<Dim>(Plain(start)));
}

}  // namespace talus
