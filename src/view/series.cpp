#include "view/series.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <vector>

namespace talus::view {

namespace {

enum class Kind { state, added, largest };

struct Curve {
    const char* name;
    Kind kind;
    std::function<double(const StepReport&)> value;
};

double count(std::int64_t n) { return static_cast<double>(n); }

const std::vector<Curve>& curves() {
    using R = StepReport;
    static const std::vector<Curve> all{
        {"kinetic", Kind::state, [](const R& r) { return r.energy.kinetic; }},
        {"potential", Kind::state, [](const R& r) { return r.energy.potential; }},
        {"drive_work", Kind::added, [](const R& r) { return r.energy.drive_work + r.energy.load_work; }},
        {"impact", Kind::added, [](const R& r) { return r.energy.impact; }},
        {"friction", Kind::added, [](const R& r) { return r.energy.friction; }},
        {"bodies", Kind::state, [](const R& r) { return count(r.bodies); }},
        {"contacts", Kind::state, [](const R& r) { return count(r.contacts); }},
        {"working", Kind::state, [](const R& r) { return count(r.working_contacts); }},
        {"law_error", Kind::largest, [](const R& r) { return r.law.mean; }},
        {"law_error_max", Kind::largest, [](const R& r) { return r.law.max; }},
        {"max_overlap", Kind::largest, [](const R& r) { return r.max_overlap; }},
        {"max_speed", Kind::largest, [](const R& r) { return r.max_speed; }},
        {"energy_residual", Kind::largest, [](const R& r) { return std::abs(r.energy.residual); }},
        {"sweeps", Kind::largest, [](const R& r) { return count(r.sweeps); }}};
    return all;
}

/// Six significant digits: more than a screen shows, and half the room.
double rounded(double value) {
    if (!std::isfinite(value)) return value;
    char text[32];
    std::snprintf(text, sizeof text, "%.6g", value);
    return std::strtod(text, nullptr);
}

}  // namespace

nlohmann::json series_of(const record::RunReader& reader, std::size_t most) {
    const auto rows = reader.reports();
    const std::size_t stretch = std::max<std::size_t>(1, (rows.size() + most - 1) / most);
    nlohmann::json series;
    auto time = nlohmann::json::array();
    for (std::size_t begin = 0; begin < rows.size(); begin += stretch)
        time.push_back(rounded(rows[std::min(begin + stretch, rows.size()) - 1].report.time));
    series["time"] = time;
    for (const Curve& curve : curves()) {
        auto values = nlohmann::json::array();
        double sum = 0.0;
        for (std::size_t begin = 0; begin < rows.size(); begin += stretch) {
            double largest = 0.0, last = 0.0;
            for (std::size_t k = begin; k < std::min(begin + stretch, rows.size()); ++k) {
                last = curve.value(rows[k].report);
                largest = std::max(largest, last);
                sum += last;
            }
            values.push_back(rounded(curve.kind == Kind::state ? last : curve.kind == Kind::added ? sum : largest));
        }
        series[curve.name] = values;
    }
    return series;
}

}  // namespace talus::view
