#include "state/expression.h"

#include <muParser.h>

#include <cmath>

#include "math/portable.h"
#include "talus/error.h"

namespace talus {

namespace {

/// muParser's own functions are those of the C library, whose last bit depends on the processor. The
/// power operator `^` is built in and keeps the library's version.
void use_portable_functions(mu::Parser& parser) {
    parser.DefineFun("sin", portable::sin);
    parser.DefineFun("cos", portable::cos);
    parser.DefineFun("tan", portable::tan);
    parser.DefineFun("asin", portable::asin);
    parser.DefineFun("acos", portable::acos);
    parser.DefineFun("atan", portable::atan);
    parser.DefineFun("atan2", portable::atan2);
    parser.DefineFun("sinh", portable::sinh);
    parser.DefineFun("cosh", portable::cosh);
    parser.DefineFun("tanh", portable::tanh);
    parser.DefineFun("exp", portable::exp);
    parser.DefineFun("ln", portable::log);
    parser.DefineFun("log", portable::log);
    parser.DefineFun("log2", portable::log2);
    parser.DefineFun("log10", portable::log10);
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
