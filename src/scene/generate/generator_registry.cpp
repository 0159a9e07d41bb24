#include "scene/generate/generator_registry.h"

namespace talus {

const GeneratorRegistry& generator_registry() {
    static const GeneratorRegistry registry = [] {
        GeneratorRegistry r;
        register_members(r);
        return r;
    }();
    return registry;
}

}  // namespace talus
