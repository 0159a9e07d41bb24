#pragma once
/// \file
/// The problem of a step as an FCLIB file.

#include "record/fclib.h"
#include "step/next_problem.h"

namespace talus::record {

enum class FclibForm { local, global };

/// Both forms describe the same contacts in the same order. The impulses a warm-started solver would start from
/// go to /guesses/1.
template <int Dim>
[[nodiscard]] FclibProblem to_fclib(const NextProblem<Dim>& next, FclibForm form, const std::string& title,
                                    const std::string& description);

}  // namespace talus::record
