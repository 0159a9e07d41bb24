#include "integrate/predict.h"

namespace talus {
namespace {

template <int Dim>
void place_driven(const std::vector<Drive>& drives, const std::vector<std::size_t>& index,
                  double t_m, Placement<Dim>& at, DrivenMotion<Dim>& motion) {
    for (std::size_t d = 0; d < drives.size(); ++d) {
        const std::size_t i = index[d];
        const Drive& drive = drives[d];
        const DriveState state = state_at(drive, t_m);
        if (motion.slot[i] < 0) {
            motion.slot.set(i, static_cast<std::int32_t>(motion.velocity.size()));
            motion.velocity.push_back(Vec<Dim>::Zero());
            motion.spin.push_back(Spin<Dim>::Zero());
        }
        const std::int32_t s = motion.slot[i];
        if (drive.freedom < Dim) {
            at.position[i][drive.freedom] = drive.anchor + state.displacement;
            motion.velocity[s][drive.freedom] = state.velocity;
        } else {
            Spin<Dim> turn = Spin<Dim>::Zero();
            turn[drive.freedom - Dim] = state.displacement - drive.displacement;
            if (i < at.rotation.size()) at.rotation[i] = compose<Dim>(rotation_by<Dim>(turn), at.rotation[i]);
            motion.spin[s][drive.freedom - Dim] = state.velocity;
        }
    }
}

template <int Dim>
void forget_motion(std::size_t bodies, DrivenMotion<Dim>& motion) {
    motion.slot.clear();
    motion.slot.resize(bodies);
    motion.velocity.clear();
    motion.spin.clear();
}

}  // namespace

template <int Dim>
void predict(const Bodies<Dim>& bodies, const std::vector<Drive>& drives, const std::vector<std::size_t>& drive_index,
             double t, double h, const Threads& threads, Placement<Dim>& at, DrivenMotion<Dim>& motion) {
    const std::size_t n = bodies.size();
    at.position.resize(n);
    std::size_t turned = n;
    while (turned > 0 && bodies.is_ball(turned - 1)) --turned;
    at.rotation.resize(turned);
    forget_motion(n, motion);
    const bool any_glued = threads.reduce(
        n, 4096, false,
        [&](std::size_t begin, std::size_t end) {
            bool any = false;
            for (std::size_t i = begin; i < end; ++i) {
                any = any || bodies.glued_to[i] >= 0;
                if (bodies.driven[i] == 0) {
                    at.position[i] = bodies.position[i] + 0.5 * h * bodies.velocity[i];
                } else {
                    at.position[i] = bodies.position[i] + 0.5 * h * free_velocity(bodies, i);
                }
                if (bodies.is_ball(i)) continue;  // turning a ball changes no contact
                at.rotation[i] = advance<Dim>(bodies.rotation[i], free_spin(bodies, i), 0.5 * h);
            }
            return any;
        },
        [](bool a, bool b) { return a || b; });
    place_driven(drives, drive_index, t + 0.5 * h, at, motion);
    if (any_glued) place_glued(bodies, at.position, at.rotation);
}

template <int Dim>
void place_glued(const Bodies<Dim>& bodies, std::vector<Vec<Dim>>& position,
                 const std::vector<Rotation<Dim>>& rotation) {
    for (std::size_t i = 0; i < bodies.size(); ++i) {
        const std::int32_t c = bodies.glued_to[i];
        if (c >= 0) position[i] = position[c] + matrix_of<Dim>(rotation[c]) * bodies.glue_offset[i];
    }
}

#define TALUS_INSTANTIATE(Dim)                                                                                      \
    template void predict(const Bodies<Dim>&, const std::vector<Drive>&, const std::vector<std::size_t>&, double,   \
                          double, const Threads&, Placement<Dim>&, DrivenMotion<Dim>&);                                             \
    template void place_glued(const Bodies<Dim>&, std::vector<Vec<Dim>>&, const std::vector<Rotation<Dim>>&);
TALUS_INSTANTIATE(2)
TALUS_INSTANTIATE(3)
#undef TALUS_INSTANTIATE

}  // namespace talus
