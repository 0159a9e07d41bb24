// 09  The rod of Painleve: friction that jams at once
//
// A rod slides on its tip, leaning so that it is pushed ahead of its centre of mass. Below a critical friction
// (4/3 for a slope of tan = 2) it slides, with a large but finite force. Above, no finite force lets it slide: the
// tip stops dead in one step whatever the step, by a blow that is not a collision [moreau1994, sec. 6].

#include <talus/talus.h>

#include <cmath>
#include <cstdio>

namespace {

constexpr double gravity = 9.81;

/// A rod of mass 1 kg and half-length 1 m; q = x, y of the centre and the angle, the tip at (cos, sin) of it.
talus::System make_rod(double friction) {
    talus::SystemSpec spec;
    spec.freedoms = 3;
    spec.inertia = [](double, const Eigen::VectorXd&) -> Eigen::MatrixXd {
        return Eigen::Vector3d(1.0, 1.0, 1.0 / 3.0).asDiagonal();
    };
    spec.force = [](double, const Eigen::VectorXd&, const Eigen::VectorXd&) -> Eigen::VectorXd {
        return Eigen::Vector3d(0.0, -gravity, 0.0);
    };
    talus::SystemContact tip;
    tip.name = "tip";
    tip.gap = [](double, const Eigen::VectorXd& q) { return q[1] + std::sin(q[2]); };
    tip.rows = [](double, const Eigen::VectorXd& q) {  // normal, then tangent
        Eigen::MatrixXd G(2, 3);
        G << 0.0, 1.0, std::cos(q[2]), 1.0, 0.0, -std::sin(q[2]);
        return talus::ContactRows{G, {}};
    };
    tip.friction = friction;
    spec.contacts.push_back(tip);
    talus::System rod(spec);
    const double slope = std::atan(2.0);
    rod.set_state(0.0, Eigen::Vector3d(-std::cos(slope), std::sin(slope) - 1e-9, -slope), Eigen::Vector3d(1.0, 0.0, 0.0));
    return rod;
}

}  // namespace

int main() {
    bool good = true;
    for (const double friction : {1.0, 1.3, 1.34, 2.0}) {
        const double h = 1e-6;
        talus::System rod = make_rod(friction);
        const auto report = rod.step(h);
        const auto& tip = report.contacts.at(0);
        const bool sticks = tip.status == talus::ContactStatus::sticking;
        std::printf("friction %.2f: %s, impulse (%.3e, %.3e) N s, spin after %.4f rad/s\n", friction,
                    sticks ? "jams  " : "slides", tip.impulse[0], tip.impulse[1], rod.velocity()[2]);
        // H_NN = 1 + 3 cos^2, H_TN = 3 sin cos: sliding needs N = m g / (H_NN - mu H_TN).
        const double force = gravity / (1.6 - friction * 1.2);
        if (friction > 4.0 / 3.0) good = good && sticks && std::abs(tip.impulse[0] - 0.3) < 1e-3;
        else good = good && !sticks && std::abs(tip.impulse[0] / h - force) < 1e-3 * force;
    }
    return good ? 0 : 1;
}
