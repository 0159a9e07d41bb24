#pragma once
/// \file
/// Formulas over the results of runs: `main.rings.centre_over_max`, `mean(main.nut.height from 15 to 20) / H`.
///
/// Problem: a claim of a paper is a number made of results of one or several runs: of their ends, of their frames, of
/// tables. Method: names of results and calls of list functions are taken out of the text and become variables of an
/// ordinary formula (muParser). Limits: names of runs and labels that hold `-` cannot be used, since that is a minus.
///
/// A result that a run could not give (`null`) makes the value NaN, which no check accepts.

#include <limits>
#include <memory>
#include <string>
#include <vector>

namespace talus::gallery {

/// Part of a list, by time or by the first column of a table.
struct Window {
    double from = -std::numeric_limits<double>::infinity(), to = std::numeric_limits<double>::infinity();
    [[nodiscard]] bool contains(double x) const { return x >= from && x <= to; }
};

/// Values with the times (or other abscissae) they belong to.
struct Series {
    std::vector<double> at, values;
};

/// Where names get their numbers from.
class Results {
public:
    virtual ~Results() = default;
    /// One number, NaN where the run could not give it. \throws InputError when there is no such result.
    [[nodiscard]] virtual double number(const std::string& path) const = 0;
    /// The values at the frames, at the steps, or of a column. \throws InputError when there is no such result.
    [[nodiscard]] virtual Series series(const std::string& path) const = 0;
};

class ValueFormula {
public:
    ValueFormula();
    /// `known` are the names of values defined before. \throws InputError on what cannot be read.
    ValueFormula(const std::string& text, const std::vector<std::string>& known);
    ~ValueFormula();
    ValueFormula(ValueFormula&&) noexcept;
    ValueFormula& operator=(ValueFormula&&) noexcept;

    /// \throws InputError when a name stands for nothing. NaN when a result is missing or the formula is not finite.
    [[nodiscard]] double value(const Results& results) const;
    /// Paths of results that it uses, for checks before anything runs.
    [[nodiscard]] std::vector<std::string> paths() const;
    [[nodiscard]] const std::string& text() const;

private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

/// Functions that take a list, with what they give; for messages and the page.
struct ListFunction {
    const char* name;
    const char* gives;
};
[[nodiscard]] const std::vector<ListFunction>& list_functions();

}  // namespace talus::gallery
