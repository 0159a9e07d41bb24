// Numbers of another observable by the phase of a drive: means over the samples that fall into each part of
// the period [moreau1994, fig. 3: 50 parts, each the mean of 40 steps]. A sample counts at the middle of
// what it stands for: its step or, with `average: true`, the interval of its frame.

#include <cmath>

#include "observe/sampled.h"
#include "observe/table.h"

namespace talus {

namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

/// A part of the period, by times since its beginning.
struct Window {
    std::string name;
    double from = 0.0, to = 0.0;   ///< [s]
};

struct Options {
    double period = 0.0, origin = 0.0;   ///< [s]
    std::size_t bins = 50;
    std::vector<Window> windows;
};

template <int Dim>
class Phase final : public observe::Memory<Dim> {
public:
    Phase(const Options& options, observe::Sampled<Dim> sampled, observe::Schedule schedule)
        : options_(options), sampled_(std::move(sampled)), schedule_(std::move(schedule)), counts_(options.bins, 0.0) {}

    [[nodiscard]] bool wants(const observe::Moment& moment) const override { return is_due(moment) || sampled_.wants(moment); }
    [[nodiscard]] bool wants_reports() const override { return sampled_.wants_reports(); }
    void see_report(const StepReport& report) override { sampled_.see_report(report); }
    void see(const Snapshot<Dim>& now, const observe::Moment& moment) override {
        sampled_.show(now, moment);
        if (!is_due(moment)) return;
        schedule_.take(moment);
        const auto values = sampled_.take(now);
        const double middle = now.time - 0.5 * (sampled_.averages() ? now.sums_seconds : now.h);
        const double turns = (middle - options_.origin) / options_.period;
        const auto bin = std::min(options_.bins - 1, static_cast<std::size_t>((turns - std::floor(turns)) * static_cast<double>(options_.bins)));
        sums_.resize(options_.bins * values.size(), 0.0);
        squares_.resize(options_.bins * values.size(), 0.0);
        ++counts_[bin];
        for (std::size_t k = 0; k < values.size(); ++k) {
            sums_[bin * values.size() + k] += values[k];
            squares_[bin * values.size() + k] += values[k] * values[k];
        }
    }
    [[nodiscard]] observe::Result measure(const Snapshot<Dim>&) const override;
    void save(ByteWriter& out) const override {
        schedule_.save(out);
        sampled_.save(out);
        out.put_array(counts_);
        out.put_array(sums_);
        out.put_array(squares_);
    }
    void load(ByteReader& in) override {
        schedule_.load(in);
        sampled_.load(in);
        in.get_array(counts_);
        in.get_array(sums_);
        in.get_array(squares_);
    }

private:
    /// The state at the very beginning ends no step: it has no forces.
    [[nodiscard]] bool is_due(const observe::Moment& moment) const {
        return moment.step > 0 && moment.time > schedule_.from() + 0.5 * moment.h && schedule_.is_due(moment);
    }
    [[nodiscard]] double middle_of(std::size_t bin) const { return (static_cast<double>(bin) + 0.5) * options_.period / static_cast<double>(options_.bins); }
    [[nodiscard]] double mean(std::size_t bin, std::size_t k) const { return sums_[bin * sampled_.units().size() + k] / counts_[bin]; }
    void add_value(observe::Result& result, std::size_t k) const;
    void add_window(observe::Result& result, const Window& window, std::size_t k) const;
    [[nodiscard]] observe::Table table() const;

    Options options_;
    observe::Sampled<Dim> sampled_;
    observe::Schedule schedule_;
    std::vector<double> counts_, sums_, squares_;   ///< by bin; by bin and value
};

template <int Dim>
void Phase<Dim>::add_value(observe::Result& result, std::size_t k) const {
    const std::string &name = sampled_.names()[k], &unit = sampled_.units()[k];
    double sum = 0.0, count = 0.0, least = nan, most = nan, when_least = nan, when_most = nan;
    for (std::size_t bin = 0; bin < options_.bins; ++bin) {
        if (counts_[bin] == 0.0) continue;
        const double value = mean(bin, k);
        sum += sums_[bin * sampled_.units().size() + k];
        count += counts_[bin];
        if (!(value >= least)) {
            least = value;
            when_least = middle_of(bin);
        }
        if (!(value <= most)) {
            most = value;
            when_most = middle_of(bin);
        }
    }
    result.add(name + "_mean", sum / count, unit);
    result.add(name + "_min", least, unit);
    result.add(name + "_max", most, unit);
    result.add(name + "_phase_of_min", when_least, "s");
    result.add(name + "_phase_of_max", when_most, "s");
}

/// Mean over the bins whose middles lie in the window, the extreme ones, and the share that is negative.
template <int Dim>
void Phase<Dim>::add_window(observe::Result& result, const Window& window, std::size_t k) const {
    const std::string name = window.name + "_" + sampled_.names()[k], &unit = sampled_.units()[k];
    double sum = 0.0, count = 0.0, negative = 0.0, least = nan, most = nan;
    for (std::size_t bin = 0; bin < options_.bins; ++bin) {
        if (counts_[bin] == 0.0 || middle_of(bin) < window.from || middle_of(bin) > window.to) continue;
        const double value = mean(bin, k);
        sum += value;
        ++count;
        negative += value < 0.0;
        least = std::isnan(least) ? value : std::min(least, value);
        most = std::isnan(most) ? value : std::max(most, value);
    }
    result.add(name + "_mean", sum / count, unit);
    result.add(name + "_min", least, unit);
    result.add(name + "_max", most, unit);
    result.add(name + "_negative", negative / count);
}

template <int Dim>
observe::Table Phase<Dim>::table() const {
    const std::size_t width = sampled_.units().size();
    observe::TableBuilder table("phase");
    table.column("time", "s").column("count");
    for (std::size_t k = 0; k < width; ++k) {
        table.column(sampled_.names()[k], sampled_.units()[k]);
        table.column(sampled_.names()[k] + "_sigma", sampled_.units()[k]);
    }
    for (std::size_t bin = 0; bin < options_.bins; ++bin) {
        const double n = counts_[bin];
        table.put(middle_of(bin)).put(n);
        for (std::size_t k = 0; k < width; ++k) {
            const double spread = squares_[bin * width + k] - n * mean(bin, k) * mean(bin, k);
            table.put(mean(bin, k)).put(n > 1.0 ? std::sqrt(std::max(0.0, spread) / (n - 1.0)) : nan);
        }
    }
    return table.take();
}

template <int Dim>
observe::Result Phase<Dim>::measure(const Snapshot<Dim>&) const {
    double samples = 0.0;
    for (const double count : counts_) samples += count;
    observe::Result result;
    result.add("samples", samples);
    result.add("period", options_.period, "s");
    for (std::size_t k = 0; k < sampled_.units().size(); ++k) {
        add_value(result, k);
        for (const Window& window : options_.windows) add_window(result, window, k);
    }
    if (samples > 0.0) result.tables.push_back(table());
    return result;
}

template <int Dim>
observe::Measurement<Dim> make(observe::Parameters& parameters) {
    observe::Sampled<Dim> sampled(parameters);
    observe::Schedule schedule(parameters, "phase", true);
    sampled.check(parameters, schedule);
    Options options;
    const auto period = parameters.period();
    if (!period) parameters.fail("period", "is missing; give it: the period of the drive (or its `frequency`)");
    options.period = *period;
    options.origin = parameters.seconds("origin").value_or(0.0);
    options.bins = static_cast<std::size_t>(parameters.count("bins", 50, 1));
    if (parameters.has("periods")) {
        if (parameters.has("to")) parameters.fail("periods", "is given as well as `to`; give one of them");
        if (!std::isfinite(schedule.from())) parameters.fail("periods", "counts from `from`, which is missing");
        schedule.set_end(schedule.from() + static_cast<double>(parameters.count("periods", 1, 1)) * options.period);
    }
    for (const observe::Spec& spec : parameters.children("windows")) {
        observe::Parameters keys(spec, Dim);
        Window window{keys.name("name", ""), keys.seconds("from").value_or(0.0), keys.seconds("to").value_or(options.period)};
        if (window.name.empty()) keys.fail("name", "is missing; give it: what the window is called in the results");
        if (!(window.from < window.to)) keys.fail("to", "must be later than `from`");
        keys.finish();
        options.windows.push_back(std::move(window));
    }
    return std::shared_ptr<observe::Memory<Dim>>(std::make_shared<Phase<Dim>>(options, std::move(sampled), std::move(schedule)));
}

}  // namespace

void register_phase(ObservableRegistry& registry) {
    registry.add("phase", "numbers of another observable by the phase of a drive", make<2>, make<3>, observe::Needs::steps);
}

}  // namespace talus
