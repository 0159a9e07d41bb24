// A verdict for people: a table on a terminal, a page.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <sstream>

#include "gallery/judge.h"
#include "observe/result.h"
#include "plot/html.h"
#include "scene/document.h"

namespace talus::gallery {
namespace {

/// Characters, not bytes: continuation bytes of UTF-8 take no room.
std::size_t length(const std::string& text) {
    return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; }));
}

std::string padded(const std::string& text, std::size_t width) {
    return text + std::string(width > length(text) ? width - length(text) : 0, ' ');
}

/// Lines of at most `width` characters, broken at blanks.
std::vector<std::string> wrapped(const std::string& text, std::size_t width) {
    std::vector<std::string> lines{""};
    std::istringstream words(text);
    for (std::string word; words >> word;) {
        if (!lines.back().empty() && length(lines.back()) + 1 + length(word) > width) lines.emplace_back();
        lines.back() += (lines.back().empty() ? "" : " ") + word;
    }
    return lines;
}

std::string measured_text(const Judged& check) {
    std::string text = observe::format_number(check.mean, 4);
    if (check.values.size() > 1) text += " ± " + observe::format_number(check.deviation, 2);
    return text + (check.unit.empty() ? "" : " " + check.unit);
}

std::string answer(const Judged& check) {
    if (check.pass) return check.gate ? "yes" : "yes (reported)";
    return check.gate ? "NO" : "no (reported)";
}

std::string subtitle(const Verdict& v) {
    return fmt::format("{}, {} · scale {}{}{} · {} · talus {}", v.paper, v.where, to_string(v.scale), v.size.empty() ? "" : ": " + v.size,
                       v.seeds.size() > 1 ? fmt::format(", {} seeds", v.seeds.size()) : std::string(), v.circumstances.date, v.circumstances.version);
}

}  // namespace

std::string to_text(const Verdict& verdict, std::size_t width) {
    std::size_t measured = 8, accepted = 8;
    for (const auto& check : verdict.checks) {
        measured = std::max(measured, length(measured_text(check)));
        accepted = std::max(accepted, length(to_text(check.expected)));
    }
    const std::size_t claim = std::max<std::size_t>(30, width > measured + accepted + 22 ? width - measured - accepted - 22 : 0);
    std::string text = fmt::format("{}  {}  [{}]\n{}\n\n", verdict.experiment, to_string(verdict.scale), verdict.size, verdict.shows);
    text += "  " + padded("claim", claim) + "  " + padded("measured", measured) + "  " + padded("accepted", accepted) + "\n";
    for (const auto& check : verdict.checks) {
        const auto lines = wrapped(check.claim, claim);
        text += "  " + padded(lines.front(), claim) + "  " + padded(measured_text(check), measured) + "  " +
                padded(to_text(check.expected), accepted) + "  " + answer(check) + "\n";
        for (std::size_t k = 1; k < lines.size(); ++k) text += "  " + lines[k] + "\n";
    }
    const auto failed = std::count_if(verdict.checks.begin(), verdict.checks.end(), [](const Judged& c) { return !c.pass && c.gate; });
    text += failed == 0 ? fmt::format("\nall {} checks hold", std::count_if(verdict.checks.begin(), verdict.checks.end(), [](const Judged& c) { return c.gate; }))
                        : fmt::format("\n{} of {} checks FAILED", failed, verdict.checks.size());
    return text + fmt::format("; {:.1f} s\n", verdict.circumstances.seconds);
}

plot::ReportPage to_page(const Verdict& verdict, const std::string& folder) {
    plot::Page page(verdict.experiment, subtitle(verdict));
    page.paragraph(verdict.shows);
    std::vector<std::vector<std::string>> rows;
    for (const auto& check : verdict.checks) rows.push_back({check.claim, measured_text(check), to_text(check.expected), answer(check)});
    page.words("Claims", {"claim", "measured", "accepted", "holds"}, rows);
    if (!verdict.figures.empty()) page.heading("Figures");
    for (const auto& [file, caption] : verdict.figures) page.figure(scene::file_text(folder + "/" + file), caption);
    page.heading("Runs");
    page.begin_cards();
    for (const auto& run : verdict.runs) {
        plot::Facts facts;
        for (const auto& [key, value] : run.items())
            if (key != "name" && value.is_primitive()) facts.emplace_back(observe::humanize(key), value.is_number_float() ? observe::format_number(value.get<double>(), 4) : value.is_string() ? value.get<std::string>() : value.dump());
        page.facts(run.value("name", ""), facts);
    }
    page.end_cards();
    page.paragraph(fmt::format("{} on {}.", verdict.circumstances.date, verdict.circumstances.machine));
    return {page.title(), page.subtitle(), page.content()};
}

}  // namespace talus::gallery
