#include "plot/html.h"

#include <algorithm>
#include <cstdio>

#include <fmt/format.h>

#include "plot/svg.h"

namespace talus::plot {

namespace {

constexpr const char* style = R"(
:root{color-scheme:light;--paper:#faf9f6;--card:#fff;--ink:#1b2024;--soft:#5b656d;--line:#dedbd5;--accent:#0072b2}
@media (prefers-color-scheme:dark){:root:not([data-theme=light]){color-scheme:dark;--paper:#14171a;--card:#1c2024;--ink:#e7e5e0;--soft:#9aa4ac;--line:#31373d;--accent:#56b4e9}}
:root[data-theme=dark]{color-scheme:dark;--paper:#14171a;--card:#1c2024;--ink:#e7e5e0;--soft:#9aa4ac;--line:#31373d;--accent:#56b4e9}
*{box-sizing:border-box}
body{margin:0;background:var(--paper);color:var(--ink);font:16px/1.5 'Source Sans 3','Helvetica Neue',Arial,'DejaVu Sans',sans-serif}
main{max-width:1240px;margin:0 auto;padding:.6rem 1.4rem 4rem}
header.top{max-width:1240px;margin:0 auto;padding:1.6rem 1.4rem 1rem}
h1{font-size:1.7rem;line-height:1.2;margin:0;font-weight:650;letter-spacing:-.01em}
h2{font-size:1.25rem;margin:2.4rem 0 .9rem}
h3{font-size:1rem;margin:0 0 .5rem}
p{max-width:46rem}
.sub{color:var(--soft);margin:.35rem 0 0}
.cards{columns:20rem 3;column-gap:1rem}
.cards .card{break-inside:avoid;margin-bottom:1rem}
.card,figure,details{background:var(--card);border:1px solid var(--line);border-radius:8px;padding:.9rem 1rem;margin:0}
table{border-collapse:collapse;width:100%;font-variant-numeric:tabular-nums}
td,th{padding:.22rem .4rem;text-align:left;vertical-align:top;font-weight:400}
tr+tr td,tr+tr th,tbody tr:first-child td{border-top:1px solid var(--line)}
.n{text-align:right;white-space:nowrap}
td.u,thead th{color:var(--soft);white-space:nowrap}
td.k{color:var(--soft)}
.figures{columns:30rem 2;column-gap:1rem}
.figures figure{break-inside:avoid;margin-bottom:1rem}
figure.wide{column-span:all}
figure.wide svg{width:1000px}
figure svg{max-width:100%;height:auto;display:block;margin:0 auto;color:var(--ink)}
figure svg .paper{fill:none}
@media (prefers-color-scheme:dark){:root:not([data-theme=light]) main figure svg{color:#1b2024;background:#f3f1ec;border-radius:5px}}
:root[data-theme=dark] main figure svg{color:#1b2024;background:#f3f1ec;border-radius:5px}
figcaption{color:var(--soft);font-size:.92rem;margin-top:.5rem}
details{margin-top:1rem}
summary{cursor:pointer;font-weight:600}
pre{overflow:auto;font:13px/1.45 'DejaVu Sans Mono',Menlo,Consolas,monospace;margin:.8rem 0 0}
.wrap{overflow-wrap:anywhere}
.words td:first-child{color:var(--soft);width:60%}
@media (max-width:620px){.words thead{display:none}.words tr{display:grid;grid-template-columns:1fr 1.7fr auto;padding:.3rem 0}.words td:first-child{grid-column:1/-1;width:auto}
.words tr+tr td{border:0}.words tr+tr{border-top:1px solid var(--line)}}
@media print{:root{--paper:#fff;--card:#fff;--ink:#000;--soft:#444;--line:#bbb}body{font-size:11pt}main{max-width:none;padding:0}
figure,.card,tr{break-inside:avoid}h2{break-after:avoid}}
)";

/// Short values stay on one line and line up; where one is long, all may break anywhere.
const char* class_of(const Facts& rows) {
    const bool any_long = std::any_of(rows.begin(), rows.end(), [](const auto& row) { return row.second.size() > 20; });
    return any_long ? "wrap" : "n";
}

std::string heading_of(const observe::Column& column) {
    return escape(observe::humanize(column.name)) + (column.unit.empty() ? "" : " [" + escape(column.unit) + "]");
}

/// Twice as wide as high or more: such a figure wants the whole width of the page.
bool is_flat(const std::string& svg) {
    double width = 0.0, height = 0.0;
    const auto at = svg.find("viewBox=");
    return at != std::string::npos && std::sscanf(svg.c_str() + at, "viewBox=\"0 0 %lf %lf\"", &width, &height) == 2 && width >= 2.2 * height;
}

}  // namespace

Page::Page(const std::string& title, const std::string& subtitle)
    : title_(title), subtitle_(subtitle) {}

void Page::heading(const std::string& text) { body_ += "<h2>" + escape(text) + "</h2>\n"; }

void Page::paragraph(const std::string& text) { body_ += "<p>" + escape(text) + "</p>\n"; }

void Page::facts(const std::string& caption, const Facts& rows) {
    body_ += "<div class=\"card\">";
    if (!caption.empty()) body_ += "<h3>" + escape(caption) + "</h3>";
    body_ += "<table>";
    for (const auto& [name, value] : rows)
        body_ += fmt::format("<tr><td class=\"k\">{}</td><td class=\"{}\">{}</td></tr>", escape(name), class_of(rows), escape(value));
    body_ += "</table></div>\n";
}

void Page::words(const std::string& caption, const std::vector<std::string>& heads, const std::vector<std::vector<std::string>>& rows) {
    const auto row_of = [](const std::vector<std::string>& cells, const char* element) {
        std::string row = "<tr>";
        for (const std::string& cell : cells) row += fmt::format("<{0}>{1}</{0}>", element, escape(cell));
        return row + "</tr>";
    };
    body_ += "<div class=\"card words\"><h3>" + escape(caption) + "</h3><table><thead>" + row_of(heads, "th") + "</thead><tbody>";
    for (const auto& cells : rows) body_ += row_of(cells, "td");
    body_ += "</tbody></table></div>\n";
}

void Page::result(const observe::Result& result) {
    body_ += "<div class=\"card\"><h3>" + escape(observe::humanize(result.label)) + "</h3><table>";
    for (const auto& scalar : result.scalars)
        body_ += fmt::format("<tr><td class=\"k\">{}</td><td class=\"n\">{}</td><td class=\"u\">{}</td></tr>",
                             escape(observe::humanize(scalar.name)), observe::format_number(scalar.value), escape(scalar.unit));
    body_ += "</table></div>\n";
}

void Page::begin_cards() { body_ += "<div class=\"cards\">\n"; }

void Page::end_cards() { body_ += "</div>\n"; }

void Page::figure_grid(bool begin) { body_ += begin ? "<div class=\"figures\">\n" : "</div>\n"; }

void Page::table(const std::string& caption, const observe::Table& table) {
    body_ += "<details><summary>" + escape(caption) + "</summary><table><thead><tr>";
    for (const auto& column : table.columns) body_ += "<th class=\"n\">" + heading_of(column) + "</th>";
    body_ += "</tr></thead><tbody>";
    for (std::size_t row = 0; row < table.rows(); ++row) {
        body_ += "<tr>";
        for (const auto& column : table.columns) body_ += "<td class=\"n\">" + observe::format_number(column.values[row]) + "</td>";
        body_ += "</tr>";
    }
    body_ += "</tbody></table></details>\n";
}

void Page::figure(const std::string& svg, const std::string& caption) {
    body_ += is_flat(svg) ? "<figure class=\"wide\">" : "<figure>";
    body_ += svg;
    if (!caption.empty()) body_ += "<figcaption>" + escape(caption) + "</figcaption>";
    body_ += "</figure>\n";
}

void Page::folded_text(const std::string& summary, const std::string& text) {
    body_ += fmt::format("<details><summary>{}</summary><pre>{}</pre></details>\n", escape(summary), escape(text));
}

const char* page_style() { return style; }

std::string whole_page(const std::string& title, const std::string& subtitle, const std::string& content) {
    return fmt::format(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">\n"
        "<title>{0}</title>\n<style>{1}</style>\n</head>\n<body>\n<header class=\"top\"><h1>{0}</h1><p class=\"sub\">{2}</p></header>\n<main>\n{3}</main>\n</body>\n</html>\n",
        escape(title), style, escape(subtitle), content);
}

}  // namespace talus::plot
