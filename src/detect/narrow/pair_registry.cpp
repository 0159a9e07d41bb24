#include "detect/narrow/pair_registry.h"

namespace talus {

template <>
BallTouch<2> PairRegistry::find<2>(const std::string& shape) const {
    const auto it = functions_.find(shape);
    return it != functions_.end() ? it->second.in_plane : nullptr;
}

template <>
BallTouch<3> PairRegistry::find<3>(const std::string& shape) const {
    const auto it = functions_.find(shape);
    return it != functions_.end() ? it->second.in_space : nullptr;
}

const PairRegistry& pair_registry() {
    static const PairRegistry registry = [] {
        PairRegistry r;
        register_members(r);
        return r;
    }();
    return registry;
}

}  // namespace talus
