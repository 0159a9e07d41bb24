#include "state/expression.h"

#include <muParser.h>

#include <cmath>

#include "talus/error.h"

namespace talus {

struct Formula::Impl {
    std::string text;
    std::vector<double> slots;
    mu::Parser parser;
};

Formula::Formula(const std::string& text, const std::vector<std::string>& variables) : impl_(std::make_unique<Impl>()) {
    impl_->text = text;
    impl_->slots.assign(variables.size(), 0.0);
    try {
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
