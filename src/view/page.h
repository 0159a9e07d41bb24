#pragma once
/// \file
/// One page: the viewer, and below it the report with its figures, tables and accounts. It stands alone (frames inside,
/// opens from disk, asks nothing of any network), or gets its frames from the server that sent it.
///
/// Names in a run file are not trusted: text is escaped, data stand in blocks that no browser executes, and the page's own
/// policy allows one script, the viewer, by its checksum.

#include <cstddef>
#include <string>

#include "plot/report.h"

namespace talus::view {

/// The viewer that was built into this program; empty in a build without it (TALUS_VIEWER=OFF).
struct Assets {
    const char* script = "";
    const char* style = "";
    const char* script_hash = "";   ///< base64 of SHA-256, for the policy
    std::size_t script_size = 0, style_size = 0;
};
[[nodiscard]] Assets assets();
[[nodiscard]] inline bool has_viewer() { return assets().script_size > 0; }
/// How to come by the viewer, for readers of a build without it.
inline constexpr const char* kNoViewer = "this talus was built without the viewer (TALUS_VIEWER=OFF); build it with -DTALUS_VIEWER=ON, which needs Node 18 and npm";

/// Sizes of pages [bytes]. A report is to be mailed.
inline constexpr std::size_t kPageBytes = 38u << 20, kReportBytes = 12u << 20;

struct PageOptions {
    std::size_t bytes = kPageBytes;                 ///< of the whole page, at most
    const plot::ReportPage* around = nullptr;       ///< title and text around the viewer; none: the report of the run
};

/// Writes a page that stands alone; returns what was left out and rounded, in words.
/// \throws IoError when the run cannot be read or the page cannot be written.
std::string write_page(const std::string& run_file, const std::string& html_file, const PageOptions& options = {});

/// The page at the end of a run: `write_page`, or the report without viewer in a build that has none.
void write_report(const std::string& run_file, const std::string& html_file);

/// The page that a server sends: it fetches `meta`, `geometry`, `frame/K` and `report` from beside itself.
[[nodiscard]] std::string served_page(const std::string& title);

}  // namespace talus::view
