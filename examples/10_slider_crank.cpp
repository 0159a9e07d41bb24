// 10  A slider-crank with clearance
//
// A crank turns at constant speed and drives a piston through a rod. The pins are equations: they are eliminated
// before the contacts are solved. The piston has clearance in its cylinder: it may touch the lower or the
// upper wall, with friction, and knocks from one to the other when the thrust of the rod changes sides.

#include <talus/talus.h>

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace {

constexpr double crank = 0.05, rod = 0.15, clearance = 1e-3;  // [m]
constexpr double omega = 150.0;                               // [rad/s]
constexpr double rod_mass = 0.3, piston_mass = 0.5;           // [kg]

/// q = x, y and angle of the rod's centre, x and y of the piston. It does not turn in its cylinder.
talus::SystemSpec slider_crank() {
    talus::SystemSpec spec;
    spec.freedoms = 5;
    spec.inertia = [](double, const Eigen::VectorXd&) {
        Eigen::VectorXd m(5);
        m << rod_mass, rod_mass, rod_mass * rod * rod / 12.0, piston_mass, piston_mass;
        return Eigen::MatrixXd(m.asDiagonal());
    };
    spec.force = [](double, const Eigen::VectorXd&, const Eigen::VectorXd&) {
        Eigen::VectorXd f = Eigen::VectorXd::Zero(5);
        f[1] = -9.81 * rod_mass;
        f[4] = -9.81 * piston_mass;
        return f;
    };
    talus::SystemEquations pins;
    pins.value = [](double t, const Eigen::VectorXd& q) {
        Eigen::VectorXd e(4);
        const double c = 0.5 * rod * std::cos(q[2]), s = 0.5 * rod * std::sin(q[2]);
        e << q[0] - c - crank * std::cos(omega * t), q[1] - s - crank * std::sin(omega * t), q[0] + c - q[3], q[1] + s - q[4];
        return e;
    };
    pins.rows = [](double, const Eigen::VectorXd& q) {
        Eigen::MatrixXd B = Eigen::MatrixXd::Zero(4, 5);
        const double c = 0.5 * rod * std::cos(q[2]), s = 0.5 * rod * std::sin(q[2]);
        B << 1, 0, s, 0, 0, 0, 1, -c, 0, 0, 1, 0, -s, -1, 0, 0, 1, c, 0, -1;
        return B;
    };
    pins.rate = [](double t, const Eigen::VectorXd&) {
        Eigen::VectorXd w = Eigen::VectorXd::Zero(4);
        w[0] = crank * omega * std::sin(omega * t);
        w[1] = -crank * omega * std::cos(omega * t);
        return w;
    };
    spec.equations.push_back(pins);
    for (const double side : {1.0, -1.0}) {
        talus::SystemContact wall;
        wall.name = side > 0.0 ? "lower wall" : "upper wall";
        wall.gap = [side](double, const Eigen::VectorXd& q) { return side * q[4] + 0.5 * clearance; };
        wall.rows = [side](double, const Eigen::VectorXd&) {
            Eigen::MatrixXd G = Eigen::MatrixXd::Zero(2, 5);
            G(0, 4) = side;  // normal
            G(1, 3) = 1.0;   // along the cylinder
            return talus::ContactRows{G, {}};
        };
        wall.friction = 0.1;
        wall.restitution = 0.2;
        spec.contacts.push_back(wall);
    }
    return spec;
}

}  // namespace

int main() {
    talus::System machine(slider_crank());
    Eigen::VectorXd q(5), u(5);
    q << crank + 0.5 * rod, 0.0, 0.0, crank + rod, 0.0;
    u << 0.0, 0.5 * crank * omega, -crank * omega / rod, 0.0, 0.0;
    machine.set_state(0.0, q, u);

    const double turn = 2.0 * M_PI / omega, h = turn / 20000.0;
    int knocks = 0, side = 0;
    double worst_pin = 0.0, worst_books = 0.0, least = 1.0, most = 0.0, beyond = 0.0;
    for (int k = 0; k < 60000; ++k) {
        const auto report = machine.step(h);
        worst_pin = std::max(worst_pin, report.equation_error);
        worst_books = std::max(worst_books, std::abs(report.energy.residual));
        beyond = std::max(beyond, std::abs(machine.position()[4]) - 0.5 * clearance);
        least = std::min(least, machine.position()[3]);
        most = std::max(most, machine.position()[3]);
        for (const auto& c : report.contacts) {
            if (c.impulse[0] <= 0.0) continue;
            const int now = c.contact == 0 ? -1 : 1;
            knocks += side != 0 && now != side;
            side = now;
        }
    }
    std::printf("three turns: stroke %.6f m (2 r = %.3f), the piston changed walls %d times\n", most - least, 2.0 * crank, knocks);
    std::printf("pins met to %.1e m, energy books closed to %.1e J, beyond the walls by %.1e m at most\n", worst_pin, worst_books,
                beyond);
    // The clearance moves the ends of the stroke by c^2 / (8 rod) at most.
    return std::abs(most - least - 2.0 * crank) < 1e-5 && knocks >= 6 && worst_pin < 1e-12 && worst_books < 1e-10 && beyond < 1e-5 ? 0 : 1;
}
