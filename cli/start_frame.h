#pragma once
/// \file
/// The frame of another run that a scene starts from. The scene reader cannot read run files; this is
/// what the program gives it.

#include "record/run_reader.h"
#include "scene/scene.h"
#include "step/snapshot.h"

namespace talus::cli {

/// \throws IoError when the run cannot be read, has another dimension, or lacks the frame.
template <int Dim>
[[nodiscard]] Snapshot<Dim> start_frame(const scene::StartPlan& plan) {
    return record::RunReader(plan.run).read_frame<Dim>(plan.frame);
}

}  // namespace talus::cli
