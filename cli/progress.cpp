#include "progress.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>

namespace talus::cli {

ProgressBar::ProgressBar() : is_shown_(isatty(STDOUT_FILENO) == 1 && isatty(STDERR_FILENO) == 1) {}
ProgressBar::~ProgressBar() { clear(); }

void ProgressBar::clear() {
    if (is_shown_ && drawn_ != Clock::time_point{}) fmt::print(stderr, "\r\033[K");
    drawn_ = {};
}

void ProgressBar::update(double part, std::int64_t step, const std::string& note) {
    if (!is_shown_) return;
    if (first_part_ < 0.0) {
        first_part_ = part;
        first_step_ = step;
    }
    const auto now = Clock::now();
    if (now - drawn_ < std::chrono::milliseconds(100)) return;
    drawn_ = now;
    fmt::print(stderr, "\r{}\033[K", line(part, step, note));
    std::fflush(stderr);
}

std::string ProgressBar::line(double part, std::int64_t step, const std::string& note) const {
    constexpr int kWidth = 24;
    const double seconds = std::chrono::duration<double>(Clock::now() - begin_).count();
    const int filled = static_cast<int>(std::clamp(part, 0.0, 1.0) * kWidth);
    std::string text = fmt::format("[{:=<{}}{:>{}}] {:3.0f} %  step {}", "", filled, "", kWidth - filled, 100.0 * part, step);
    const auto steps = static_cast<double>(step - first_step_);
    if (seconds > 0.5 && steps > 0) text += fmt::format("  {:.0f} steps/s", steps / seconds);
    const double done = part - first_part_;
    if (seconds > 0.5 && done > 0.0) text += "  " + format_duration(seconds * (1.0 - part) / done) + " left";
    return text + (note.empty() ? "" : "  " + note);
}

std::string format_duration(double seconds) {
    if (seconds < 60.0) return fmt::format("{:.{}f} s", seconds, seconds < 10.0 ? 2 : 1);
    const auto s = static_cast<long long>(seconds + 0.5);
    if (s < 3600) return fmt::format("{}:{:02}", s / 60, s % 60);
    return fmt::format("{}:{:02}:{:02}", s / 3600, s / 60 % 60, s % 60);
}

}  // namespace talus::cli
