// Numbers of another observable in time: at every frame, every so often, or after every step; with their
// mean, extremes and median. What to plot, and what to ask for a peak.

#include <algorithm>
#include <cmath>

#include "observe/sampled.h"
#include "observe/statistics.h"
#include "observe/table.h"

namespace talus {

namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

template <int Dim>
class Series final : public observe::Memory<Dim> {
public:
    Series(observe::Sampled<Dim> sampled, observe::Schedule schedule) : sampled_(std::move(sampled)), schedule_(std::move(schedule)) {}

    [[nodiscard]] bool wants(const observe::Moment& moment) const override {
        return schedule_.is_due(moment) || sampled_.wants(moment);
    }
    [[nodiscard]] bool wants_reports() const override { return sampled_.wants_reports(); }
    void see_report(const StepReport& report) override { sampled_.see_report(report); }
    void see(const Snapshot<Dim>& now, const observe::Moment& moment) override {
        sampled_.show(now, moment);
        if (!schedule_.is_due(moment)) return;
        schedule_.take(moment);
        const auto values = sampled_.take(now);
        times_.push_back(now.time);
        values_.insert(values_.end(), values.begin(), values.end());
    }
    [[nodiscard]] observe::Result measure(const Snapshot<Dim>&) const override;
    void save(ByteWriter& out) const override {
        schedule_.save(out);
        sampled_.save(out);
        out.put_array(times_);
        out.put_array(values_);
    }
    void load(ByteReader& in) override {
        schedule_.load(in);
        sampled_.load(in);
        in.get_array(times_);
        in.get_array(values_);
    }

private:
    void add_statistics(observe::Result& result, std::size_t k) const;

    observe::Sampled<Dim> sampled_;
    observe::Schedule schedule_;
    std::vector<double> times_, values_;   ///< values row by row
};

template <int Dim>
void Series<Dim>::add_statistics(observe::Result& result, std::size_t k) const {
    const std::size_t width = sampled_.names().size();
    const std::string &name = sampled_.names()[k], &unit = sampled_.units()[k];
    double sum = 0.0, least = nan, most = nan, when_least = nan, when_most = nan;
    std::vector<double> known;
    for (std::size_t row = 0; row < times_.size(); ++row) {
        const double value = values_[row * width + k];
        if (std::isnan(value)) continue;
        known.push_back(value);
        sum += value;
        if (!(value >= least)) {
            least = value;
            when_least = times_[row];
        }
        if (!(value <= most)) {
            most = value;
            when_most = times_[row];
        }
    }
    const auto n = static_cast<double>(known.size());
    double squares = 0.0;
    for (const double value : known) squares += std::pow(value - sum / n, 2);
    result.add(name + "_mean", sum / n, unit);
    result.add(name + "_sigma", n > 1.0 ? std::sqrt(squares / (n - 1.0)) : nan, unit);
    result.add(name + "_median", observe::median(known), unit);
    result.add(name + "_min", least, unit);
    result.add(name + "_max", most, unit);
    result.add(name + "_last", known.empty() ? nan : known.back(), unit);
    result.add("time_of_min_" + name, when_least, "s");
    result.add("time_of_max_" + name, when_most, "s");
}

template <int Dim>
observe::Result Series<Dim>::measure(const Snapshot<Dim>&) const {
    observe::Result result;
    result.add("samples", static_cast<double>(times_.size()));
    const std::size_t width = sampled_.units().size();
    observe::TableBuilder table("series");
    table.column("time", "s");
    for (std::size_t k = 0; k < width; ++k) {
        add_statistics(result, k);
        table.column(sampled_.names()[k], sampled_.units()[k]);
    }
    for (std::size_t row = 0; row < times_.size(); ++row) {
        table.put(times_[row]);
        for (std::size_t k = 0; k < width; ++k) table.put(values_[row * width + k]);
    }
    result.tables.push_back(table.take());
    return result;
}

template <int Dim>
observe::Measurement<Dim> make(observe::Parameters& parameters) {
    observe::Sampled<Dim> sampled(parameters);
    observe::Schedule schedule(parameters, "series", false);
    sampled.check(parameters, schedule);
    return std::shared_ptr<observe::Memory<Dim>>(std::make_shared<Series<Dim>>(std::move(sampled), std::move(schedule)));
}

}  // namespace

void register_series(ObservableRegistry& registry) {
    registry.add("series", "numbers of another observable in time, with mean, extremes and median", make<2>, make<3>, observe::Needs::frames);
}

}  // namespace talus
