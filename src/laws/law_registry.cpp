#include "laws/law_registry.h"

#include <algorithm>

#include "talus/error.h"

namespace talus {

bool is_zero(const Coefficient& c) {
    if (c.is_constant()) return c.value == 0.0;
    return std::all_of(c.at_speed.begin(), c.at_speed.end(), [](double value) { return value == 0.0; });
}

std::unique_ptr<ContactLaw> LawRegistry::make(const LawSpec& spec) const {
    const auto it = factories_.find(spec.name);
    if (it != factories_.end()) return it->second(spec);
    std::string known;
    for (const auto& [name, factory] : factories_) known += (known.empty() ? "" : ", ") + name;
    throw InputError("unknown law '" + spec.name + "'; the laws are " + known);
}

const LawRegistry& law_registry() {
    static const LawRegistry registry = [] {
        LawRegistry r;
        register_members(r);
        return r;
    }();
    return registry;
}

}  // namespace talus
