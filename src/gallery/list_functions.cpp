#include "gallery/list_functions.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <map>
#include <numeric>

namespace talus::gallery {
namespace {

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
using Values = std::vector<double>;

double mean(const Values& v) { return v.empty() ? kNone : std::accumulate(v.begin(), v.end(), 0.0) / static_cast<double>(v.size()); }

/// Of a sample: n - 1.
double deviation(const Values& v) {
    if (v.size() < 2) return kNone;
    const double m = mean(v);
    double square = 0.0;
    for (const double x : v) square += (x - m) * (x - m);
    return std::sqrt(square / static_cast<double>(v.size() - 1));
}

double median(Values v) {
    if (v.empty()) return kNone;
    std::sort(v.begin(), v.end());
    const std::size_t half = v.size() / 2;
    return v.size() % 2 == 1 ? v[half] : 0.5 * (v[half - 1] + v[half]);
}

/// Largest amount by which a later value stands above an earlier one; `sign` -1: below.
double largest_climb(const Values& v, double sign) {
    if (v.empty()) return kNone;
    double lowest = sign * v.front(), climb = 0.0;
    for (const double x : v) {
        climb = std::max(climb, sign * x - lowest);
        lowest = std::min(lowest, sign * x);
    }
    return climb;
}

/// Mean of the values between which a series falls by more than its own standard deviation, without having risen by as much in between:
/// of those before the falls, or of those after them. NaN where it never falls so far.
double mean_about_falls(const Values& v, bool before) {
    const double least = deviation(v);
    Values turns;
    double crest = v.front(), trough = v.front();
    bool falling = false;   // since `crest`, down to `trough` so far
    for (const double x : v) {
        if (falling) {
            trough = std::min(trough, x);
            if (x - trough <= least) continue;
            turns.push_back(before ? crest : trough);
            falling = false;
            crest = x;
        } else {
            crest = std::max(crest, x);
            falling = crest - x > least;
            trough = x;
        }
    }
    if (falling) turns.push_back(before ? crest : trough);
    return mean(turns);
}

bool has_missing(const Values& v) {
    return std::any_of(v.begin(), v.end(), [](double x) { return std::isnan(x); });
}

std::size_t place_of_largest(const Values& v) {
    return static_cast<std::size_t>(std::max_element(v.begin(), v.end()) - v.begin());
}

/// Slope of the line of least squares.
double trend(const Series& s) {
    const double x0 = mean(s.at), y0 = mean(s.values);
    double xy = 0.0, xx = 0.0;
    for (std::size_t k = 0; k < s.values.size(); ++k) {
        xy += (s.at[k] - x0) * (s.values[k] - y0);
        xx += (s.at[k] - x0) * (s.at[k] - x0);
    }
    return xx > 0.0 ? xy / xx : kNone;
}

using Function = std::function<double(const Series&)>;

const std::map<std::string, Function>& functions() {
    static const std::map<std::string, Function> all = {
        {"mean", [](const Series& s) { return mean(s.values); }},
        {"deviation", [](const Series& s) { return deviation(s.values); }},
        {"median", [](const Series& s) { return median(s.values); }},
        {"smallest", [](const Series& s) { return *std::min_element(s.values.begin(), s.values.end()); }},
        {"largest", [](const Series& s) { return *std::max_element(s.values.begin(), s.values.end()); }},
        {"trend", trend},
        {"largest_rise", [](const Series& s) { return largest_climb(s.values, 1.0); }},
        {"largest_drop", [](const Series& s) { return largest_climb(s.values, -1.0); }},
        {"before_falls", [](const Series& s) { return mean_about_falls(s.values, true); }},
        {"after_falls", [](const Series& s) { return mean_about_falls(s.values, false); }},
        {"place_of_largest", [](const Series& s) { return s.at[place_of_largest(s.values)]; }},
        {"is_rising", [](const Series& s) { return largest_climb(s.values, -1.0) > 0.0 ? 0.0 : 1.0; }},
        {"is_falling", [](const Series& s) { return largest_climb(s.values, 1.0) > 0.0 ? 0.0 : 1.0; }}};
    return all;
}

double share(const Values& v, double above, double below) {
    if (v.empty()) return kNone;
    const auto inside = std::count_if(v.begin(), v.end(), [&](double x) { return x > above && x < below; });
    return static_cast<double>(inside) / static_cast<double>(v.size());
}

/// Linear between the points of `s`, whose places rise; NaN outside.
double between(const Series& s, double x) {
    const auto above = std::lower_bound(s.at.begin(), s.at.end(), x);
    if (above == s.at.end()) return kNone;
    const auto k = static_cast<std::size_t>(above - s.at.begin());
    if (*above == x) return s.values[k];
    if (k == 0) return kNone;
    const double part = (x - s.at[k - 1]) / (s.at[k] - s.at[k - 1]);
    return s.values[k - 1] + part * (s.values[k] - s.values[k - 1]);
}

}  // namespace

double apply_list_function(const std::string& name, const Series& series, double above, double below) {
    if (name == "count") return static_cast<double>(series.values.size());
    if (name == "total") return std::accumulate(series.values.begin(), series.values.end(), 0.0);
    if (name == "share") return share(series.values, above, below);
    if (series.values.empty()) return kNone;
    // What one entry says does not depend on the others: a heap has a slope at the end though it had none at the beginning.
    if (name == "first") return series.values.front();
    if (name == "last") return series.values.back();
    if (has_missing(series.values)) return kNone;
    return functions().at(name)(series);
}

double largest_difference(const Series& a, const Series& b) {
    double largest = kNone;
    for (std::size_t k = 0; k < a.at.size(); ++k) {
        const double other = between(b, a.at[k]);
        if (std::isnan(other)) continue;
        if (std::isnan(a.values[k])) return kNone;
        largest = std::isnan(largest) ? std::abs(a.values[k] - other) : std::max(largest, std::abs(a.values[k] - other));
    }
    return largest;
}

const std::vector<ListFunction>& list_functions() {
    static const std::vector<ListFunction> all = {
        {"mean", "arithmetic mean"},
        {"deviation", "standard deviation of the sample"},
        {"median", "middle value"},
        {"smallest", "least value"},
        {"largest", "greatest value"},
        {"first", "value of the first entry"},
        {"last", "value of the last entry"},
        {"total", "sum"},
        {"count", "number of entries"},
        {"trend", "slope of the line of least squares, per second (per unit of the first column)"},
        {"largest_rise", "largest amount by which a later value exceeds an earlier one"},
        {"largest_drop", "largest amount by which a later value falls below an earlier one"},
        {"before_falls", "mean of the values from which the series falls by more than its standard deviation"},
        {"after_falls", "mean of the values to which it falls then"},
        {"place_of_largest", "time [s] (first column of a table; number from 0 of a list) of the greatest value"},
        {"is_rising", "1 when no value is below the one before, else 0"},
        {"is_falling", "1 when no value is above the one before, else 0"},
        {"share", "part of the entries that are `above X`, `below Y`"},
        {"largest_difference", "of two series: largest distance, the second taken linearly between its points"}};
    return all;
}

}  // namespace talus::gallery
