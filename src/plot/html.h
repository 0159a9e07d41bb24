#pragma once
/// \file
/// A static page: no scripts, nothing loaded from elsewhere, dark or light as the reader's system is,
/// fit to print. All text given here is escaped; figures are SVG and go in as they are.

#include <string>
#include <utility>
#include <vector>

#include "observe/result.h"

namespace talus::plot {

/// Rows of name and value.
using Facts = std::vector<std::pair<std::string, std::string>>;

class Page {
public:
    Page(const std::string& title, const std::string& subtitle);

    void heading(const std::string& text);
    void paragraph(const std::string& text);
    void facts(const std::string& caption, const Facts& rows);
    /// A table of words; on a narrow screen the first column has lines of its own.
    void words(const std::string& caption, const std::vector<std::string>& heads, const std::vector<std::vector<std::string>>& rows);
    /// The scalars of a measurement as a card.
    void result(const observe::Result& result);
    /// Cards between these stand beside each other where there is room.
    void begin_cards();
    void end_cards();
    /// Figures between `true` and `false` stand beside each other where there is room.
    void figure_grid(bool begin);
    /// A table of a measurement, folded.
    void table(const std::string& caption, const observe::Table& table);
    void figure(const std::string& svg, const std::string& caption);
    /// Preformatted text, folded.
    void folded_text(const std::string& summary, const std::string& text);

    [[nodiscard]] const std::string& title() const { return title_; }
    [[nodiscard]] const std::string& subtitle() const { return subtitle_; }
    /// What was added, without the page around it.
    [[nodiscard]] const std::string& content() const { return body_; }

private:
    std::string title_, subtitle_, body_;
};

/// The style of pages: colours by the names `--paper --card --ink --soft --line --accent`, dark or light as the reader's
/// system is, or as `data-theme` of the root element says.
[[nodiscard]] const char* page_style();

/// A page around content: head, title, style.
[[nodiscard]] std::string whole_page(const std::string& title, const std::string& subtitle, const std::string& content);

}  // namespace talus::plot
