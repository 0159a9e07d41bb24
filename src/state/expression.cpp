#include "state/expression.h"

#include <muParser.h>

#include <cmath>
#include <numbers>
#include <utility>

#include "math/portable.h"
#include "talus/error.h"

namespace talus {

namespace {

/// muParser's own functions are those of the C library, whose last bit depends on the processor.
void use_portable_functions(mu::Parser& parser) {
    const std::pair<const char*, double (*)(double)> functions[] = {
        {"sin", portable::sin},     {"cos", portable::cos},     {"tan", portable::tan},     {"asin", portable::asin},   {"acos", portable::acos},
        {"atan", portable::atan},   {"sinh", portable::sinh},   {"cosh", portable::cosh},   {"tanh", portable::tanh},   {"asinh", portable::asinh},
        {"acosh", portable::acosh}, {"atanh", portable::atanh}, {"exp", portable::exp},     {"ln", portable::log},      {"log", portable::log},
        {"log2", portable::log2},   {"log10", portable::log10}};
    for (const auto& [name, function] : functions) parser.DefineFun(name, function);
    parser.DefineFun("atan2", portable::atan2);
    parser.ClearConst();   // muParser 2.3 knows pi to 13 digits
    parser.DefineConst("_pi", std::numbers::pi);
    parser.DefineConst("_e", std::numbers::e);
}

/// The power among muParser's operators is the C library's too, and they come all together or not at all: these are the same, of the same priorities.
void use_portable_operators(mu::Parser& parser) {
    parser.EnableBuiltInOprt(false);
    const auto define = [&](const char* name, double (*f)(double, double), unsigned priority) { parser.DefineOprt(name, f, priority, mu::oaLEFT, true); };
    define("||", [](double a, double b) { return static_cast<double>(a != 0.0 || b != 0.0); }, mu::prLOR);
    define("&&", [](double a, double b) { return static_cast<double>(a != 0.0 && b != 0.0); }, mu::prLAND);
    define("<=", [](double a, double b) { return static_cast<double>(a <= b); }, mu::prCMP);
    define(">=", [](double a, double b) { return static_cast<double>(a >= b); }, mu::prCMP);
    define("!=", [](double a, double b) { return static_cast<double>(a != b); }, mu::prCMP);
    define("==", [](double a, double b) { return static_cast<double>(a == b); }, mu::prCMP);
    define("<", [](double a, double b) { return static_cast<double>(a < b); }, mu::prCMP);
    define(">", [](double a, double b) { return static_cast<double>(a > b); }, mu::prCMP);
    define("+", [](double a, double b) { return a + b; }, mu::prADD_SUB);
    define("-", [](double a, double b) { return a - b; }, mu::prADD_SUB);
    define("*", [](double a, double b) { return a * b; }, mu::prMUL_DIV);
    define("/", [](double a, double b) { return a / b; }, mu::prMUL_DIV);
    parser.DefineOprt("^", portable::pow, mu::prPOW, mu::oaRIGHT, true);
}

}  // namespace

struct Formula::Impl {
    std::string text;
    std::vector<double> slots;
    mu::Parser parser;
};

Formula::Formula(const std::string& text, const std::vector<std::string>& variables) : impl_(std::make_unique<Impl>()) {
    impl_->text = text;
    impl_->slots.assign(variables.size(), 0.0);
    try {
        use_portable_functions(impl_->parser);
        use_portable_operators(impl_->parser);
        for (std::size_t k = 0; k < variables.size(); ++k) impl_->parser.DefineVar(variables[k], &impl_->slots[k]);
        impl_->parser.SetExpr(text);
        (void)impl_->parser.Eval();
    } catch (const mu::Parser::exception_type& e) {
        std::string known;
        for (const auto& name : variables) known += (known.empty() ? "" : ", ") + name;
        throw InputError("expression '" + text + "': " + e.GetMsg() + " (the variables are " + known + ")");
    }
}

Formula::~Formula() = default;
Formula::Formula(Formula&&) noexcept = default;
Formula& Formula::operator=(Formula&&) noexcept = default;

double Formula::value(std::span<const double> variables) const {
    for (std::size_t k = 0; k < impl_->slots.size(); ++k) impl_->slots[k] = variables[k];
    double v = 0.0;
    try {
        v = impl_->parser.Eval();
    } catch (const mu::Parser::exception_type& e) {
        throw InputError("expression '" + impl_->text + "': " + e.GetMsg());
    }
    if (std::isfinite(v)) return v;
    std::string at;
    for (const double x : variables) at += (at.empty() ? "" : ", ") + std::to_string(x);
    throw InputError("expression '" + impl_->text + "' is not finite at (" + at + ")");
}

}  // namespace talus
