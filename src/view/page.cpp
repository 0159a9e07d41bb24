#include "view/page.h"

#include <fmt/format.h>

#include "plot/html.h"
#include "plot/report.h"
#include "plot/svg.h"
#include "record/output_file.h"
#include "view/embed.h"

namespace talus::view {

namespace {

/// JSON that can stand between script tags whatever names it holds.
std::string inert(const nlohmann::json& json) {
    std::string out;
    for (const char c : json.dump(-1, ' ', true, nlohmann::json::error_handler_t::replace)) {
        if (c == '<') out += "\\u003c";
        else if (c == '>') out += "\\u003e";
        else if (c == '&') out += "\\u0026";
        else out += c;
    }
    return out;
}

std::string data_block(const std::string& id, const char* type, const std::string& text) {
    return fmt::format("<script type=\"{}\" id=\"{}\">{}</script>\n", type, id, text);
}

std::string head(const std::string& title, const char* connect) {
    const Assets a = assets();
    return fmt::format(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; script-src 'sha256-{}'; style-src 'unsafe-inline'; "
        "img-src data: blob:; media-src blob:; connect-src {}; base-uri 'none'; form-action 'none'\">\n"
        "<meta name=\"viewport\" content=\"width=device-width,initial-scale=1,viewport-fit=cover\">\n<meta name=\"referrer\" content=\"no-referrer\">\n"
        "<link rel=\"icon\" href=\"data:,\">\n<title>{}</title>\n<style>{}\n{}</style>\n</head>\n<body>\n",
        a.script_hash, connect, plot::escape(title), plot::page_style(), std::string(a.style, a.style_size));
}

std::string foot() {
    const Assets a = assets();
    return "<script>" + std::string(a.script, a.script_size) + "</script>\n</body>\n</html>\n";
}

std::string body(const plot::ReportPage& report) {
    return fmt::format("<header class=\"top\"><h1>{}</h1><p class=\"sub\">{}</p></header>\n<section id=\"talus-viewer\" aria-label=\"Viewer\">"
                       "<noscript>The viewer needs JavaScript; the report below does not.</noscript></section>\n<main id=\"talus-report\">\n{}</main>\n",
                       plot::escape(report.title), plot::escape(report.subtitle), report.content);
}

}  // namespace

std::string write_page(const std::string& run_file, const std::string& html_file, const PageOptions& options) {
    const Album album(run_file);
    const plot::ReportPage report = options.around != nullptr ? *options.around : plot::read_report(run_file);
    const std::string geometry = to_base64(deflate(album.geometry()));
    nlohmann::json meta = album.meta();
    const std::size_t spent = inert(meta).size() + geometry.size() + report.content.size() + assets().script_size + assets().style_size + 100 * album.size();
    const std::size_t least = 64u << 10;   // a page of the last frame alone is better than none
    Embedded embedded = embed_frames(album, options.bytes > spent + least ? options.bytes - spent : least);
    meta["kept"] = embedded.frames;
    meta["notes"] = embedded.notes;
    meta["lean"] = embedded.thinning.lean;
    if (embedded.thinning.lean) meta["has_sums"] = false;
    record::OutputFile file(html_file);
    file.write(head(report.title, "'none'"));
    file.write(body(report));
    file.write(data_block("talus-meta", "application/json", inert(meta)));
    file.write(data_block("talus-geometry", "text/plain", geometry));
    for (std::size_t k = 0; k < embedded.blocks.size(); ++k) file.write(data_block(fmt::format("talus-block-{}", k), "text/plain", embedded.blocks[k]));
    file.write(foot());
    file.close();
    return fmt::format("{}", fmt::join(embedded.notes, " "));
}

void write_report(const std::string& run_file, const std::string& html_file) {
    if (has_viewer()) {
        write_page(run_file, html_file, {.bytes = kReportBytes});
        return;
    }
    plot::ReportPage report = plot::read_report(run_file);
    report.content += fmt::format("<p>The run cannot be looked at here: {}. Its talus view shows this run file.</p>\n", kNoViewer);
    record::OutputFile file(html_file);
    file.write(plot::whole_page(report.title, report.subtitle, report.content));
    file.close();
}

std::string served_page(const std::string& title) {
    return head(title, "'self'") + body({title, "", ""}) + data_block("talus-served", "application/json", "{}") + foot();
}

}  // namespace talus::view
