#include "scene/ball_grid.h"

#include <algorithm>

namespace talus::scene {

BallGrid::Level BallGrid::make_level(int exponent) const {
    Level level;
    const double width = std::ldexp(1.0, exponent);
    for (int k = 0; k < dimension_; ++k) {
        const auto a = static_cast<std::size_t>(k);
        level.width[a] = width;
        if (!periodic_[a]) continue;
        const double length = high_[k] - low_[k];
        level.count[a] = std::max<std::int64_t>(1, static_cast<std::int64_t>(length / width));
        level.width[a] = length / static_cast<double>(level.count[a]);
    }
    return level;
}

void BallGrid::insert(const Point& centre, double radius) {
    int exponent = 0;
    std::frexp(2.0 * radius, &exponent);  // 2^exponent >= diameter
    auto found = levels_.find(exponent);
    if (found == levels_.end()) found = levels_.emplace(exponent, make_level(exponent)).first;
    Level& level = found->second;
    level.max_radius = std::max(level.max_radius, radius);
    Cell cell{};
    for (int k = 0; k < dimension_; ++k) cell[static_cast<std::size_t>(k)] = coordinate(level, k, centre[k]);
    level.cells[wrap(level, cell)].push_back(static_cast<std::uint32_t>(centres_.size()));
    centres_.push_back(centre);
    radii_.push_back(radius);
}

void BallGrid::clear() {
    centres_.clear();
    radii_.clear();
    levels_.clear();
}

}  // namespace talus::scene
