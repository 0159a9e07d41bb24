// 08  A pendulum with a stop: a system with one freedom
//
// Few freedoms need no bodies: the inertia, the force and the gap of each contact as functions of t and q are
// enough. A bar on a pin swings against a stop straight below it. Each blow sends it back with e times its
// speed, so that the heights of the swings are e^2, e^4, e^6 ... of the first.

#include <talus/talus.h>

#include <cmath>
#include <cstdio>

int main() {
    const double gravity = 9.81, length = 1.0, e = 0.8, start = 1.0;  // [m/s2], [m], [-], [rad] from straight down
    const double inertia = length * length / 3.0;                     // of a mass of 1 kg about the pin [kg m2]

    talus::SystemSpec spec;
    spec.freedoms = 1;
    spec.inertia = [=](double, const Eigen::VectorXd&) { return Eigen::MatrixXd::Constant(1, 1, inertia); };
    spec.force = [=](double, const Eigen::VectorXd& q, const Eigen::VectorXd&) {
        return Eigen::VectorXd::Constant(1, -gravity * 0.5 * length * std::sin(q[0]));
    };
    talus::SystemContact stop;
    stop.name = "stop";
    stop.gap = [](double, const Eigen::VectorXd& q) { return q[0]; };
    stop.rows = [](double, const Eigen::VectorXd&) { return talus::ContactRows{Eigen::MatrixXd::Ones(1, 1), {}}; };
    stop.restitution = e;
    spec.contacts.push_back(stop);

    talus::System pendulum(spec);
    pendulum.set_state(0.0, Eigen::VectorXd::Constant(1, start), Eigen::VectorXd::Zero(1));

    bool good = true;
    double rate = 0.0, expected = 1.0 - std::cos(start);
    for (int swing = 0; swing < 5;) {
        pendulum.step(1e-4);
        const double now = pendulum.velocity()[0];
        if (rate > 0.0 && now <= 0.0) {
            expected *= e * e;
            const double height = 1.0 - std::cos(pendulum.position()[0]);
            std::printf("swing %d at %.4f s: height %.5f, expected %.5f of the length of the bar, halved\n", ++swing,
                        pendulum.time(), height, expected);
            good = good && std::abs(height / expected - 1.0) < 3e-3;  // a blow comes up to one step late
        }
        rate = now;
    }
    return good ? 0 : 1;
}
