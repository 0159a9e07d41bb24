// Grains that leave: how many of those that were ever upstream (above a level, or in a region) are there no
// longer, because they fell through, or a sink took them. The rate is the trend of that number in time
// between `from` and `to`.

#include <algorithm>
#include <cmath>
#include <tuple>

#include "observe/forces.h"
#include "observe/region.h"
#include "observe/registry.h"
#include "observe/schedule.h"
#include "observe/statistics.h"
#include "observe/table.h"

namespace talus {

namespace {

template <int Dim>
struct Options {
    std::optional<double> level;       ///< upstream is above it [m]
    observe::Region<Dim> region;       ///< without a level: upstream
    std::set<std::int32_t> tags;
    double from = -std::numeric_limits<double>::infinity(), to = std::numeric_limits<double>::infinity();  ///< of the rate [s]
};

template <int Dim>
class Discharge final : public observe::Memory<Dim> {
public:
    Discharge(const Options<Dim>& options, const observe::Schedule& schedule) : options_(options), schedule_(schedule) {}

    [[nodiscard]] bool wants(const observe::Moment& moment) const override { return schedule_.is_due(moment); }
    void see(const Snapshot<Dim>& now, const observe::Moment& moment) override {
        schedule_.take(moment);
        count(now);
        times_.push_back(now.time);
        gone_.push_back(static_cast<double>(ever_.size()) - remaining_);
        gone_mass_.push_back(ever_mass_ - remaining_mass_);
    }
    [[nodiscard]] observe::Result measure(const Snapshot<Dim>& now) const override {
        Discharge copy(*this);
        copy.count(now);
        return copy.report();
    }
    void save(ByteWriter& out) const override {
        schedule_.save(out);
        out.put_array(ever_);
        for (const double value : {ever_mass_, remaining_, remaining_mass_}) out.put(value);
        out.put_array(times_);
        out.put_array(gone_);
        out.put_array(gone_mass_);
    }
    void load(ByteReader& in) override {
        schedule_.load(in);
        in.get_array(ever_);
        for (double* value : {&ever_mass_, &remaining_, &remaining_mass_}) *value = in.get<double>();
        in.get_array(times_);
        in.get_array(gone_);
        in.get_array(gone_mass_);
    }

private:
    [[nodiscard]] bool is_upstream(const Snapshot<Dim>& now, std::size_t i, const Vec<Dim>& up) const {
        if (options_.level) return now.position[i].dot(up) >= *options_.level;
        return options_.region.depth(now.position[i], up) >= 0.0;
    }
    void count(const Snapshot<Dim>& now);
    [[nodiscard]] observe::Result report() const;

    Options<Dim> options_;
    observe::Schedule schedule_;
    std::vector<BodyId> ever_;                          ///< seen upstream at any time, increasing
    double ever_mass_ = 0.0, remaining_ = 0.0, remaining_mass_ = 0.0;   ///< [kg]
    std::vector<double> times_, gone_, gone_mass_;
};

template <int Dim>
void Discharge<Dim>::count(const Snapshot<Dim>& now) {
    const Vec<Dim> up = observe::vertical(now, Vec<Dim>::Zero().eval()).up;
    remaining_ = remaining_mass_ = 0.0;
    for (std::size_t i = 0; i < now.size(); ++i) {
        if (!(now.radius[i] > 0.0) || !is_upstream(now, i, up)) continue;
        if (!options_.tags.empty() && !options_.tags.contains(now.tag[i])) continue;
        const auto place = std::lower_bound(ever_.begin(), ever_.end(), now.id[i]);
        const bool is_new = place == ever_.end() || *place != now.id[i];
        if (is_new && !observe::is_grain(now, i)) continue;   // a fixed body; a grain that froze stays counted
        if (is_new) {
            ever_.insert(place, now.id[i]);
            ever_mass_ += now.mass[i];
        }
        ++remaining_;
        remaining_mass_ += now.mass[i];
    }
}

template <int Dim>
observe::Result Discharge<Dim>::report() const {
    std::vector<double> times, numbers, masses;
    observe::TableBuilder table("series");
    table.column("time", "s").column("discharged").column("mass", "kg");
    for (std::size_t k = 0; k < times_.size(); ++k) {
        table.put(times_[k]).put(gone_[k]).put(gone_mass_[k]);
        if (times_[k] < options_.from || times_[k] > options_.to) continue;
        times.push_back(times_[k]);
        numbers.push_back(gone_[k]);
        masses.push_back(gone_mass_[k]);
    }
    observe::Result result;
    result.add("discharged", static_cast<double>(ever_.size()) - remaining_);
    result.add("discharged_mass", ever_mass_ - remaining_mass_, "kg");
    result.add("remaining", remaining_);
    result.add("rate", observe::trend(times, numbers), "1/s");
    result.add("mass_rate", observe::trend(times, masses), "kg/s");
    result.tables.push_back(table.take());
    return result;
}

template <int Dim>
observe::Measurement<Dim> make(observe::Parameters& parameters) {
    Options<Dim> options;
    options.level = parameters.length("below");
    if (options.level && parameters.has("region")) parameters.fail("region", "is given as well as `below`; give one of them");
    if (!options.level && !parameters.has("region")) parameters.fail("below", "is missing; give it: the level below which grains have left (or a `region` that they leave)");
    if (!options.level) options.region = observe::read_region<Dim>(parameters);
    options.tags = parameters.tags("tags");
    const auto rate = parameters.intervals("rate");
    if (rate.size() > 1) parameters.fail("rate", "must be one [first, last] pair");
    if (!rate.empty()) std::tie(options.from, options.to) = rate[0];
    const observe::Schedule schedule(parameters, "discharge", false);
    return std::shared_ptr<observe::Memory<Dim>>(std::make_shared<Discharge<Dim>>(options, schedule));
}

}  // namespace

void register_discharge(ObservableRegistry& registry) {
    registry.add("discharge", "grains that left a region or fell below a level, and the rate", make<2>, make<3>, observe::Needs::frames);
}

}  // namespace talus
