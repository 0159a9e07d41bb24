#include "laws/law_registry.h"

#include "talus/error.h"

namespace talus {

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
