#include "explore_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "record/explore_file.h"

namespace talus::cli {
namespace {

using explore::BoundKind;

std::string value_text(const explore::BoundFound& b) {
    switch (b.kind) {
        case BoundKind::attained: return fmt::format("{:.8g}", b.value);
        case BoundKind::unbounded: return "unbounded";
        case BoundKind::none: return "-";
        default: return "unsure";
    }
}

std::string sampled_text(double value) { return std::isfinite(value) ? fmt::format("{:.8g}", value) : "-"; }

/// Nothing but rounding is not worth eight digits of noise.
double rounded(double value, double unit) { return std::abs(value) < 1e-9 * unit ? 0.0 : value; }

/// The bodies that move most in a motion, largest first.
std::string motion_text(const explore::Exploration& e, const explore::MotionTable& motion) {
    const auto d = static_cast<std::size_t>(e.dimension);
    std::vector<std::pair<double, std::size_t>> fastest;
    for (std::size_t i = 0; i < e.bodies.size() && motion.velocity.size() == e.bodies.size() * d; ++i) {
        double square = 0.0;
        for (std::size_t k = 0; k < d; ++k) square += motion.velocity[i * d + k] * motion.velocity[i * d + k];
        if (square > 1e-6) fastest.emplace_back(-square, i);
    }
    std::sort(fastest.begin(), fastest.end());
    std::string text = fmt::format("  mechanism: {} bodies move, most of all", fastest.size());
    for (std::size_t m = 0; m < std::min<std::size_t>(fastest.size(), 4); ++m) {
        const std::size_t i = fastest[m].second;
        text += fmt::format("{} body {} by (", m > 0 ? "," : "", e.bodies[i]);
        for (std::size_t k = 0; k < d; ++k) text += fmt::format("{}{:.3g}", k > 0 ? ", " : "", rounded(motion.velocity[i * d + k], 1e5));
        text += ")";
    }
    return text + "\n";
}

std::string existence_text(const explore::Exploration& e) {
    if (e.existence == "some") return fmt::format("equilibrium: possible (residual {:.1g})\n", e.certificate.residual);
    if (e.existence == "unsure") return "equilibrium: not decided, the cone program stalled\n";
    std::string text = fmt::format("equilibrium: impossible, proved by a motion that no contact resists (residual {:.1g})\n", e.certificate.residual);
    text += motion_text(e, e.mechanism);
    if (!e.untouched.empty()) {
        text += "  these bodies bear a load and touch nothing:";
        for (std::size_t k = 0; k < std::min<std::size_t>(e.untouched.size(), 10); ++k) text += fmt::format(" {}", e.untouched[k]);
        text += e.untouched.size() > 10 ? fmt::format(" and {} more\n", e.untouched.size() - 10) : std::string("\n");
        text += "  (--touch X counts gaps up to X diameters as closed)\n";
    }
    return text;
}

std::string samples_text(const explore::Exploration& e) {
    const auto& s = e.samples;
    if (s.size() == 0) return "";
    static constexpr const char* kStarts[] = {"random starts", "zero start", "start from the carried forces"};
    std::string text = fmt::format("samples: {}, seed {}, {}{}\n", s.size(), s.settings.seed,
                                   kStarts[static_cast<int>(s.settings.start)], s.settings.random_order ? ", random sweep orders" : "");
    text += fmt::format("  stays  {} of {}{}\n", s.stay, s.size(),
                        s.stay > 0 ? fmt::format(", {} of them fixed points of the sweep", s.fixed_points) : "");
    text += fmt::format("  moves  {} of {}\n", s.move, s.size());
    if (s.unsolved > 0) text += fmt::format("  unsolved {} of {}: the sweeps did not converge; raise --max-sweeps\n", s.unsolved, s.size());
    return text;
}

std::string quantities_text(const explore::Exploration& e) {
    if (e.quantities.empty()) return "";
    std::size_t width = 8;
    for (const auto& q : e.quantities) width = std::max(width, q.name.size());
    std::string text = fmt::format("\n    {:<{}}  {:>14} {:>14}  {:>14} {:>14}  {:>14}\n", "force [N]", width, "least", "greatest",
                                   "sampled least", "greatest", "carried");
    for (std::size_t k = 0; k < e.quantities.size(); ++k) {
        auto q = e.quantities[k];
        q.least.value = rounded(q.least.value, e.unit);
        q.greatest.value = rounded(q.greatest.value, e.unit);
        text += fmt::format("{:>3} {:<{}}  {:>14} {:>14}  {:>14} {:>14}  {:>14}{}\n", k + 1, q.name, width, value_text(q.least),
                            value_text(q.greatest), sampled_text(rounded(q.sample_least, e.unit)), sampled_text(rounded(q.sample_greatest, e.unit)),
                            e.found_rests ? fmt::format("{:.8g}", rounded(q.found, e.unit)) : e.found_solved ? "moves" : "unsolved",
                            q.outside > 0 ? fmt::format("  {} samples OUTSIDE", q.outside) : "");
    }
    return text;
}

std::string limit_text(const explore::LimitFound& l) {
    switch (l.kind) {
        case BoundKind::attained: return fmt::format("{:.8g}", l.multiplier);
        case BoundKind::unbounded: return "unbounded";
        case BoundKind::none: return "none";
        default: return "unsure";
    }
}

std::string collapses_text(const explore::Exploration& e) {
    std::string text;
    for (const auto& c : e.collapses) {
        text += fmt::format("\ncollapse under \"{}\": equilibrium is possible from {} to {} [{}]\n", c.name, limit_text(c.least),
                            limit_text(c.greatest), c.unit);
        if (c.greatest.kind == BoundKind::attained) text += motion_text(e, c.greatest.mechanism);
    }
    return text;
}

std::string check_text(const explore::Exploration& e) {
    if (e.samples.stay == 0) return "";
    if (e.impossible() > 0) return fmt::format("\nCHECK FAILED: {} samples rest where equilibrium is proved impossible\n", e.impossible());
    if (e.outside() > 0) return fmt::format("\nCHECK FAILED: {} sampled values lie outside the exact bounds\n", e.outside());
    return e.quantities.empty() ? "" : "\ncheck: every sample at rest lies inside the exact bounds\n";
}

nlohmann::json to_json(const explore::BoundFound& b) {
    return {{"kind", record::to_string(b.kind)},
            {"value", b.kind == BoundKind::attained ? nlohmann::json(b.value) : nlohmann::json()},
            {"residual", b.certificate.residual}};
}

nlohmann::json to_json(const explore::LimitFound& l) {
    return {{"kind", record::to_string(l.kind)},
            {"multiplier", l.kind == BoundKind::attained ? nlohmann::json(l.multiplier) : nlohmann::json()},
            {"residual", l.certificate.residual}};
}

nlohmann::json number(double value) { return std::isfinite(value) ? nlohmann::json(value) : nlohmann::json(); }

}  // namespace

std::string to_text(const explore::Exploration& e) {
    std::string text = fmt::format("{} contacts that may carry a force, {} bodies\n", e.contacts.size(), e.bodies.size());
    return text + existence_text(e) + samples_text(e) + quantities_text(e) + collapses_text(e) + check_text(e);
}

nlohmann::json to_json(const explore::Exploration& e) {
    auto quantities = nlohmann::json::array();
    for (const auto& q : e.quantities)
        quantities.push_back({{"name", q.name}, {"least", to_json(q.least)}, {"greatest", to_json(q.greatest)},
                              {"sample_least", number(q.sample_least)}, {"sample_greatest", number(q.sample_greatest)},
                              {"carried", e.found_rests ? nlohmann::json(q.found) : nlohmann::json()}, {"outside", q.outside}});
    auto collapses = nlohmann::json::array();
    for (const auto& c : e.collapses)
        collapses.push_back({{"load", c.name}, {"unit", c.unit}, {"least", to_json(c.least)}, {"greatest", to_json(c.greatest)}});
    const auto& s = e.samples;
    return {{"contacts", e.contacts.size()},
            {"bodies", e.bodies.size()},
            {"equilibrium", e.existence},
            {"residual", e.certificate.residual},
            {"untouched", e.untouched},
            {"unit", e.unit},
            {"quantities", quantities},
            {"collapse", collapses},
            {"samples", {{"count", s.size()}, {"seed", s.settings.seed}, {"stay", s.stay}, {"move", s.move},
                         {"unsolved", s.unsolved}, {"fixed_points", s.fixed_points}}},
            {"outside", e.outside()},
            {"consistent", e.is_consistent()}};
}

}  // namespace talus::cli
