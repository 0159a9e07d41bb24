// Forces through cuts (see cuts.h), each with its density, and the reciprocity of conjugate cuts: for two
// cuts with normals n and n' and force densities T and T', a symmetric stress has n . T' = n' . T
// [moreau2003, sec. 9.1]. What is left of that, over the mean normal density, is the defect of the pair.

#include <set>

#include "observe/cuts.h"
#include "observe/registry.h"
#include "observe/table.h"

namespace talus {

namespace {

template <int Dim>
struct Options {
    std::vector<observe::Cut<Dim>> cuts;
    bool conjugate = false, average = false, walls = false;
};

template <int Dim>
bool is_ribbon(const observe::Cut<Dim>& cut) { return cut.kind == observe::Cut<Dim>::Kind::ribbon; }

/// n . T' in the frame that both cuts have: the meridian half-plane for ribbons.
template <int Dim>
double crossed(const observe::Cut<Dim>& cut, const observe::Cut<Dim>& other, const observe::CutForce<Dim>& force) {
    if (!is_ribbon(cut)) return cut.normal.dot(force.force) / other.measure();
    const Vec<2> way = (cut.to - cut.from).normalized();
    return (way.y() * force.radial - way.x() * force.axial) / other.measure();
}

template <int Dim>
void add_scalars(observe::Result& result, const observe::Cut<Dim>& cut, const observe::CutForce<Dim>& force) {
    const char* unit = observe::pressure_unit(cut.point);
    const std::string& label = cut.label;
    result.add(label + "_normal", force.normal, "N");
    result.add(label + "_tangential", force.tangential, "N");
    result.add(label + "_normal_density", force.normal / cut.measure(), unit);
    result.add(label + "_tangential_density", force.tangential / cut.measure(), unit);
    result.add(label + "_force_angle", force.angle, "deg");
    if (!is_ribbon(cut)) return;
    result.add(label + "_axial", force.axial, "N");
    result.add(label + "_radial", force.radial, "N");
    result.add(label + "_azimuthal", force.azimuthal, "N");
    result.add(label + "_azimuthal_over_meridian", std::abs(force.azimuthal) / std::hypot(force.axial, force.radial));
}

template <int Dim>
observe::TableBuilder new_table(const Vec<Dim>& which) {
    const char* unit = observe::pressure_unit(which);
    observe::TableBuilder table("cuts");
    table.column("cut").column("contacts").column("area", observe::surface_unit(which));
    table.column("normal", "N").column("tangential", "N").column("normal_density", unit).column("tangential_density", unit);
    table.column("force_angle", "deg").column("cut_angle", "deg").template vector<Dim>("force_", "N");
    table.column("axial", "N").column("radial", "N").column("azimuthal", "N");
    table.column("axial_density", unit).column("radial_density", unit);
    return table;
}

template <int Dim>
void add_pairs(observe::Result& result, const Options<Dim>& options, const std::vector<observe::CutForce<Dim>>& forces) {
    const char* unit = observe::pressure_unit(options.cuts[0].point);
    observe::TableBuilder table("pairs");
    table.column("first").column("second").column("n_T2", unit).column("n2_T", unit).column("pressure", unit).column("defect");
    double largest = 0.0, sum = 0.0;
    const std::size_t pairs = forces.size() / 2;
    for (std::size_t k = 0; k < pairs; ++k) {
        const auto &one = options.cuts[2 * k], &two = options.cuts[2 * k + 1];
        const double there = crossed(one, two, forces[2 * k + 1]), back = crossed(two, one, forces[2 * k]);
        const double pressure = 0.5 * (forces[2 * k].normal / one.measure() + forces[2 * k + 1].normal / two.measure());
        const double defect = std::abs(there - back) / std::abs(pressure);
        table.put(static_cast<double>(2 * k + 1)).put(static_cast<double>(2 * k + 2));
        table.put(there).put(back).put(pressure).put(defect);
        largest = std::max(largest, defect);
        sum += defect;
    }
    result.add("mean_defect", sum / static_cast<double>(pairs));
    result.add("max_defect", largest);
    result.tables.push_back(table.take());
}

template <int Dim>
observe::Result measure(const Snapshot<Dim>& snapshot, const Options<Dim>& options) {
    const auto contacts = observe::contact_forces(snapshot, options.average);
    const Vec<Dim> up = observe::vertical(snapshot, Vec<Dim>::Zero().eval()).up;
    observe::Result result;
    auto table = new_table(snapshot.gravity);
    std::vector<observe::CutForce<Dim>> forces;
    for (const auto& cut : options.cuts) {
        const auto force = observe::force_through(snapshot, contacts, cut, options.walls);
        const double area = cut.measure();
        add_scalars(result, cut, force);
        table.put(static_cast<double>(forces.size() + 1)).put(static_cast<double>(force.contacts)).put(area);
        table.put(force.normal).put(force.tangential).put(force.normal / area).put(force.tangential / area);
        table.put(force.angle).put(cut.angle(up)).template put<Dim>(force.force);
        const double none = is_ribbon(cut) ? 1.0 : std::numeric_limits<double>::quiet_NaN();
        table.put(none * force.axial).put(none * force.radial).put(none * force.azimuthal);
        table.put(none * force.axial / area).put(none * force.radial / area);
        forces.push_back(force);
    }
    result.tables.push_back(table.take());
    if (options.conjugate) add_pairs(result, options, forces);
    return result;
}

template <int Dim>
observe::Measurement<Dim> make(observe::Parameters& parameters) {
    Options<Dim> options;
    std::set<std::string> labels;
    for (const observe::Spec& spec : parameters.children("cuts")) {
        observe::Parameters keys(spec, Dim);
        auto cut = observe::read_cut<Dim>(keys);
        keys.finish();
        if (cut.label.empty()) cut.label = "cut_" + std::to_string(options.cuts.size() + 1);
        if (!labels.insert(cut.label).second) parameters.fail("cuts", "has two cuts with the label `" + cut.label + "`");
        options.cuts.push_back(std::move(cut));
    }
    if (options.cuts.empty()) parameters.fail("cuts", "is missing; give it: a list of cuts");
    options.conjugate = parameters.flag("conjugate", false);
    options.average = parameters.flag("average", false);
    options.walls = parameters.flag("walls", false);
    if (options.conjugate && options.cuts.size() % 2 != 0) parameters.fail("conjugate", "takes cuts two by two: give an even number");
    for (std::size_t k = 0; options.conjugate && k < options.cuts.size(); k += 2)
        if (is_ribbon(options.cuts[k]) != is_ribbon(options.cuts[k + 1]) || std::isnan(options.cuts[k].measure() * options.cuts[k + 1].measure()))
            parameters.fail("conjugate", "takes two ribbons, or two segments or rectangles, as a pair");
    return [options](const Snapshot<Dim>& snapshot) { return measure(snapshot, options); };
}

}  // namespace

void register_cut(ObservableRegistry& registry) {
    registry.add("cut", "force through segments, planes, rectangles or ribbons about an axis; reciprocal cuts", make<2>, make<3>);
}

}  // namespace talus
