#pragma once
/// \file
/// A progress bar with rate and remaining time, drawn on a terminal only: nothing when output is
/// piped or goes to a file.

#include <chrono>
#include <cstdint>
#include <string>

namespace talus::cli {

class ProgressBar {
public:
    ProgressBar();
    /// Clears the line.
    ~ProgressBar();
    ProgressBar(const ProgressBar&) = delete;
    ProgressBar& operator=(const ProgressBar&) = delete;

    /// `part` done in [0, 1]; redraws at most ten times a second.
    void update(double part, std::int64_t step, const std::string& note);
    void clear();

private:
    using Clock = std::chrono::steady_clock;
    [[nodiscard]] std::string line(double part, std::int64_t step, const std::string& note) const;

    bool is_shown_;
    Clock::time_point begin_ = Clock::now(), drawn_ = {};
    double first_part_ = -1.0;       ///< a resumed run does not start at 0
    std::int64_t first_step_ = 0;
};

/// Which part of a longer work is shown, on a bar that others share.
struct ProgressShare {
    double from = 0.0, to = 1.0;
    std::string note;             ///< before the run's own
    ProgressBar* bar = nullptr;   ///< null: a bar of its own
};

/// `3.4 s`, `2:05`, `1:02:03`.
[[nodiscard]] std::string format_duration(double seconds);

}  // namespace talus::cli
