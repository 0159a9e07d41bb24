#include "plot/ticks.h"

#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

namespace talus::plot {

namespace {

std::vector<double> multiples(double step, double low, double high) {
    std::vector<double> ticks;
    const double slack = 1e-9 * step;
    for (double k = std::ceil((low - slack) / step); k * step <= high + slack; ++k) ticks.push_back(k == 0.0 ? 0.0 : k * step);
    return ticks;
}

}  // namespace

std::vector<double> round_ticks(double low, double high, int wanted) {
    if (!(high > low) || !std::isfinite(high - low)) return {low};
    const double rough = (high - low) / std::max(1, wanted);
    const double power = std::pow(10.0, std::floor(std::log10(rough)));
    constexpr std::array<double, 5> factors{0.5, 1.0, 2.0, 5.0, 10.0};
    std::size_t k = 1;
    while (k + 1 < factors.size() && factors[k] * power < rough * (1.0 - 1e-9)) ++k;
    const auto ticks = multiples(factors[k] * power, low, high);
    // A step rounded up may leave one number on the axis, which then has no scale.
    return ticks.size() < 2 ? multiples(factors[k - 1] * power, low, high) : ticks;
}

std::vector<double> log_ticks(double low, double high, int wanted) {
    if (!(low > 0.0) || !(high > low)) return {low};
    const double first = std::ceil(std::log10(low) - 1e-9), last = std::floor(std::log10(high) + 1e-9);
    std::vector<double> ticks;
    if (last - first < 1.0) {
        for (double p = std::floor(std::log10(low)); p <= last + 1.0; ++p)
            for (const double factor : {1.0, 2.0, 5.0})
                if (const double tick = factor * std::pow(10.0, p); tick >= low * (1 - 1e-9) && tick <= high * (1 + 1e-9))
                    ticks.push_back(tick);
        return ticks;
    }
    const double stride = std::max(1.0, std::ceil((last - first) / std::max(1, wanted)));
    for (double p = std::ceil(first / stride) * stride; p <= last; p += stride) ticks.push_back(std::pow(10.0, p));
    return ticks;
}

namespace {

/// 1.2e-07 with a raised exponent.
std::string scientific(double value) {
    static constexpr const char* raised[] = {"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
    const int power = static_cast<int>(std::floor(std::log10(std::abs(value)) + 1e-9));
    const std::string mantissa = fmt::format("{:.3g}", value / std::pow(10.0, power));
    std::string text = mantissa == "1" ? "10" : mantissa + "·10";
    if (power < 0) text += "⁻";
    for (const char digit : std::to_string(std::abs(power))) text += raised[digit - '0'];
    return text;
}

}  // namespace

std::vector<std::string> log_tick_labels(const std::vector<double>& ticks) {
    std::vector<std::string> labels;
    for (const double tick : ticks) labels.push_back(tick >= 0.0099 && tick <= 1001.0 ? fmt::format("{:g}", tick) : scientific(tick));
    return labels;
}

std::vector<std::string> tick_labels(const std::vector<double>& ticks) {
    double largest = 0.0, gap = INFINITY;
    for (std::size_t k = 0; k < ticks.size(); ++k) {
        largest = std::max(largest, std::abs(ticks[k]));
        if (k) gap = std::min(gap, std::abs(ticks[k] - ticks[k - 1]));
    }
    std::vector<std::string> labels;
    if (ticks.size() == 1) return {fmt::format("{:g}", ticks.front())};
    const bool plain = largest < 1e5 && (largest >= 1e-3 || largest == 0.0) && gap >= 1e-4;
    const int decimals = std::max(0, static_cast<int>(std::ceil(-std::log10(gap) - 1e-9)));
    for (const double tick : ticks) {
        if (plain) {
            labels.push_back(fmt::format("{:.{}f}", tick, decimals));
            continue;
        }
        if (tick == 0.0) {
            labels.push_back("0");
            continue;
        }
        labels.push_back(scientific(tick));
    }
    return labels;
}

}  // namespace talus::plot
