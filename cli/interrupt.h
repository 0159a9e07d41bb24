#pragma once
/// \file
/// Ctrl-C and SIGTERM: the first asks the run to stop after its step, the second kills.

namespace talus::cli {

/// Installs the handlers; the ones before come back at the end of scope.
class InterruptGuard {
public:
    InterruptGuard();
    ~InterruptGuard();
    InterruptGuard(const InterruptGuard&) = delete;
    InterruptGuard& operator=(const InterruptGuard&) = delete;
    /// True once a signal came.
    [[nodiscard]] static bool was_interrupted();
};

}  // namespace talus::cli
