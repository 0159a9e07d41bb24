// How well the mean stress of a disk stands for a Cauchy stress [moreau2001, sec. 3.4, fig. 3]: the traction
// that the tensor gives on each of a number of diameters, beside the resultant of the contact forces
// through that diameter over its length. Diameters turn by equal angles over a half-turn.

#include "observe/cuts.h"
#include "observe/moments.h"
#include "observe/region.h"
#include "observe/registry.h"
#include "observe/table.h"
#include "observe/tensor.h"

namespace talus {

namespace {

struct Options {
    Vec<2> centre = Vec<2>::Zero();
    double radius = 0.0;   ///< [m]
    int count = 31;
    bool average = false;
};

observe::Region<2> disk_of(const Options& options) {
    observe::Region<2> disk;
    disk.kind = observe::Region<2>::Kind::ball;
    disk.axis = options.centre;
    disk.outer = options.radius;
    return disk;
}

observe::Cut<2> diameter(const Options& options, double angle) {
    observe::Cut<2> cut;
    cut.kind = observe::Cut<2>::Kind::segment;
    cut.point = options.centre;
    cut.half_length = options.radius;
    cut.along = {std::cos(angle), std::sin(angle)};
    cut.normal = {std::sin(angle), -std::cos(angle)};
    return cut;
}

observe::Result measure(const Snapshot<2>& snapshot, const Options& options) {
    const auto forces = observe::contact_forces(snapshot, options.average);
    const auto disk = disk_of(options);
    const Mat<2> stress = observe::moment_sum(snapshot, forces, observe::grains_inside(snapshot, disk)) / disk.measure();
    const Mat<2> symmetric = 0.5 * (stress + stress.transpose());
    const double pressure = 0.5 * symmetric.trace();
    observe::TableBuilder table("diameters");
    table.column("angle", "deg").column("normal", "N/m").column("tangential", "N/m");
    table.column("tensor_normal", "N/m").column("tensor_tangential", "N/m").column("contacts");
    double squares = 0.0;
    for (int k = 0; k < options.count; ++k) {
        const double angle = std::numbers::pi * k / options.count;
        const auto cut = diameter(options, angle);
        const auto force = observe::force_through(snapshot, forces, cut, false);
        const Vec<2> expected = symmetric * cut.normal;
        const double normal = force.normal / cut.measure(), tangential = force.tangential / cut.measure();
        table.put(angle * observe::degrees).put(normal).put(tangential);
        table.put(expected.dot(cut.normal)).put(expected.dot(cut.along)).put(static_cast<double>(force.contacts));
        squares += std::pow(normal - expected.dot(cut.normal), 2) + std::pow(tangential - expected.dot(cut.along), 2);
    }
    const double rms = std::sqrt(squares / (2.0 * options.count));
    const auto principal = observe::principal_of<2>(symmetric);
    observe::Result result;
    result.add("pressure", pressure, "N/m");
    result.add("stress_xx", symmetric(0, 0), "N/m");
    result.add("stress_xy", symmetric(0, 1), "N/m");
    result.add("stress_yy", symmetric(1, 1), "N/m");
    observe::add_principal(result, principal, "N/m");
    observe::add_major_angle(result, Vec<2>(principal.axes.col(0)));
    result.add("asymmetry", std::abs(stress(0, 1) - stress(1, 0)) / std::abs(pressure));
    result.add("rms", rms, "N/m");
    result.add("rms_over_pressure", rms / std::abs(pressure));
    result.tables.push_back(table.take());
    return result;
}

observe::Measurement<2> make(observe::Parameters& parameters) {
    Options options;
    options.centre = parameters.point<2>("centre", options.centre);
    const auto radius = parameters.positive_length("radius");
    if (!radius) parameters.fail("radius", "is missing; give it: that of the disk");
    options.radius = *radius;
    options.count = static_cast<int>(parameters.count("count", options.count, 2));
    options.average = parameters.flag("average", false);
    return [options](const Snapshot<2>& snapshot) { return measure(snapshot, options); };
}

}  // namespace

void register_probe(ObservableRegistry& registry) {
    registry.add("probe", "mean stress of a disk against the forces through its diameters", make, {});
}

}  // namespace talus
