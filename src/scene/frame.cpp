#include "scene/frame.h"

#include <cmath>

namespace talus::scene {

Frame frame_for(const Point& gravity, int dimension) {
    Frame frame;
    frame.up = gravity.norm() > 0.0 ? Point(-gravity / gravity.norm()) : Point(Point::Unit(dimension - 1));
    frame.first = frame.second = Point::Zero();
    int steepest = 0;
    for (int k = 1; k < dimension; ++k)
        if (std::abs(frame.up[k]) > std::abs(frame.up[steepest])) steepest = k;
    Point* across[2] = {&frame.first, &frame.second};
    int made = 0;
    for (int k = 0; k < dimension; ++k) {
        if (k == steepest) continue;
        Point e = Point::Unit(k);
        e -= e.dot(frame.up) * frame.up;
        if (made == 1) e -= e.dot(frame.first) * frame.first;
        *across[made++] = e / e.norm();
    }
    return frame;
}

}  // namespace talus::scene
