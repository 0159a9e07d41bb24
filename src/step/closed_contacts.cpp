#include "step/closed_contacts.h"

#include "step/world_access.h"

namespace talus {

template <int Dim>
std::vector<std::pair<std::int32_t, std::int32_t>> closed_contacts(const World<Dim>& world) {
    const auto& w = WorldAccess::impl(world);
    std::vector<std::pair<std::int32_t, std::int32_t>> out;
    if (!w.has_contacts) return out;
    out.reserve(w.work.touch.touches.size());
    for (const Touch<Dim>& t : w.work.touch.touches)
        if (t.gap <= 0.0 && t.a >= 0 && t.b >= 0) out.emplace_back(t.a, t.b);
    return out;
}

template std::vector<std::pair<std::int32_t, std::int32_t>> closed_contacts(const World<2>&);
template std::vector<std::pair<std::int32_t, std::int32_t>> closed_contacts(const World<3>&);

}  // namespace talus
