#include "gallery/experiment.h"

#include <algorithm>

namespace talus::gallery {

const char* to_string(Scale scale) { return scale == Scale::quick ? "quick" : "full"; }

bool RunPlan::is_made_at(Scale scale) const { return std::find(scales.begin(), scales.end(), scale) != scales.end(); }

std::vector<Change> RunPlan::changes_at(Scale scale, const ScalePlan& plan) const {
    std::vector<Change> all = plan.changes;
    all.insert(all.end(), changes.begin(), changes.end());
    const auto& own = scale == Scale::quick ? quick : full;
    if (own) all.insert(all.end(), own->begin(), own->end());
    return all;
}

const ScalePlan* Experiment::scale(Scale which) const {
    const auto& plan = which == Scale::quick ? quick : full;
    return plan ? &*plan : nullptr;
}

Scale Experiment::usual_scale() const {
    constexpr double kLongest = 30.0;  // [min]
    return full && (full->minutes < kLongest || !quick) ? Scale::full : Scale::quick;
}

const RunPlan* Experiment::run(const std::string& wanted) const {
    const auto found = std::find_if(runs.begin(), runs.end(), [&](const RunPlan& r) { return r.name == wanted; });
    return found == runs.end() ? nullptr : &*found;
}

}  // namespace talus::gallery
