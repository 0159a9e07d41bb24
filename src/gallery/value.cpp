#include "gallery/value.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <limits>
#include <optional>

#include "gallery/list_functions.h"
#include "scene/diagnostics.h"
#include "state/expression.h"
#include "talus/error.h"

namespace talus::gallery {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

bool starts_name(char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0 || c == '_'; }
bool continues_name(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '.'; }
bool is_list_function(const std::string& word) {
    const auto& all = list_functions();
    return std::any_of(all.begin(), all.end(), [&](const ListFunction& f) { return word == f.name; });
}

std::string trimmed(const std::string& text) {
    const auto begin = text.find_first_not_of(" \t\n");
    if (begin == std::string::npos) return {};
    return text.substr(begin, text.find_last_not_of(" \t\n") - begin + 1);
}

/// Reads words, numbers and the rest of a formula one after the other.
class Scanner {
public:
    explicit Scanner(const std::string& text) : text_(text) {}
    [[nodiscard]] bool at_end() const { return at_ >= text_.size(); }

    /// A name at this place, or empty.
    std::string name() {
        if (at_end() || !starts_name(text_[at_])) return {};
        return take(continues_name);
    }
    /// A number (with its exponent, whose sign is no operator) or one other character.
    std::string other() {
        if (std::isdigit(static_cast<unsigned char>(text_[at_])) == 0 && text_[at_] != '.') return text_.substr(at_++, 1);
        std::string number = take([](char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0 || c == '.'; });
        if (at_ < text_.size() && (text_[at_] == 'e' || text_[at_] == 'E')) {
            number += text_[at_++];
            if (at_ < text_.size() && (text_[at_] == '+' || text_[at_] == '-')) number += text_[at_++];
            number += take([](char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; });
        }
        return number;
    }
    /// Everything up to the next blank, blanks before it left out.
    std::string bare_word() {
        (void)take([](char c) { return c == ' '; });
        return take([](char c) { return c != ' '; });
    }
    /// What stands between the parentheses that open here, and goes behind them; nothing when none opens.
    std::optional<std::string> parenthesis() {
        std::size_t open = text_.find_first_not_of(' ', at_);
        if (open == std::string::npos || text_[open] != '(') return {};
        int depth = 0;
        for (std::size_t k = open; k < text_.size(); ++k) {
            if (text_[k] == '(') ++depth;
            if (text_[k] == ')' && --depth == 0) {
                at_ = k + 1;
                return text_.substr(open + 1, k - open - 1);
            }
        }
        throw InputError("'" + text_ + "': a parenthesis is not closed");
    }

private:
    template <typename Test>
    std::string take(Test test) {
        const std::size_t begin = at_;
        while (at_ < text_.size() && test(text_[at_])) ++at_;
        return text_.substr(begin, at_ - begin);
    }
    const std::string& text_;
    std::size_t at_ = 0;
};

std::vector<std::string> split_arguments(const std::string& text) {
    std::vector<std::string> parts{""};
    int depth = 0;
    for (const char c : text) {
        depth += c == '(' ? 1 : c == ')' ? -1 : 0;
        if (c == ',' && depth == 0) {
            parts.emplace_back();
        } else {
            parts.back() += c;
        }
    }
    for (auto& part : parts) part = trimmed(part);
    return parts;
}

/// `main.wall.force from 0.1 to 0.2 below 0`.
struct SeriesWords {
    std::string path;
    Window window;
    double above = -kInfinity, below = kInfinity;
};

/// The series that an argument names; nothing when it is a formula.
std::optional<SeriesWords> read_series_words(const std::string& argument) {
    Scanner scan(argument);
    SeriesWords words;
    words.path = scan.name();
    if (words.path.find('.') == std::string::npos) return {};
    while (!scan.at_end()) {
        std::string clause;
        while (!scan.at_end() && (clause = scan.name()).empty())
            if (scan.other() != " ") return {};
        double* target = clause == "from" ? &words.window.from : clause == "to" ? &words.window.to
                         : clause == "above" ? &words.above : clause == "below" ? &words.below : nullptr;
        if (target == nullptr) {
            if (clause.empty()) break;
            throw InputError("'" + argument + "': '" + clause + "' is no clause; write from, to, above or below");
        }
        *target = Formula(scan.bare_word(), {}).value({});
    }
    return words;
}

}  // namespace

/// A call of a list function: of a series, of two, or of several formulas.
struct Call {
    std::string function;
    std::vector<SeriesWords> series;
    std::vector<ValueFormula> formulas;
};

struct ValueFormula::Impl {
    std::string text;
    std::vector<std::string> names;   ///< paths and named values, the first variables
    std::vector<Call> calls;          ///< the variables after them
    std::optional<Formula> formula;
};

namespace {

Call read_call(const std::string& function, const std::string& inside, const std::vector<std::string>& known) {
    Call call{function, {}, {}};
    const auto arguments = split_arguments(inside);
    const std::size_t wanted = function == "largest_difference" ? 2 : 1;
    const bool lists_formulas = arguments.size() > wanted;
    for (const auto& argument : arguments) {
        auto words = lists_formulas ? std::nullopt : read_series_words(argument);
        if (!words && !lists_formulas)
            throw InputError("'" + function + "(" + inside + ")': '" + argument + "' is no list; write a result such as main.energy.kinetic, "
                             "or several formulas");
        if (words) call.series.push_back(std::move(*words));
        else call.formulas.emplace_back(argument, known);
    }
    if (call.series.size() != wanted && call.formulas.empty())
        throw InputError("'" + function + "' takes " + std::to_string(wanted) + " series");
    return call;
}

Series in_window(const Series& all, const Window& window) {
    Series kept;
    for (std::size_t k = 0; k < all.values.size(); ++k) {
        if (!window.contains(all.at[k])) continue;
        kept.at.push_back(all.at[k]);
        kept.values.push_back(all.values[k]);
    }
    return kept;
}

double evaluate(const Call& call, const Results& results) {
    if (!call.formulas.empty()) {
        Series list;
        for (const auto& formula : call.formulas) {
            list.at.push_back(static_cast<double>(list.at.size()));
            list.values.push_back(formula.value(results));
        }
        return apply_list_function(call.function, list, -kInfinity, kInfinity);
    }
    const SeriesWords& words = call.series.front();
    const Series first = in_window(results.series(words.path), words.window);
    if (call.series.size() == 2) return largest_difference(first, in_window(results.series(call.series[1].path), call.series[1].window));
    return apply_list_function(call.function, first, words.above, words.below);
}

std::string path_variable(std::size_t k) { return "result_" + std::to_string(k); }
std::string call_variable(std::size_t k) { return "list_" + std::to_string(k); }

}  // namespace

ValueFormula::ValueFormula() = default;
ValueFormula::~ValueFormula() = default;
ValueFormula::ValueFormula(ValueFormula&&) noexcept = default;
ValueFormula& ValueFormula::operator=(ValueFormula&&) noexcept = default;

ValueFormula::ValueFormula(const std::string& text, const std::vector<std::string>& known) : impl_(std::make_unique<Impl>()) {
    impl_->text = text;
    std::string plain;
    for (Scanner scan(text); !scan.at_end();) {
        const std::string word = scan.name();
        const bool is_path = word.find('.') != std::string::npos || std::find(known.begin(), known.end(), word) != known.end();
        if (word.empty()) {
            plain += scan.other();
        } else if (is_list_function(word)) {
            const auto inside = scan.parenthesis();
            if (!inside) throw InputError("'" + text + "': '" + word + "' takes a list in parentheses");
            plain += call_variable(impl_->calls.size());
            impl_->calls.push_back(read_call(word, *inside, known));
        } else if (is_path) {
            plain += path_variable(impl_->names.size());
            impl_->names.push_back(word);
        } else {
            plain += word;
        }
    }
    std::vector<std::string> variables;
    for (std::size_t k = 0; k < impl_->names.size(); ++k) variables.push_back(path_variable(k));
    for (std::size_t k = 0; k < impl_->calls.size(); ++k) variables.push_back(call_variable(k));
    try {
        impl_->formula.emplace(plain, variables);
    } catch (const InputError& e) {  // in the words of the text, not of its variables
        const std::string message = e.what();
        const auto begin = message.find("': ");
        throw InputError("'" + text + "' is no formula: " + message.substr(begin + 3, message.find(" (the variables") - begin - 3));
    }
}

double ValueFormula::value(const Results& results) const {
    std::vector<double> numbers;
    for (const auto& name : impl_->names) numbers.push_back(results.number(name));
    for (const auto& call : impl_->calls) numbers.push_back(evaluate(call, results));
    if (std::any_of(numbers.begin(), numbers.end(), [](double x) { return !std::isfinite(x); })) return std::nan("");
    try {
        return impl_->formula->value(numbers);
    } catch (const InputError&) {  // not finite: a quotient by zero
        return std::nan("");
    }
}

std::vector<std::string> ValueFormula::paths() const {
    std::vector<std::string> all = impl_->names;
    for (const auto& call : impl_->calls) {
        for (const auto& words : call.series) all.push_back(words.path);
        for (const auto& formula : call.formulas)
            for (auto& path : formula.paths()) all.push_back(path);
    }
    return all;
}

const std::string& ValueFormula::text() const { return impl_->text; }

}  // namespace talus::gallery
