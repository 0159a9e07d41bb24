#include "integrate/finish.h"

#include "contact/gather.h"
#include "integrate/predict.h"

namespace talus {
namespace {

/// Brings a position back into the cell and counts the cells crossed.
template <int Dim>
void wrap(const Cell<Dim>& cell, Vec<Dim>& x, Image<Dim>& image) {
    for (int k = 0; k < Dim; ++k) {
        if (!cell.periodic[k]) continue;
        const auto crossed = static_cast<std::int32_t>(std::floor((x[k] - cell.low[k]) * cell.inverse[k]));
        x[k] -= crossed * cell.length[k];
        image[k] += crossed;
        // Just below the lower edge, adding the length rounds to the upper edge: the next cell's lower one.
        if (x[k] >= cell.low[k] + cell.length[k]) {
            x[k] = cell.low[k];
            ++image[k];
        }
    }
}

template <int Dim>
void finish_body(const FinishInput<Dim>& in, std::size_t i, Bodies<Dim>& bodies) {
    const BodyLine<Dim>& line = in.problem.lines[in.list.rank[i]];
    const double scale = spin_scale(bodies, i);
    const Vec<Dim> v = line.v;
    const Spin<Dim> w = line.R / scale;
    const bool ball = bodies.is_ball(i);
    // Balls turn once a step, with the mean of both spins; others did the first half in predict.
    bodies.rotation[i] = ball ? advance<Dim>(bodies.rotation[i], 0.5 * (free_spin(bodies, i) + w), in.h)
                              : advance<Dim>(in.at.rotation[i], w, 0.5 * in.h);
    bodies.position[i] = in.at.position[i] + 0.5 * in.h * v;
    bodies.velocity[i] = v;
    bodies.spin[i] = w;
    if (in.correction.empty()) return;
    const BodyLine<Dim>& c = in.correction[in.list.rank[i]];
    bodies.position[i] += in.h * c.v;
    if (ball) return;
    // The spin stays what it is in the body's axes, so that its energy does not change.
    const Rotation<Dim> turn = rotation_by<Dim>(Spin<Dim>(in.h * c.R / scale));
    bodies.rotation[i] = compose<Dim>(turn, bodies.rotation[i]);
    if (bodies.turns_freely(i)) bodies.spin[i] = turned<Dim>(turn, w);
}

template <int Dim>
void finish_drive(std::size_t i, double t_end, Drive& drive, Bodies<Dim>& bodies) {
    const DriveState state = state_at(drive, t_end);
    if (drive.freedom < Dim) {
        // The anchor is an unwrapped coordinate.
        bodies.position[i][drive.freedom] = drive.anchor + state.displacement;
        bodies.image[i][drive.freedom] = 0;
        bodies.velocity[i][drive.freedom] = state.velocity;
    } else {
        Spin<Dim> turn = Spin<Dim>::Zero();
        turn[drive.freedom - Dim] = state.displacement - drive.displacement;
        bodies.rotation[i] = compose<Dim>(rotation_by<Dim>(turn), bodies.rotation[i]);
        bodies.spin[i][drive.freedom - Dim] = state.velocity;
    }
    drive.displacement = state.displacement;
}

/// Glued bodies show the velocity of the carrier at their centre.
template <int Dim>
void finish_glued(Bodies<Dim>& bodies) {
    bool any = false;
    for (std::size_t i = 0; i < bodies.size(); ++i) {
        const std::int32_t c = bodies.glued_to[i];
        if (c < 0) continue;
        any = true;
        const Vec<Dim> arm = matrix_of<Dim>(bodies.rotation[c]) * bodies.glue_offset[i];
        bodies.velocity[i] = bodies.velocity[c] + spin_cross<Dim>(bodies.spin[c], arm);
        bodies.spin[i] = bodies.spin[c];
        bodies.image[i] = bodies.image[c];
    }
    if (any) place_glued(bodies, bodies.position, bodies.rotation);
}

}  // namespace

template <int Dim>
void finish(const FinishInput<Dim>& in, std::vector<Drive>& drives, Bodies<Dim>& bodies) {
    in.threads.for_chunks(bodies.size(), 2048, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) {
            if (i + lines_ahead < end) {
                const auto next = static_cast<std::size_t>(in.list.rank[i + lines_ahead]);
                __builtin_prefetch(&in.problem.lines[next]);
                if (!in.correction.empty()) __builtin_prefetch(&in.correction[next]);
            }
            if (bodies.glued_to[i] < 0 && bodies.driven[i] != all_driven<Dim>) finish_body(in, i, bodies);
        }
    });
    for (std::size_t d = 0; d < drives.size(); ++d) {
        const std::size_t i = in.drive_index[d];
        // Rotations of driven boundaries start from where they were, not from the midpoint.
        if (drives[d].freedom >= Dim && bodies.driven[i] != all_driven<Dim> && !bodies.is_ball(i)) {
            // finish_body continued from the midpoint rotation, which holds the drive's first half.
            const DriveState middle = state_at(drives[d], in.t_end - 0.5 * in.h);
            drives[d].displacement = middle.displacement;
        }
        finish_drive(i, in.t_end, drives[d], bodies);
    }
    settle(in.cell, bodies);
}

template <int Dim>
void settle(const Cell<Dim>& cell, Bodies<Dim>& bodies) {
    finish_glued(bodies);
    if (!cell.any) return;
    for (std::size_t i = 0; i < bodies.size(); ++i) wrap(cell, bodies.position[i], bodies.image[i]);
}

template void settle(const Cell<2>&, Bodies<2>&);
template void settle(const Cell<3>&, Bodies<3>&);
template void finish(const FinishInput<2>&, std::vector<Drive>&, Bodies<2>&);
template void finish(const FinishInput<3>&, std::vector<Drive>&, Bodies<3>&);

}  // namespace talus
