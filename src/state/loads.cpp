#include "state/loads.h"

#include <algorithm>
#include <array>

#include "state/expression.h"

namespace talus {
namespace {

class TimeForce final : public ForceFunction {
public:
    explicit TimeForce(TimeFunctionPtr f) : f_(std::move(f)) {}
    [[nodiscard]] double value(double t, std::span<const double>, std::span<const double>) const override {
        return f_->value(t);
    }

private:
    TimeFunctionPtr f_;
};

std::vector<std::string> state_variables(int dim) {
    if (dim == 2) return {"t", "x", "y", "vx", "vy", "wz"};
    return {"t", "x", "y", "z", "vx", "vy", "vz", "wx", "wy", "wz"};
}

class FormulaForce final : public ForceFunction {
public:
    FormulaForce(const std::string& text, int dim) : formula_(text, state_variables(dim)) {}
    [[nodiscard]] double value(double t, std::span<const double> x, std::span<const double> v) const override {
        std::array<double, 10> all{t};
        auto end = std::copy(x.begin(), x.end(), all.begin() + 1);
        end = std::copy(v.begin(), v.end(), end);
        return formula_.value({all.begin(), end});
    }

private:
    Formula formula_;
};

template <int Dim>
std::size_t index_of(const Bodies<Dim>& bodies, BodyId id) {
    const auto it = std::lower_bound(bodies.id.begin(), bodies.id.end(), id);
    if (it == bodies.id.end() || *it != id)
        throw InputError("a pressure acts between bodies of which number " + std::to_string(id) + " is gone");
    return static_cast<std::size_t>(it - bodies.id.begin());
}

}  // namespace

ForceFunctionPtr force(TimeFunctionPtr f) { return std::make_shared<TimeForce>(std::move(f)); }
ForceFunctionPtr force_expression(const std::string& text, int dim) { return std::make_shared<FormulaForce>(text, dim); }

template <int Dim>
Wrench<Dim> wrench_of(const std::vector<Load>& loads, const Bodies<Dim>& bodies, std::size_t i, double t,
                      std::span<const Vec<Dim>> position) {
    std::array<double, static_cast<std::size_t>(freedoms<Dim>)> velocity{};
    std::copy(bodies.velocity[i].data(), bodies.velocity[i].data() + Dim, velocity.begin());
    std::copy(bodies.spin[i].data(), bodies.spin[i].data() + spin_size<Dim>, velocity.begin() + Dim);
    Wrench<Dim> sum;
    for (const Load& load : loads) {
        double f = load.function->value(t, {position[i].data(), static_cast<std::size_t>(Dim)}, velocity);
        for (const Span& s : load.area)
            f *= std::abs(position[index_of(bodies, s.high)][s.axis] - position[index_of(bodies, s.low)][s.axis]);
        (load.freedom < Dim ? sum.force[load.freedom] : sum.torque[load.freedom - Dim]) += f;
    }
    return sum;
}

template Wrench<2> wrench_of(const std::vector<Load>&, const Bodies<2>&, std::size_t, double, std::span<const Vec<2>>);
template Wrench<3> wrench_of(const std::vector<Load>&, const Bodies<3>&, std::size_t, double, std::span<const Vec<3>>);

}  // namespace talus
