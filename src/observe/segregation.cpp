// Do large grains rise? S = (mean height of the large - mean height of the small) / height of the bed (bed.h):
// 1/2 when the upper half is all large and the lower half all small. Beside it Spearman's rank
// correlation of size and height, which needs no classes. Large and small are tags, or the upper and the
// lower `part` of the range of radii.

#include <cmath>
#include <numeric>

#include "observe/bed.h"
#include "observe/registry.h"

namespace talus {

namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

struct Options {
    std::set<std::int32_t> large, small;
    double part = 1.0 / 3.0;
};

/// Ranks from 1, equal values sharing the mean of theirs.
std::vector<double> ranks_of(const std::vector<double>& values) {
    std::vector<std::size_t> order(values.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return values[a] < values[b]; });
    std::vector<double> ranks(values.size());
    for (std::size_t first = 0; first < order.size();) {
        std::size_t last = first;
        while (last + 1 < order.size() && values[order[last + 1]] == values[order[first]]) ++last;
        for (std::size_t k = first; k <= last; ++k) ranks[order[k]] = 0.5 * static_cast<double>(first + last) + 1.0;
        first = last + 1;
    }
    return ranks;
}

double correlation(const std::vector<double>& a, const std::vector<double>& b) {
    const auto n = static_cast<double>(a.size());
    const double mean_a = std::accumulate(a.begin(), a.end(), 0.0) / n, mean_b = std::accumulate(b.begin(), b.end(), 0.0) / n;
    double aa = 0.0, bb = 0.0, ab = 0.0;
    for (std::size_t k = 0; k < a.size(); ++k) {
        aa += (a[k] - mean_a) * (a[k] - mean_a);
        bb += (b[k] - mean_b) * (b[k] - mean_b);
        ab += (a[k] - mean_a) * (b[k] - mean_b);
    }
    return aa > 0.0 && bb > 0.0 ? ab / std::sqrt(aa * bb) : nan;
}

struct Mean {
    double sum = 0.0, count = 0.0;
    void add(double x) {
        sum += x;
        ++count;
    }
    [[nodiscard]] double value() const { return sum / count; }
};

template <int Dim>
observe::Result measure(const Snapshot<Dim>& snapshot, const Options& options) {
    const auto axis = observe::vertical(snapshot, Vec<Dim>::Zero().eval());
    std::vector<double> radii, heights;
    double least = std::numeric_limits<double>::infinity(), most = 0.0;
    for (std::size_t i = 0; i < snapshot.size(); ++i) {
        if (!observe::is_grain(snapshot, i)) continue;
        radii.push_back(snapshot.radius[i]);
        heights.push_back(axis.height(snapshot.position[i]));
        least = std::min(least, snapshot.radius[i]);
        most = std::max(most, snapshot.radius[i]);
    }
    Mean large, small;
    std::size_t k = 0;
    for (std::size_t i = 0; i < snapshot.size(); ++i) {
        if (!observe::is_grain(snapshot, i)) continue;
        const double share = (snapshot.radius[i] - least) / (most - least), z = heights[k++];
        if (options.large.empty() ? share >= 1.0 - options.part : options.large.contains(snapshot.tag[i])) large.add(z);
        if (options.small.empty() ? share <= options.part : options.small.contains(snapshot.tag[i])) small.add(z);
    }
    const observe::Bed bed = observe::measure_bed(snapshot);
    observe::Result result;
    result.add("index", (large.value() - small.value()) / bed.height);
    result.add("rank_correlation", correlation(ranks_of(radii), ranks_of(heights)));
    result.add("large_height", large.value() - bed.bottom, "m");
    result.add("small_height", small.value() - bed.bottom, "m");
    result.add("bed_height", bed.height, "m");
    result.add("large", large.count);
    result.add("small", small.count);
    return result;
}

template <int Dim>
observe::Measurement<Dim> make(observe::Parameters& parameters) {
    Options options;
    options.large = parameters.tags("large");
    options.small = parameters.tags("small");
    if (options.large.empty() != options.small.empty()) parameters.fail(options.large.empty() ? "large" : "small", "is missing; give it: tags of both, or of none");
    options.part = parameters.fraction("part", options.part);
    if (options.part > 0.5) parameters.fail("part", "must be at most 0.5: no grain is both large and small");
    return [options](const Snapshot<Dim>& snapshot) { return measure(snapshot, options); };
}

}  // namespace

void register_segregation(ObservableRegistry& registry) {
    registry.add("segregation", "do large grains lie above small ones: index and rank correlation", make<2>, make<3>);
}

}  // namespace talus
