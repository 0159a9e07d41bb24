/// \file
/// One step from t to t + h [moreau1994, sec. 7; moreau2003, sec. 7], stage by stage.
#include "step/stages.h"
#include "step/world_impl.h"

namespace talus {

template <int Dim>
StepReport make_step(typename World<Dim>::Impl& w) {
    StepReport report;
    StepTimes& s = report.seconds;
    {
        const StageClock clock(s.predict);  // t_m = t + h/2, q_m = q + (h/2) u; drives in place
        predict_stage<Dim>(w);
    }
    {
        const StageClock clock(s.pair);     // which bodies are near
        report.rebuilt = pair_stage<Dim>(w);
    }
    for (bool again = true; again;) {
        {
            const StageClock clock(s.touch);    // contacts at q_m: point, normal, gap, feature
            touch_stage<Dim>(w, report);
        }
        {
            const StageClock clock(s.gather);   // Delassus operators, free velocities, laws, warm start
            gather_stage<Dim>(w);
        }
        {
            const StageClock clock(s.solve);    // impulses S and velocities u_F: every contact law holds
            solve_stage<Dim>(w, report);
        }
        const StageClock clock(s.pair);         // rule `gap`: did bodies meet that were not counted?
        again = look_again_stage<Dim>(w, report);
    }
    {
        const StageClock clock(s.finish);   // q_F = q_m + (h/2) u_F, energy ledger, history
        finish_stage<Dim>(w, report);
    }
    return report;
}

template StepReport make_step<2>(World<2>::Impl&);
template StepReport make_step<3>(World<3>::Impl&);

}  // namespace talus
