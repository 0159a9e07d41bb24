#pragma once
/// \file
/// Material names and the law of each pair, by index.

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "talus/law.h"
#include "talus/world.h"

namespace talus {

class Materials {
public:
    MaterialId add(const std::string& name);
    void set_law(MaterialId a, MaterialId b, const LawSpec& law);
    [[nodiscard]] std::size_t size() const { return names_.size(); }
    [[nodiscard]] const std::string& name(MaterialId id) const;
    /// Index into `laws`, -1 when the pair has none.
    [[nodiscard]] std::int32_t law_of(MaterialId a, MaterialId b) const {
        return pair_[static_cast<std::size_t>(a) * names_.size() + static_cast<std::size_t>(b)];
    }
    [[nodiscard]] const std::vector<LawSpec>& laws() const { return laws_; }
    /// No law has more than a cone of revolution.
    [[nodiscard]] bool all_plain() const { return all_plain_; }
    [[nodiscard]] bool any_cohesion() const { return any_cohesion_; }
    /// Laws whose brittle bonds form in the next step: contacts that are there then are bonded. By law.
    [[nodiscard]] const std::vector<std::uint8_t>& bonding() const { return bonding_; }
    void set_bonding(std::vector<std::uint8_t> bonding) { bonding_ = std::move(bonding); }
    void end_bonding() { std::fill(bonding_.begin(), bonding_.end(), std::uint8_t{0}); }
    /// Rises with every change, so that what is derived from the laws can be renewed.
    [[nodiscard]] std::int64_t revision() const { return revision_; }

private:
    void check(MaterialId id) const;
    std::vector<std::string> names_;
    std::vector<std::int32_t> pair_;   ///< names x names
    std::vector<LawSpec> laws_;
    std::vector<std::uint8_t> bonding_;
    bool all_plain_ = true, any_cohesion_ = false;
    std::int64_t revision_ = 0;
};

}  // namespace talus
