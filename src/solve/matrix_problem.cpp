#include "solve/matrix_problem.h"

#include <algorithm>

#include "solve/refresh.h"
#include "talus/error.h"

namespace talus {
namespace {

/// One side of a contact in the frame (n, t...): V = rows (v, R), and (dv, dR) = columns S.
template <int Dim>
struct SideMap {
    std::int32_t line;
    Eigen::Matrix<double, Dim, freedoms<Dim>> rows;
    Eigen::Matrix<double, freedoms<Dim>, Dim> columns;
};

template <int Dim>
SideMap<Dim> ball_side(const BallContact<Dim>& c, std::int32_t line, const BodyLine<Dim>& body, double sign) {
    SideMap<Dim> side;
    side.line = line;
    const Mat<Dim> frame = frame_of<Dim>(c.n);
    side.rows.template leftCols<Dim>() = sign * frame;
    side.rows.template rightCols<spin_size<Dim>>() = angular_rows<Dim>(frame, Vec<Dim>(-c.n));
    side.columns.template topRows<Dim>() = body.inv_mass * sign * frame.transpose();
    side.columns.template bottomRows<spin_size<Dim>>() =
        body.inv_inertia * side.rows.template rightCols<spin_size<Dim>>().transpose();
    return side;
}

template <int Dim>
SideMap<Dim> general_side(const GeneralContact<Dim>& c, bool first) {
    SideMap<Dim> side;
    const double sign = first ? 1.0 : -1.0;
    side.line = first ? c.a : c.b;
    side.rows << sign * c.frame, sign * (first ? c.spin_a : c.spin_b);
    side.columns << sign * (first ? c.push_a : c.push_b), sign * (first ? c.turn_a : c.turn_b);
    return side;
}

template <int Dim>
void assemble_operator(const std::vector<SideMap<Dim>>& sides, std::size_t lines, BlockMatrix<Dim>& W) {
    // Sides by line, so that each body couples the contacts it has.
    std::vector<std::int32_t> first(lines + 1, 0), member(sides.size());
    for (const auto& s : sides) ++first[s.line + 1];
    for (std::size_t i = 0; i < lines; ++i) first[i + 1] += first[i];
    std::vector<std::int32_t> next(first.begin(), first.end() - 1);
    for (std::size_t s = 0; s < sides.size(); ++s) member[next[sides[s].line]++] = static_cast<std::int32_t>(s);
    const std::size_t n = sides.size() / 2;
    W.begin.assign(1, 0);
    W.column.clear();
    W.block.clear();
    W.diagonal.assign(n, -1);
    std::vector<std::int32_t> place(n, -1), columns;
    for (std::size_t k = 0; k < n; ++k) {
        columns.assign(1, static_cast<std::int32_t>(k));
        for (std::size_t s : {2 * k, 2 * k + 1}) {
            if (sides[s].columns.isZero(0.0)) continue;
            for (std::int32_t m = first[sides[s].line]; m < first[sides[s].line + 1]; ++m) columns.push_back(member[m] / 2);
        }
        std::sort(columns.begin(), columns.end());
        columns.erase(std::unique(columns.begin(), columns.end()), columns.end());
        for (const std::int32_t c : columns) {
            place[c] = static_cast<std::int32_t>(W.column.size());
            W.column.push_back(c);
            W.block.push_back(Mat<Dim>::Zero());
        }
        for (std::size_t s : {2 * k, 2 * k + 1}) {
            if (sides[s].columns.isZero(0.0)) continue;
            for (std::int32_t m = first[sides[s].line]; m < first[sides[s].line + 1]; ++m)
                W.block[place[member[m] / 2]] += sides[s].rows * sides[member[m]].columns;
        }
        W.diagonal[k] = place[k];
        W.begin.push_back(static_cast<std::int32_t>(W.column.size()));
    }
}

/// Velocity of a contact along its frame for the given lines.
template <int Dim>
Vec<Dim> framed_velocity(const BallContact<Dim>& c, const std::vector<LineMotion<Dim>>& lines) {
    const auto V = formal_velocity(c, lines[c.a], lines[c.b]);
    return frame_of<Dim>(c.n) * Vec<Dim>(V.n * c.n + to_world(V.t, c.n));
}

}  // namespace

template <int Dim>
BlockMatrix<Dim> make_block_matrix(std::size_t rows, std::vector<BlockEntry<Dim>> entries) {
    for (std::size_t k = 0; k < rows; ++k)
        entries.push_back({static_cast<std::int32_t>(k), static_cast<std::int32_t>(k), Mat<Dim>::Zero()});
    std::stable_sort(entries.begin(), entries.end(), [](const auto& a, const auto& b) {
        return a.row != b.row ? a.row < b.row : a.column < b.column;
    });
    BlockMatrix<Dim> W;
    W.begin.assign(rows + 1, 0);
    W.diagonal.assign(rows, -1);
    for (std::size_t e = 0; e < entries.size(); ++e) {
        const auto& entry = entries[e];
        if (e > 0 && entries[e - 1].row == entry.row && entries[e - 1].column == entry.column) {
            W.block.back() += entry.block;
            continue;
        }
        if (entry.row == entry.column) W.diagonal[entry.row] = static_cast<std::int32_t>(W.block.size());
        W.column.push_back(entry.column);
        W.block.push_back(entry.block);
        W.begin[entry.row + 1] = static_cast<std::int32_t>(W.block.size());
    }
    return W;
}

template <int Dim>
void refresh_velocities(MatrixProblem<Dim>& problem) {
    problem.u.resize(problem.contacts());
    for (std::size_t k = 0; k < problem.contacts(); ++k) problem.u[k] = problem.q[k] + problem.W.row_times(k, problem.r);
}

template <int Dim>
void assemble(const ContactProblem<Dim>& problem, MatrixProblem<Dim>& matrix) {
    if (!problem.links.empty())
        throw InputError("this solver takes plain contacts only; for joints, rolling resistance, elliptic cones or "
                         "static friction use the solver 'nlgs', 'accelerated' or 'auto'");
    std::vector<SideMap<Dim>> sides;
    sides.reserve(2 * problem.contacts());
    matrix.q.clear();
    matrix.mu.clear();
    matrix.r.clear();
    matrix.impact.clear();
    for (const BallContact<Dim> c : problem.balls) {
        sides.push_back(ball_side(c, c.a, problem.lines[c.a], 1.0));
        sides.push_back(ball_side(c, c.b, problem.lines[c.b], -1.0));
        matrix.q.push_back(framed_velocity(c, problem.free_lines));
        matrix.r.push_back(frame_of<Dim>(c.n) * Vec<Dim>(c.pn * c.n + to_world(c.pt, c.n)));
        matrix.mu.push_back(c.mu);
        matrix.impact.push_back(c.impact);
    }
    for (const auto& c : problem.generals) {
        sides.push_back(general_side(c, true));
        sides.push_back(general_side(c, false));
        matrix.q.push_back(formal_velocity(c, problem.free_lines[c.a], problem.free_lines[c.b]));
        matrix.r.push_back(c.S);
        matrix.mu.push_back(c.mu);
        matrix.impact.push_back(c.impact);
    }
    matrix.v_ref = problem.v_ref;
    matrix.step = problem.step;
    assemble_operator(sides, problem.lines.size(), matrix.W);
}

template <int Dim>
void give_back(const MatrixProblem<Dim>& matrix, ContactProblem<Dim>& problem) {
    for (std::size_t k = 0; k < problem.balls.size(); ++k) {
        const Vec<Dim> n = problem.balls[k].n, p = frame_of<Dim>(n).transpose() * matrix.r[k];
        problem.balls.set_impulse(k, matrix.r[k][0], tangential_of(p, n));
    }
    for (std::size_t k = 0; k < problem.generals.size(); ++k) problem.generals[k].S = matrix.r[problem.balls.size() + k];
    refresh_velocities(problem);
}

#define TALUS_INSTANTIATE(Dim)                                                                          \
    template BlockMatrix<Dim> make_block_matrix(std::size_t, std::vector<BlockEntry<Dim>>);             \
    template void refresh_velocities(MatrixProblem<Dim>&);                                              \
    template void assemble(const ContactProblem<Dim>&, MatrixProblem<Dim>&);                            \
    template void give_back(const MatrixProblem<Dim>&, ContactProblem<Dim>&);
TALUS_INSTANTIATE(2)
TALUS_INSTANTIATE(3)
#undef TALUS_INSTANTIATE

}  // namespace talus
