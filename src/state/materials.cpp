#include "state/materials.h"

#include <algorithm>
#include <cmath>

#include "state/check_law.h"

namespace talus {
namespace {

void check_coefficient(const Coefficient& c, const char* name, double low, double high) {
    const auto check = [&](double v) {
        if (std::isfinite(v) && v >= low && v <= high) return;
        throw InputError(std::string(name) + " must lie in [" + std::to_string(low) + ", " + std::to_string(high) +
                         "], not " + std::to_string(v));
    };
    if (c.is_constant()) return check(c.value);
    if (c.speed.size() != c.at_speed.size())
        throw InputError(std::string(name) + ": as many values as speeds are needed");
    for (const double v : c.at_speed) check(v);
    if (!std::is_sorted(c.speed.begin(), c.speed.end()) || c.speed.front() < 0.0 ||
        std::adjacent_find(c.speed.begin(), c.speed.end()) != c.speed.end())
        throw InputError(std::string(name) + ": speeds must increase from a value >= 0");
}

}  // namespace

double Coefficient::at(double v) const {
    if (speed.empty()) return value;
    if (v <= speed.front()) return at_speed.front();
    if (v >= speed.back()) return at_speed.back();
    const auto up = std::upper_bound(speed.begin(), speed.end(), v) - speed.begin();
    const double s = (v - speed[up - 1]) / (speed[up] - speed[up - 1]);
    return at_speed[up - 1] + s * (at_speed[up] - at_speed[up - 1]);
}

MaterialId Materials::add(const std::string& name) {
    if (std::find(names_.begin(), names_.end(), name) != names_.end())
        throw InputError("material '" + name + "' exists already; choose another name");
    const std::size_t n = names_.size();
    std::vector<std::int32_t> wider((n + 1) * (n + 1), -1);
    for (std::size_t i = 0; i < n; ++i)
        for (std::size_t j = 0; j < n; ++j) wider[i * (n + 1) + j] = pair_[i * n + j];
    pair_ = std::move(wider);
    names_.push_back(name);
    ++revision_;
    return static_cast<MaterialId>(n);
}

void Materials::check(MaterialId id) const {
    if (id < 0 || static_cast<std::size_t>(id) >= names_.size())
        throw InputError("there is no material number " + std::to_string(id) + "; add it with add_material first");
}

void Materials::set_law(MaterialId a, MaterialId b, const LawSpec& law) {
    check(a);
    check(b);
    check_coefficient(law.friction, "friction", 0.0, HUGE_VAL);
    check_coefficient(law.restitution, "restitution", 0.0, 1.0);
    check_coefficient(law.tangential_restitution, "tangential_restitution", -1.0, 1.0);
    if (const auto fault = find_fault(law, 3)) throw InputError(fault->message);
    const std::int32_t there = law_of(a, b);
    const bool had_bonds = there >= 0 && laws_[there].brittle;
    const auto index = there >= 0 ? there : static_cast<std::int32_t>(laws_.size());
    if (there >= 0) laws_[there] = law;
    else laws_.push_back(law);
    bonding_.resize(laws_.size(), 0);
    if (!law.brittle) bonding_[index] = 0;
    else if (!had_bonds) bonding_[index] = 1;
    all_plain_ = std::all_of(laws_.begin(), laws_.end(), [](const LawSpec& l) { return l.is_plain(); });
    any_cohesion_ = std::any_of(laws_.begin(), laws_.end(), [](const LawSpec& l) { return l.cohesion > 0.0; });
    const std::size_t n = names_.size();
    pair_[static_cast<std::size_t>(a) * n + b] = index;
    pair_[static_cast<std::size_t>(b) * n + a] = index;
    ++revision_;
}

const std::string& Materials::name(MaterialId id) const {
    check(id);
    return names_[id];
}

}  // namespace talus
