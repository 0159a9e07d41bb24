#include "plot/colouring.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <set>

#include "observe/result.h"
#include "plot/drawing.h"
#include "plot/palette.h"
#include "plot/ticks.h"

namespace talus::plot {

namespace {

constexpr double degree = 180.0 / std::numbers::pi;

double turned(const Rotation<2>& r) { return r.angle * degree; }
double turned(const Rotation<3>& r) { return 2.0 * std::atan2(r.q.vec().norm(), std::abs(r.q.w())) * degree; }
double spin_of(const Spin<2>& w) { return w[0]; }
double spin_of(const Spin<3>& w) { return w.norm(); }

/// Which layer a birth date falls into, from 1; 0: none.
double layer_of(double birth, const std::vector<Interval>& layers) {
    for (std::size_t k = 0; k < layers.size(); ++k)
        if (birth >= layers[k].first && birth < layers[k].second) return static_cast<double>(k + 1);
    return 0.0;
}

template <int Dim>
double value_of(const Snapshot<Dim>& snapshot, std::size_t i, const Colouring& c, double length) {
    if (c.kind == "birth") return snapshot.birth[i];
    if (c.kind == "layers") return layer_of(snapshot.birth[i], c.layers);
    if (c.kind == "speed") return snapshot.velocity[i].norm() * length;
    if (c.kind == "rotation") return turned(snapshot.rotation[i]);
    if (c.kind == "spin") return spin_of(snapshot.spin[i]);
    if (c.kind == "size") return 2.0 * snapshot.radius[i] * length;
    if (c.kind == "tag") return snapshot.tag[i];
    if (c.kind == "material") return snapshot.material[i];
    return 0.0;
}

/// Values of the grains, in order; those held fixed have none.
std::vector<double> sorted(const std::vector<double>& values) {
    std::vector<double> known;
    std::copy_if(values.begin(), values.end(), std::back_inserter(known), [](double v) { return !std::isnan(v); });
    std::sort(known.begin(), known.end());
    return known;
}

/// Where most grains flow, equal steps of speed; where few move and most rest, powers of 0.18.
ColourScale scale_of_speeds(const std::string& label, const std::vector<double>& speeds, double highest, Palette palette) {
    if (speeds.empty()) return single_colour(ramp(0.35));
    const double end = highest > 0.0 ? highest : speeds.back();
    return speeds[speeds.size() / 2] > 0.1 * end ? even_scale(label, 0.0, end, 8, palette) : speed_scale(label, end, palette);
}

/// A few grains bear far more than the others: the scale ends where all but one in a hundred are.
ColourScale scale_of_loads(const std::string& label, const std::vector<double>& loads, double highest, Palette palette) {
    if (loads.empty()) return single_colour(ramp(0.35));
    double end = highest > 0.0 ? highest : loads[loads.size() - 1 - loads.size() / 100];
    if (!(end > 0.0)) end = loads.back();
    const auto ticks = round_ticks(0.0, end, 8);
    if (ticks.size() < 3) return even_scale(label, 0.0, end, 8, palette);
    ColourScale scale = even_scale(label, 0.0, ticks.back(), static_cast<int>(ticks.size()) - 1, palette);
    scale.open = ticks.back() < loads.back();
    return scale;
}

ColourScale scale_of_layers(const std::vector<Interval>& layers) {
    static const std::vector<std::string> inks{"#111111", "#8c8c8c", "#d55e00", "#0072b2"};
    ColourScale scale;
    scale.bounds = {0.0};
    scale.colours = {"#ffffff"};
    scale.names = {"other grains"};
    for (std::size_t k = 0; k < layers.size(); ++k) {
        scale.bounds.push_back(static_cast<double>(k + 1));
        scale.colours.push_back(inks[k % inks.size()]);
        scale.names.push_back("set down at " + observe::format_number(layers[k].first, 4) + "–" + observe::format_number(layers[k].second, 4) + " s");
    }
    return scale;
}

template <typename NameOf>
ColourScale scale_of_kinds(const std::vector<double>& known, NameOf name_of) {
    ColourScale scale;
    const std::set<double> kinds(known.begin(), known.end());
    for (const double kind : kinds) {
        scale.bounds.push_back(kind);
        scale.colours.push_back(hue(scale.colours.size()));
        scale.names.push_back(name_of(static_cast<int>(kind)));
    }
    if (kinds.size() < 2) scale.names.clear();   // one kind needs no key
    return scale;
}

/// Blue to red about zero where the sign tells something, else equal steps from zero.
ColourScale scale_of_turns(const std::string& label, const std::vector<double>& known, double highest, Palette palette) {
    if (known.empty()) return single_colour(ramp(0.35));
    const double end = highest > 0.0 ? highest : std::max(std::abs(known.front()), std::abs(known.back()));
    if (!(end > 0.0)) return single_colour(diverging(0.0));
    return known.front() < 0.0 ? even_scale(label, -end, end, 10, Palette::diverging) : even_scale(label, 0.0, end, 8, palette);
}

/// The first of birth, tag, size in which the grains differ.
template <int Dim>
std::string pick_kind(const Snapshot<Dim>& snapshot) {
    for (const std::string candidate : {"birth", "tag", "size"}) {
        std::set<double> values;
        Colouring c;
        c.kind = candidate;
        for (std::size_t i = 0; i < snapshot.size() && values.size() < 2; ++i)
            if (observe::is_grain(snapshot, i)) values.insert(value_of(snapshot, i, c, 1.0));
        if (values.size() > 1) return candidate;
    }
    return "plain";
}

std::string name_of_tag(int tag, const TagNames& names) {
    for (const auto& [name, number] : names)
        if (number == tag) return name;
    return "tag " + std::to_string(tag);
}

ColourScale scale_of_quantity(const Colouring& c, const std::vector<double>& known, observe::UnitSystem units, Palette palette) {
    const std::string length = observe::unit_in(units, "m").name;
    const double low = known.empty() ? 0.0 : known.front(), high = known.empty() ? 0.0 : known.back();
    if (c.kind == "birth") return even_scale("birth [s]", low, high, 8, palette);
    if (c.kind == "size") return even_scale("diameter [" + length + "]", low, high, 8, palette);
    if (c.kind == "speed") return scale_of_speeds("speed [" + length + "/s]", known, c.highest, palette);
    if (c.kind == "load") return scale_of_loads("load [" + observe::unit_in(units, "N").name + "]", known, c.highest, palette);
    if (c.kind == "rotation") return scale_of_turns("turned by [deg]", known, c.highest, palette);
    if (c.kind == "spin") return scale_of_turns("spin [rad/s]", known, c.highest, palette);
    return single_colour(c.plain);
}

bool is_grey(const Colouring& c) {
    if (c.palette != "auto") return c.palette == "grey";
    return c.kind == "speed" || c.kind == "load" || c.kind == "layers";
}

template <int Dim>
ColourScale scale_of(const Snapshot<Dim>& snapshot, const Colouring& c, const std::vector<double>& known, observe::UnitSystem units, const TagNames& tags) {
    if (c.kind == "layers") return scale_of_layers(c.layers);
    if (c.kind == "tag") return scale_of_kinds(known, [&](int tag) { return name_of_tag(tag, tags); });
    if (c.kind != "material") return scale_of_quantity(c, known, units, is_grey(c) ? Palette::grey : Palette::colour);
    return scale_of_kinds(known, [&](int k) {
        const auto at = static_cast<std::size_t>(k);
        return at < snapshot.material_names.size() ? snapshot.material_names[at] : "material " + std::to_string(k);
    });
}

}  // namespace

template <int Dim>
std::vector<double> grain_loads(const Snapshot<Dim>& snapshot, bool average) {
    std::vector<double> loads(snapshot.size(), 0.0);
    for (const auto& contact : observe::contact_forces(snapshot, average)) {
        const double normal = std::abs(contact.force.dot(contact.normal));
        for (const std::ptrdiff_t i : {contact.a, contact.b})
            if (i >= 0) loads[static_cast<std::size_t>(i)] += normal;
    }
    return loads;
}

template <int Dim>
BodyColours colour_bodies(const Snapshot<Dim>& snapshot, Colouring c, observe::UnitSystem units,
                          const TagNames& tag_names) {
    if (c.kind == "auto") c.kind = pick_kind(snapshot);
    const observe::Unit length = observe::unit_in(units, "m"), newton = observe::unit_in(units, "N");
    BodyColours out;
    out.grey = is_grey(c);
    const std::vector<double> loads = c.kind == "load" ? grain_loads(snapshot, c.average) : std::vector<double>();
    for (std::size_t i = 0; i < snapshot.size(); ++i) {
        const double value = loads.empty() ? value_of(snapshot, i, c, length.factor) : loads[i] * newton.factor;
        out.values.push_back(observe::is_grain(snapshot, i) ? value : no_value);
    }
    out.scale = scale_of(snapshot, c, sorted(out.values), units, tag_names);
    return out;
}

template BodyColours colour_bodies<2>(const Snapshot<2>&, Colouring, observe::UnitSystem, const TagNames&);
template BodyColours colour_bodies<3>(const Snapshot<3>&, Colouring, observe::UnitSystem, const TagNames&);
template std::vector<double> grain_loads<2>(const Snapshot<2>&, bool);
template std::vector<double> grain_loads<3>(const Snapshot<3>&, bool);

}  // namespace talus::plot
