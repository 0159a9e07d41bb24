// How the run went, step by step, from its reports. Parameter `what`:
//   energy     kinetic and potential energy and, when every step is reported, what walls gave and what
//              friction and impacts took since the first row
//   law_error  mean over contacts, and the worst contact
//   contacts   potential and effective contacts, bodies
//   overlap    largest and mean overlap over the smaller diameter
//   speed      of the fastest grain
//   balance    what does not close of momentum and energy
//   sweeps     of the solver
// Curves keep at most 1000 points, lowest and highest of every stretch; errors keep their peaks.

#include <algorithm>
#include <cmath>

#include "observe/units.h"
#include "plot/chart.h"
#include "plot/figure.h"

namespace talus {

namespace {

using Reports = std::vector<StepReport>;

template <typename Get>
plot::Curve every_step(const Reports& reports, const std::string& label, Get get) {
    plot::Curve result{label, {}, {}, plot::CurveKind::line, "", false};
    for (const StepReport& report : reports) {
        result.x.push_back(report.time);
        result.y.push_back(get(report));
    }
    return result;
}

template <typename Get>
plot::Curve curve(const Reports& reports, const std::string& label, Get get) {
    plot::Curve result = every_step(reports, label, get);
    plot::decimate(result);
    return result;
}

/// An error: its peaks are what counts.
template <typename Get>
plot::Curve peaks(const Reports& reports, const std::string& label, Get get) {
    plot::Curve result = every_step(reports, label, get);
    plot::keep_peaks(result);
    return result;
}

bool is_every_step(const Reports& reports) {
    for (std::size_t k = 1; k < reports.size(); ++k)
        if (reports[k].step != reports[k - 1].step + 1) return false;
    return true;
}

/// Running sum of a term of the ledger since the first row; exact only when every step is there.
template <typename Get>
plot::Curve summed(const Reports& reports, const std::string& label, Get get) {
    double sum = -get(reports.front().energy);
    return curve(reports, label, [&](const StepReport& report) { return sum += get(report.energy); });
}

void draw_energy(plot::Chart& chart, const Reports& reports, observe::UnitSystem units) {
    const observe::Unit joule = observe::unit_in(units, "J");
    const double f = joule.factor, start = reports.front().energy.potential;
    chart.title = "Energy";
    chart.y.label = "energy [" + joule.name + "]";
    chart.curves.push_back(curve(reports, "kinetic", [&](const StepReport& r) { return f * r.energy.kinetic; }));
    chart.curves.push_back(curve(reports, "potential, since the start", [&](const StepReport& r) { return f * (r.energy.potential - start); }));
    if (!is_every_step(reports)) return;
    chart.curves.push_back(summed(reports, "lost by friction", [&](const EnergyLedger& e) { return f * e.friction; }));
    chart.curves.push_back(summed(reports, "lost in impacts", [&](const EnergyLedger& e) { return f * e.impact; }));
    const auto given = [&](const EnergyLedger& e) { return f * (e.drive_work + e.load_work); };
    if (std::any_of(reports.begin(), reports.end(), [&](const StepReport& r) { return given(r.energy) != 0.0; }))
        chart.curves.push_back(summed(reports, "given by walls and loads", given));
    const auto brought = [&](const EnergyLedger& e) { return f * (e.created - e.removed - e.frozen); };
    if (std::any_of(reports.begin() + 1, reports.end(), [&](const StepReport& r) { return brought(r.energy) != 0.0; }))
        chart.curves.push_back(summed(reports, "brought by grains that came and went", brought));
}

void draw_law_error(plot::Chart& chart, const Reports& reports) {
    chart.title = "Law error";
    chart.y.label = "over g h [-]";
    chart.y.log = true;
    chart.curves.push_back(peaks(reports, "mean", [](const StepReport& r) { return r.law.mean; }));
    chart.curves.push_back(peaks(reports, "worst contact", [](const StepReport& r) { return r.law.max; }));
}

void draw_contacts(plot::Chart& chart, const Reports& reports) {
    chart.title = "Contacts";
    chart.y.label = "number";
    chart.curves.push_back(curve(reports, "potential", [](const StepReport& r) { return static_cast<double>(r.contacts); }));
    chart.curves.push_back(curve(reports, "effective", [](const StepReport& r) { return static_cast<double>(r.working_contacts); }));
    chart.curves.push_back(curve(reports, "bodies", [](const StepReport& r) { return static_cast<double>(r.bodies); }));
}

void draw_overlap(plot::Chart& chart, const Reports& reports) {
    chart.title = "Overlap over the smaller diameter";
    chart.y.label = "overlap [-]";
    chart.y.log = true;
    chart.curves.push_back(peaks(reports, "largest", [](const StepReport& r) { return r.max_overlap; }));
    chart.curves.push_back(peaks(reports, "mean", [](const StepReport& r) { return r.mean_overlap; }));
}

void draw_speed(plot::Chart& chart, const Reports& reports, observe::UnitSystem units) {
    const observe::Unit unit = observe::unit_in(units, "m/s");
    chart.title = "Speed of the fastest grain";
    chart.y.label = "speed [" + unit.name + "]";
    chart.y.log = true;
    chart.curves.push_back(peaks(reports, "", [&](const StepReport& r) { return unit.factor * r.max_speed; }));
}

void draw_balance(plot::Chart& chart, const Reports& reports) {
    chart.title = "What does not balance";
    chart.y.label = "residual [-]";
    chart.y.log = true;
    double largest = 0.0;
    for (const StepReport& r : reports) largest = std::max(largest, std::abs(r.energy.kinetic) + std::abs(r.energy.potential));
    chart.curves.push_back(peaks(reports, "momentum, over the largest term", [](const StepReport& r) { return r.momentum_residual; }));
    if (largest > 0.0)
        chart.curves.push_back(peaks(reports, "energy, over the largest energy", [&](const StepReport& r) { return std::abs(r.energy.residual) / largest; }));
}

void draw_sweeps(plot::Chart& chart, const Reports& reports) {
    chart.title = "Sweeps of the solver";
    chart.y.label = "sweeps a step";
    chart.curves.push_back(curve(reports, "", [](const StepReport& r) { return static_cast<double>(r.sweeps); }));
}

std::string draw(const plot::FigureData& data, observe::Parameters& parameters) {
    const std::string what = parameters.choice("what", {"energy", "law_error", "contacts", "overlap", "speed", "balance", "sweeps"});
    parameters.finish();
    if (!data.reports || data.reports->empty()) throw InputError("figure `series` needs step reports, and the run has none");
    plot::Chart chart;
    chart.x.label = "time [s]";
    chart.y.decades = 6.0;
    chart.height = 300.0;
    if (what == "energy") draw_energy(chart, *data.reports, data.units);
    if (what == "law_error") draw_law_error(chart, *data.reports);
    if (what == "contacts") draw_contacts(chart, *data.reports);
    if (what == "overlap") draw_overlap(chart, *data.reports);
    if (what == "speed") draw_speed(chart, *data.reports, data.units);
    if (what == "balance") draw_balance(chart, *data.reports);
    if (what == "sweeps") draw_sweeps(chart, *data.reports);
    return plot::draw_chart(chart);
}

}  // namespace

void register_series(FigureRegistry& registry) {
    registry.add("series", "energy, law error, contacts, overlap, speed, balance or sweeps over time", draw);
}

}  // namespace talus
