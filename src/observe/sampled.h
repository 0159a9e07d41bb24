#pragma once
/// \file
/// An observable whose numbers another one collects: what `series` and `phase` share. One with a memory of
/// its own is shown what it asks for.

#include <algorithm>
#include <string>
#include <vector>

#include "observe/registry.h"
#include "observe/schedule.h"

namespace talus::observe {

/// Reads `of` and `values`, and takes samples.
template <int Dim>
class Sampled {
public:
    explicit Sampled(Parameters& parameters) : measurement_(make(parameters)) {
        names_ = parameters.names("values");
    }
    /// Sums over the interval of a frame are not there between frames.
    void check(Parameters& parameters, const Schedule& schedule) const {
        if (average_ && schedule.is_between_frames())
            parameters.fail("of", "has `average: true`, which holds at frames; write `sample: frames`, or leave `average` out");
    }
    [[nodiscard]] bool averages() const { return average_; }
    [[nodiscard]] const std::vector<std::string>& names() const { return names_; }
    [[nodiscard]] const std::vector<std::string>& units() const { return units_; }

    [[nodiscard]] bool wants(const Moment& moment) const { return measurement_.memory() && measurement_.memory()->wants(moment); }
    void show(const Snapshot<Dim>& now, const Moment& moment) {
        if (wants(moment)) measurement_.memory()->see(now, moment);
    }
    [[nodiscard]] bool wants_reports() const { return measurement_.memory() && measurement_.memory()->wants_reports(); }
    void see_report(const StepReport& report) {
        if (measurement_.memory()) measurement_.memory()->see_report(report);
    }

    /// The chosen numbers, in the order of `names`; all numbers when no names were given.
    [[nodiscard]] std::vector<double> take(const Snapshot<Dim>& now) {
        const Result result = measurement_(now);
        if (names_.empty())
            for (const Scalar& scalar : result.scalars) names_.push_back(scalar.name);
        if (units_.empty()) set_units(result);
        std::vector<double> values;
        for (const auto& name : names_) values.push_back(result.value(name));
        return values;
    }
    void save(ByteWriter& out) const {
        out.put(static_cast<std::uint64_t>(units_.size()));
        for (std::size_t k = 0; k < units_.size(); ++k) {
            out.put_string(names_[k]);
            out.put_string(units_[k]);
        }
        if (measurement_.memory()) measurement_.memory()->save(out);
    }
    void load(ByteReader& in) {
        const auto n = in.get<std::uint64_t>();
        units_.clear();
        if (n > 0) names_.clear();
        for (std::uint64_t k = 0; k < n; ++k) {
            names_.push_back(in.get_string());
            units_.push_back(in.get_string());
        }
        if (measurement_.memory()) measurement_.memory()->load(in);
    }

private:
    Measurement<Dim> make(Parameters& parameters) {
        const Spec spec = parameters.observable("of");
        average_ = spec.parameters.value("average", nlohmann::json(false)) == nlohmann::json(true);
        return prepare<Dim>(spec);
    }
    void set_units(const Result& result) {
        for (const auto& name : names_) {
            const auto found = std::find_if(result.scalars.begin(), result.scalars.end(), [&](const Scalar& s) { return s.name == name; });
            // Some numbers come only with something to measure: the unit is then that of a pure number.
            units_.push_back(found == result.scalars.end() ? "" : found->unit);
        }
    }

    bool average_ = false;
    Measurement<Dim> measurement_;
    std::vector<std::string> names_, units_;
};

}  // namespace talus::observe
