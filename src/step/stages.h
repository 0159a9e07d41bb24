#pragma once
/// \file
/// The stages of a step, each handing its part of the world to the folder that does the work.

#include <chrono>

#include "step/world_impl.h"

namespace talus {

/// Adds the seconds of its life to a counter.
class StageClock {
public:
    explicit StageClock(double& seconds) : seconds_(seconds), start_(std::chrono::steady_clock::now()) {}
    ~StageClock() { seconds_ += std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count(); }
    StageClock(const StageClock&) = delete;
    StageClock& operator=(const StageClock&) = delete;

private:
    double& seconds_;
    std::chrono::steady_clock::time_point start_;
};

template <int Dim>
void predict_stage(typename World<Dim>::Impl& w);
/// True when the candidate list was made anew.
template <int Dim>
bool pair_stage(typename World<Dim>::Impl& w);
/// Puts the contacts of the step and their impulses into the history; while `on_trial` they do not count for sums and bonds.
template <int Dim>
void keep_history(typename World<Dim>::Impl& w, bool on_trial);
template <int Dim>
void touch_stage(typename World<Dim>::Impl& w, StepReport& report);
template <int Dim>
void gather_stage(typename World<Dim>::Impl& w);
template <int Dim>
void solve_stage(typename World<Dim>::Impl& w, StepReport& report);
/// `gap` rule: looks whether bodies met that were not counted. \returns whether the stages from touch to solve are to be made again, starting
/// from the impulses found.
template <int Dim>
[[nodiscard]] bool look_again_stage(typename World<Dim>::Impl& w, StepReport& report);
template <int Dim>
void finish_stage(typename World<Dim>::Impl& w, StepReport& report);

}  // namespace talus
