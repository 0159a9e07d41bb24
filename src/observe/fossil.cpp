// Fossil layers: grains born between two dates, as they lie now [moreau2003, sec. 9.2, fig. 3 and 5]. By bins of
// distance from the axis: mean height, thickness (standard deviation) and tangent in the meridian plane,
// the least-squares line of height on distance through the grains of a bin and its two neighbours.
//
// Each bin is compared with the force through a piece of coaxial cylinder, `cut_height` high, that cuts the
// layer there: moreau2003 (sec. 9.3) finds it parallel to the layer. Bins with fewer than three grains or
// ten contacts through the cut do not count.

#include <algorithm>
#include <cmath>

#include "observe/cuts.h"
#include "observe/registry.h"
#include "observe/statistics.h"
#include "observe/table.h"
#include "observe/tensor.h"

namespace talus {

namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr long least_contacts = 10;

template <int Dim>
struct Options {
    std::vector<std::pair<double, double>> layers;   ///< birth dates [s]
    Vec<Dim> axis = Vec<Dim>::Zero();
    std::optional<double> bin, cut_height;           ///< [m]
    bool average = false, walls = false;
};

/// Heights of grains over their distances, as sums.
struct Cloud {
    double n = 0, r = 0, z = 0, rr = 0, rz = 0, zz = 0;
    void add(double distance, double height) {
        ++n;
        r += distance;
        z += height;
        rr += distance * distance;
        rz += distance * height;
        zz += height * height;
    }
    void add(const Cloud& other) {
        n += other.n;
        r += other.r;
        z += other.z;
        rr += other.rr;
        rz += other.rz;
        zz += other.zz;
    }
    /// Angle of the least-squares line [deg].
    [[nodiscard]] double tangent() const {
        const double spread = rr - r * r / n;
        return n >= 3.0 && spread > 0.0 ? std::atan((rz - r * z / n) / spread) * observe::degrees : nan;
    }
    [[nodiscard]] double thickness() const { return n >= 2.0 ? std::sqrt(std::max(0.0, (zz - z * z / n) / (n - 1.0))) : nan; }
};

template <int Dim>
std::vector<Cloud> bins_of(const Snapshot<Dim>& snapshot, const Options<Dim>& options, std::size_t layer, double width) {
    const auto axis = observe::vertical(snapshot, options.axis);
    const auto [first, last] = options.layers[layer];
    std::vector<Cloud> bins;
    for (std::size_t i = 0; i < snapshot.size(); ++i) {
        if (!observe::is_grain(snapshot, i) || snapshot.birth[i] < first || snapshot.birth[i] > last) continue;
        const double distance = axis.distance(snapshot.position[i]);
        const auto bin = static_cast<std::size_t>(distance / width);
        if (bin >= bins.size()) bins.resize(bin + 1);
        bins[bin].add(distance, axis.height(snapshot.position[i]));
    }
    return bins;
}

template <int Dim>
observe::CutForce<Dim> cylinder_force(const Snapshot<Dim>& snapshot, const std::vector<observe::ContactForce<Dim>>& forces,
                                      const Options<Dim>& options, const Cloud& bin, double height) {
    observe::Cut<Dim> cut;
    cut.kind = observe::Cut<Dim>::Kind::ribbon;
    cut.point = options.axis;
    cut.from = {bin.r / bin.n, bin.z / bin.n - 0.5 * height};
    cut.to = {bin.r / bin.n, bin.z / bin.n + 0.5 * height};
    return observe::force_through(snapshot, forces, cut, options.walls);
}

struct LayerSums {
    Cloud all, outer;
    std::vector<double> differences;
};

template <int Dim>
LayerSums add_layer(observe::TableBuilder& table, const Snapshot<Dim>& snapshot,
                    const std::vector<observe::ContactForce<Dim>>& forces, const Options<Dim>& options, std::size_t layer) {
    const double grain = observe::grain_totals(snapshot).mean_diameter;
    const auto bins = bins_of(snapshot, options, layer, options.bin.value_or(2.0 * grain));
    const double height = options.cut_height.value_or(4.0 * grain);
    LayerSums sums;
    for (std::size_t k = 0; k < bins.size(); ++k) {
        if (bins[k].n == 0.0) continue;
        Cloud near = bins[k];
        if (k > 0) near.add(bins[k - 1]);
        if (k + 1 < bins.size()) near.add(bins[k + 1]);
        const double tangent = near.tangent();
        observe::CutForce<Dim> force;
        if (height > 0.0) force = cylinder_force(snapshot, forces, options, bins[k], height);
        const double difference = observe::line_difference(tangent, force.angle);
        table.put(static_cast<double>(layer + 1)).put(bins[k].r / bins[k].n).put(bins[k].z / bins[k].n).put(bins[k].thickness());
        table.put(bins[k].n).put(tangent).put(force.angle).put(static_cast<double>(force.contacts)).put(difference);
        if (bins[k].n >= 3.0 && force.contacts >= least_contacts && std::isfinite(difference)) sums.differences.push_back(difference);
        sums.all.add(bins[k]);
        if (2 * k >= bins.size()) sums.outer.add(bins[k]);
    }
    return sums;
}

template <int Dim>
observe::Result measure(const Snapshot<Dim>& snapshot, const Options<Dim>& options) {
    const auto forces = observe::contact_forces(snapshot, options.average);
    observe::TableBuilder table("layers");
    table.column("layer").column("radius", "m").column("height", "m").column("thickness", "m").column("grains");
    table.column("tangent", "deg").column("force_angle", "deg").column("contacts").column("difference", "deg");
    observe::Result result;
    std::vector<double> differences;
    for (std::size_t k = 0; k < options.layers.size(); ++k) {
        const LayerSums sums = add_layer(table, snapshot, forces, options, k);
        const std::string name = "layer_" + std::to_string(k + 1);
        result.add(name + "_grains", sums.all.n);
        result.add(name + "_mean_height", sums.all.z / sums.all.n, "m");
        result.add(name + "_slope", sums.outer.tangent(), "deg");
        result.add(name + "_median_difference", observe::median(sums.differences), "deg");
        differences.insert(differences.end(), sums.differences.begin(), sums.differences.end());
    }
    result.add("median_difference", observe::median(differences), "deg");
    result.tables.push_back(table.take());
    return result;
}

template <int Dim>
observe::Measurement<Dim> make(observe::Parameters& parameters) {
    Options<Dim> options;
    options.layers = parameters.intervals("layers");
    if (options.layers.empty()) parameters.fail("layers", "is missing; give it: a list of [first, last] birth dates");
    options.axis = parameters.point<Dim>("axis", options.axis);
    options.bin = parameters.positive_length("bin");
    options.cut_height = parameters.length("cut_height");
    options.average = parameters.flag("average", false);
    options.walls = parameters.flag("walls", false);
    return [options](const Snapshot<Dim>& snapshot) { return measure(snapshot, options); };
}

}  // namespace

void register_fossil(ObservableRegistry& registry) {
    registry.add("fossil", "layers of grains by birth date: height, tangent, and the force through cylinders that cut them",
                 make<2>, make<3>);
}

}  // namespace talus
