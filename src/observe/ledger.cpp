// The energy ledger added up over the steps (EnergyLedger in report.h), from a time on: where the energy came
// from and where it went. It needs the report of every step: of the running world, or of a run file recorded
// without `report_every`.

#include <array>
#include <cmath>

#include <fmt/format.h>

#include "observe/registry.h"
#include "observe/table.h"

namespace talus {

namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

struct Entry {
    const char* name;
    double EnergyLedger::*member;
    double sign;            ///< in the balance of kinetic + potential
};
constexpr std::array<Entry, 10> entries{{{"drive_work", &EnergyLedger::drive_work, 1.0},
                                         {"load_work", &EnergyLedger::load_work, 1.0},
                                         {"impact", &EnergyLedger::impact, -1.0},
                                         {"friction", &EnergyLedger::friction, -1.0},
                                         {"correction", &EnergyLedger::correction, 1.0},
                                         {"rotation", &EnergyLedger::rotation, 1.0},
                                         {"created", &EnergyLedger::created, 1.0},
                                         {"removed", &EnergyLedger::removed, -1.0},
                                         {"frozen", &EnergyLedger::frozen, -1.0},
                                         {"residual", &EnergyLedger::residual, 1.0}}};


struct Options {
    double from = -std::numeric_limits<double>::infinity();   ///< [s]
    std::optional<double> every;                              ///< between rows of the series [s]
};

template <int Dim>
class Ledger final : public observe::Memory<Dim> {
public:
    explicit Ledger(const Options& options) : options_(options) {}

    [[nodiscard]] bool wants(const observe::Moment&) const override { return false; }
    void see(const Snapshot<Dim>&, const observe::Moment&) override {}
    [[nodiscard]] bool wants_reports() const override { return true; }
    void see_report(const StepReport& report) override;
    [[nodiscard]] observe::Result measure(const Snapshot<Dim>&) const override;
    void save(ByteWriter& out) const override {
        out.put(step_);
        out.put(now_);
        for (const double value : {begin_, largest_, started_, rows_taken_}) out.put(value);
        out.put_array(rows_);
    }
    void load(ByteReader& in) override {
        step_ = in.get<std::int64_t>();
        now_ = in.get<EnergyLedger>();
        for (double* value : {&begin_, &largest_, &started_, &rows_taken_}) *value = in.get<double>();
        in.get_array(rows_);
    }

private:
    Options options_;
    std::int64_t step_ = 0;          ///< last seen
    EnergyLedger now_;               ///< sums; kinetic and potential as last seen [J]
    double begin_ = nan;             ///< kinetic + potential before the first step that counts [J]
    double largest_ = 0.0;           ///< kinetic + |potential| [J]
    double started_ = nan;           ///< end of the first step that counts [s]
    double rows_taken_ = 0.0;
    std::vector<double> rows_;
};

template <int Dim>
void Ledger<Dim>::see_report(const StepReport& report) {
    if (report.step != step_ + 1)
        throw InputError(fmt::format("observable `ledger` needs the report of every step, and after step {} comes {}; record without "
                                     "`report_every`, or put the observable into the scene", step_, report.step));
    step_ = report.step;
    now_.kinetic = report.energy.kinetic;
    now_.potential = report.energy.potential;
    if (report.time <= options_.from) return;
    double change = 0.0;
    for (const Entry& entry : entries) {
        now_.*entry.member += report.energy.*entry.member;
        change += entry.sign * report.energy.*entry.member;
    }
    const double total = report.energy.kinetic + report.energy.potential;
    if (std::isnan(begin_)) {
        begin_ = total - change;
        started_ = report.time;
    }
    largest_ = std::max(largest_, report.energy.kinetic + std::abs(report.energy.potential));
    if (!options_.every || report.time - started_ < rows_taken_ * *options_.every * (1.0 - 1e-9)) return;
    rows_taken_ = std::floor((report.time - started_) / *options_.every * (1.0 + 1e-9)) + 1.0;
    for (const double value : {report.time, now_.kinetic, now_.potential}) rows_.push_back(value);
    for (const Entry& entry : entries) rows_.push_back(now_.*entry.member);
}

template <int Dim>
observe::Result Ledger<Dim>::measure(const Snapshot<Dim>&) const {
    const bool any = !std::isnan(begin_);
    observe::Result result;
    result.add("kinetic", any ? now_.kinetic : nan, "J");
    result.add("potential", any ? now_.potential : nan, "J");
    for (const Entry& entry : entries) result.add(entry.name, any ? now_.*entry.member : nan, "J");
    result.add("change", now_.kinetic + now_.potential - begin_, "J");
    result.add("dissipated", any ? now_.impact + now_.friction : nan, "J");
    result.add("relative_residual", any ? std::abs(now_.residual) / largest_ : nan);
    if (!options_.every) return result;
    observe::TableBuilder table("series");
    table.column("time", "s").column("kinetic", "J").column("potential", "J");
    for (const Entry& entry : entries) table.column(entry.name, "J");
    for (const double value : rows_) table.put(value);
    result.tables.push_back(table.take());
    return result;
}

template <int Dim>
observe::Measurement<Dim> make(observe::Parameters& parameters) {
    Options options;
    options.from = parameters.seconds("from").value_or(options.from);
    options.every = parameters.seconds("every");
    if (options.every && !(*options.every > 0.0)) parameters.fail("every", "must be a time greater than 0");
    return std::shared_ptr<observe::Memory<Dim>>(std::make_shared<Ledger<Dim>>(options));
}

}  // namespace

void register_ledger(ObservableRegistry& registry) {
    registry.add("ledger", "energy ledger added up over the steps: work, impact, friction, residual", make<2>, make<3>,
                 observe::Needs::reports);
}

}  // namespace talus
