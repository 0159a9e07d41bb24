#include "talus/time_function.h"

#include <algorithm>
#include <cmath>

#include "state/expression.h"
#include "math/portable.h"
#include "talus/error.h"

namespace talus {
namespace {

/// Functions that know their own integral from 0 offer it here.
class Integrable : public TimeFunction {
public:
    [[nodiscard]] virtual TimeFunctionPtr integral() const = 0;
};

class Polynomial final : public Integrable {
public:
    explicit Polynomial(std::vector<double> c) : c_(std::move(c)) {}
    [[nodiscard]] double value(double t) const override {
        double v = 0.0;
        for (auto c = c_.rbegin(); c != c_.rend(); ++c) v = v * t + *c;
        return v;
    }
    [[nodiscard]] double slope(double t) const override {
        double v = 0.0;
        for (std::size_t k = c_.size() - 1; k > 0; --k) v = v * t + static_cast<double>(k) * c_[k];
        return v;
    }
    [[nodiscard]] TimeFunctionPtr integral() const override {
        std::vector<double> c{0.0};
        for (std::size_t k = 0; k < c_.size(); ++k) c.push_back(c_[k] / static_cast<double>(k + 1));
        return std::make_shared<Polynomial>(c);
    }

private:
    std::vector<double> c_;
};

/// offset + rate t + a sin(w t + phase)
class Sine final : public Integrable {
public:
    Sine(double offset, double rate, double a, double w, double phase)
        : offset_(offset), rate_(rate), a_(a), w_(w), phase_(phase) {}
    [[nodiscard]] double value(double t) const override { return offset_ + rate_ * t + a_ * portable::sin(w_ * t + phase_); }
    [[nodiscard]] double slope(double t) const override { return rate_ + a_ * w_ * portable::cos(w_ * t + phase_); }
    [[nodiscard]] TimeFunctionPtr integral() const override {
        // -cos(x) = sin(x - pi/2). A rate would need a square: such functions integrate by quadrature.
        if (rate_ != 0.0 || w_ == 0.0) return nullptr;
        const double b = a_ / w_;
        return std::make_shared<Sine>(b * portable::cos(phase_), offset_, b, w_, phase_ - M_PI_2);
    }

private:
    double offset_, rate_, a_, w_, phase_;
};

/// Piecewise polynomial of degree up to three between knots, constant slope beyond them: tables,
/// ramps and their integrals.
class Piecewise final : public Integrable {
public:
    /// On [t_k, t_{k+1}] the value is c0 + c1 s + c2 s^2 + c3 s^3, s = t - t_k.
    struct Piece {
        double c0, c1, c2, c3;
    };
    Piecewise(std::vector<double> t, std::vector<Piece> pieces, Piece before, Piece after)
        : t_(std::move(t)), pieces_(std::move(pieces)), before_(before), after_(after) {}

    [[nodiscard]] double value(double t) const override {
        const auto [p, s] = locate(t);
        return p.c0 + s * (p.c1 + s * (p.c2 + s * p.c3));
    }
    [[nodiscard]] double slope(double t) const override {
        const auto [p, s] = locate(t);
        return p.c1 + s * (2.0 * p.c2 + s * 3.0 * p.c3);
    }
    [[nodiscard]] TimeFunctionPtr integral() const override {
        if (degree() > 2) return nullptr;
        const auto raise = [](const Piece& p, double start) { return Piece{start, p.c0, p.c1 / 2.0, p.c2 / 3.0}; };
        std::vector<Piece> pieces;
        double sum = 0.0;
        for (std::size_t k = 0; k < pieces_.size(); ++k) {
            pieces.push_back(raise(pieces_[k], sum));
            const double s = t_[k + 1] - t_[k];
            const Piece& p = pieces.back();
            sum = p.c0 + s * (p.c1 + s * (p.c2 + s * p.c3));
        }
        const Piecewise from_first(t_, pieces, raise(before_, 0.0), raise(after_, sum));
        const double at_zero = from_first.value(0.0);
        for (Piece& p : pieces) p.c0 -= at_zero;
        return std::make_shared<Piecewise>(t_, pieces, raise(before_, -at_zero), raise(after_, sum - at_zero));
    }

private:
    [[nodiscard]] std::pair<Piece, double> locate(double t) const {
        if (t < t_.front()) return {before_, t - t_.front()};
        if (t >= t_.back()) return {after_, t - t_.back()};
        const auto k = std::upper_bound(t_.begin(), t_.end(), t) - t_.begin() - 1;
        return {pieces_[k], t - t_[k]};
    }
    [[nodiscard]] int degree() const {
        int degree = 0;
        const auto look = [&](const Piece& p) {
            degree = std::max(degree, p.c3 != 0.0 ? 3 : p.c2 != 0.0 ? 2 : p.c1 != 0.0 ? 1 : 0);
        };
        for (const Piece& p : pieces_) look(p);
        look(before_);
        look(after_);
        return degree;
    }

    std::vector<double> t_;
    std::vector<Piece> pieces_;
    Piece before_, after_;
};

class Expression final : public TimeFunction {
public:
    Expression(const std::string& text, double scale) : formula_(text, {"t"}), scale_(scale) {}
    [[nodiscard]] double value(double t) const override { return formula_.value({&t, 1}); }
    [[nodiscard]] double slope(double t) const override {
        const double d = 0.25 * scale_;
        return (8.0 * (value(t + d) - value(t - d)) - (value(t + 2 * d) - value(t - 2 * d))) / (12.0 * d);
    }

private:
    Formula formula_;
    double scale_;
};

/// Integral from 0 by five-point Gauss-Legendre over knots a scale apart. Knot values are found in
/// order from 0 and kept, so the answer does not depend on what was asked before.
class Quadrature final : public TimeFunction {
public:
    Quadrature(TimeFunctionPtr f, double scale) : f_(std::move(f)), scale_(scale) {}
    [[nodiscard]] double value(double t) const override {
        const double side = t < 0.0 ? -1.0 : 1.0;
        auto& knots = t < 0.0 ? below_ : above_;
        const auto k = static_cast<std::size_t>(std::abs(t) / scale_);
        while (knots.size() <= k) {
            const double from = side * scale_ * static_cast<double>(knots.size() - 1);
            knots.push_back(knots.back() + gauss(from, from + side * scale_));
        }
        return knots[k] + gauss(side * scale_ * static_cast<double>(k), t);
    }
    [[nodiscard]] double slope(double t) const override { return f_->value(t); }

private:
    [[nodiscard]] double gauss(double a, double b) const {
        constexpr double x[3] = {0.0, 0.5384693101056831, 0.9061798459386640};
        constexpr double w[3] = {0.5688888888888889, 0.4786286704993665, 0.2369268850561891};
        const double mid = 0.5 * (a + b), half = 0.5 * (b - a);
        double sum = w[0] * f_->value(mid);
        for (int k = 1; k < 3; ++k) sum += w[k] * (f_->value(mid - half * x[k]) + f_->value(mid + half * x[k]));
        return half * sum;
    }
    TimeFunctionPtr f_;
    double scale_;
    mutable std::vector<double> above_{0.0}, below_{0.0};
};

/// f(t - begin) - offset
class Shifted final : public TimeFunction {
public:
    Shifted(TimeFunctionPtr f, double begin, double offset) : f_(std::move(f)), begin_(begin), offset_(offset) {}
    [[nodiscard]] double value(double t) const override { return f_->value(t - begin_) - offset_; }
    [[nodiscard]] double slope(double t) const override { return f_->slope(t - begin_); }

private:
    TimeFunctionPtr f_;
    double begin_, offset_;
};

}  // namespace

TimeFunctionPtr constant(double c) { return std::make_shared<Polynomial>(std::vector<double>{c}); }
TimeFunctionPtr linear(double rate) { return std::make_shared<Polynomial>(std::vector<double>{0.0, rate}); }

TimeFunctionPtr sine(double amplitude, double frequency, double phase) {
    return std::make_shared<Sine>(-amplitude * portable::sin(phase), 0.0, amplitude, 2.0 * M_PI * frequency, phase);
}

TimeFunctionPtr ramp(double from, double to, double begin, double end) {
    return table({begin, end}, {from, to});
}

TimeFunctionPtr table(std::vector<double> time, std::vector<double> value) {
    if (time.size() != value.size() || time.empty())
        throw InputError("a table needs as many values as times, and at least one");
    for (std::size_t k = 0; k + 1 < time.size(); ++k)
        if (!(time[k] < time[k + 1]))
            throw InputError("times of a table must increase, but " + std::to_string(time[k]) + " is followed by " +
                             std::to_string(time[k + 1]));
    std::vector<Piecewise::Piece> pieces;
    for (std::size_t k = 0; k + 1 < time.size(); ++k)
        pieces.push_back({value[k], (value[k + 1] - value[k]) / (time[k + 1] - time[k]), 0.0, 0.0});
    return std::make_shared<Piecewise>(std::move(time), std::move(pieces), Piecewise::Piece{value.front(), 0, 0, 0},
                                       Piecewise::Piece{value.back(), 0, 0, 0});
}

TimeFunctionPtr expression(const std::string& text, double scale) { return std::make_shared<Expression>(text, scale); }

TimeFunctionPtr integral_of(TimeFunctionPtr f, double scale) {
    if (const auto* known = dynamic_cast<const Integrable*>(f.get()))
        if (auto integral = known->integral()) return integral;
    return std::make_shared<Quadrature>(std::move(f), scale);
}

TimeFunctionPtr from_zero(TimeFunctionPtr f) {
    const double start = f->value(0.0);
    return std::make_shared<Shifted>(std::move(f), 0.0, start);
}

TimeFunctionPtr delayed(TimeFunctionPtr f, double begin) { return std::make_shared<Shifted>(std::move(f), begin, 0.0); }

}  // namespace talus
