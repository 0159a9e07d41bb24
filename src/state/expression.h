#pragma once
/// \file
/// A formula in named variables, evaluated by muParser. `_pi` and `_e` are known.

#include <memory>
#include <span>
#include <string>
#include <vector>

namespace talus {

class Formula {
public:
    /// \throws InputError saying where in the text and which token is wrong.
    Formula(const std::string& text, const std::vector<std::string>& variables);
    ~Formula();
    Formula(Formula&&) noexcept;
    Formula& operator=(Formula&&) noexcept;
    /// Value with the variables in the order of construction. \throws InputError when it is not finite.
    [[nodiscard]] double value(std::span<const double> variables) const;

private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace talus
