#include "observe/cuts.h"

#include <cmath>
#include <numbers>

#include "observe/moments.h"
#include "observe/tensor.h"

namespace talus::observe {

namespace {

/// Horizontal direction in the vertical plane that holds n: where angles of forces are read.
Vec<2> horizontal(const Vec<2>&, const Vec<2>& up) { return across(up); }
Vec<3> horizontal(const Vec<3>& n, const Vec<3>& up) {
    const Vec<3> flat = n - up.dot(n) * up;
    return flat.norm() > 1e-12 ? Vec<3>(flat.normalized()) : across(up);
}

/// Towards the right of `way`: up becomes right.
Vec<2> right_of(const Vec<2>& way) { return {way.y(), -way.x()}; }

/// The third direction of a frame: sideways in space, nothing in the plane.
Vec<2> third(const Vec<2>&, const Vec<2>&) { return Vec<2>::Zero(); }
Vec<3> third(const Vec<3>& a, const Vec<3>& b) { return a.cross(b); }

/// Across the meridian half-plane, in the sense of rotation about `up`.
Vec<2> around(const Vec<2>&, const Vec<2>&) { return Vec<2>::Zero(); }
Vec<3> around(const Vec<3>& outward, const Vec<3>& up) { return up.cross(outward); }

/// Tangential part: signed along the line in the plane, a length in space.
double tangential_part(const Vec<2>& force, const Cut<2>& cut) { return force.dot(Vec<2>(-cut.normal.y(), cut.normal.x())); }
double tangential_part(const Vec<3>& force, const Cut<3>& cut) { return (force - force.dot(cut.normal) * cut.normal).norm(); }

Cut<2> read_segment(Parameters& parameters, const Cut<2>&) {
    Cut<2> cut;
    cut.kind = Cut<2>::Kind::segment;
    for (const char* key : {"from", "to"})
        if (!parameters.has(key)) parameters.fail(key, "is missing; give it: an end of the segment");
    const Vec<2> from = parameters.point<2>("from", Vec<2>::Zero()), to = parameters.point<2>("to", Vec<2>::Zero());
    if (from == to) parameters.fail("to", "must not be where `from` is");
    cut.point = 0.5 * (from + to);
    cut.half_length = 0.5 * (to - from).norm();
    cut.along = (to - from).normalized();
    cut.normal = right_of(cut.along);
    return cut;
}
Cut<3> read_segment(Parameters& parameters, const Cut<3>&) {
    parameters.fail("", "a segment cuts the plane; in 3D give a `plane`, `rectangle` or `ribbon`");
}

Cut<3> read_rectangle(Parameters& parameters, const Cut<3>&) {
    Cut<3> cut;
    cut.kind = Cut<3>::Kind::rectangle;
    cut.point = parameters.point<3>("centre", Vec<3>::Zero());
    cut.normal = parameters.direction<3>("normal", Vec<3>::UnitX());
    const Vec<3> up = parameters.direction<3>("up", std::abs(cut.normal.z()) < 0.9 ? Vec<3>::UnitZ() : Vec<3>::UnitX());
    const Vec<3> along = up - up.dot(cut.normal) * cut.normal;
    if (along.norm() < 1e-9) parameters.fail("up", "must not be along the normal");
    cut.along = along.normalized();
    const auto width = parameters.positive_length("width"), height = parameters.positive_length("height");
    if (!width) parameters.fail("width", "is missing");
    if (!height) parameters.fail("height", "is missing");
    cut.half_length = 0.5 * *height;
    cut.half_width = 0.5 * *width;
    return cut;
}
Cut<2> read_rectangle(Parameters& parameters, const Cut<2>&) {
    parameters.fail("", "a rectangle cuts space; in 2D give a `segment` or `plane`");
}

template <int Dim>
Cut<Dim> read_ribbon(Parameters& parameters) {
    Cut<Dim> cut;
    cut.kind = Cut<Dim>::Kind::ribbon;
    cut.point = parameters.point<Dim>("axis", Vec<Dim>::Zero());
    const auto from = parameters.lengths("from", 2), to = parameters.lengths("to", 2);
    if (from.empty()) parameters.fail("from", "is missing; give it: [distance from the axis, height]");
    if (to.empty()) parameters.fail("to", "is missing; give it: [distance from the axis, height]");
    cut.from = {from[0], from[1]};
    cut.to = {to[0], to[1]};
    if (from[0] < 0.0) parameters.fail("from", "must have a distance from the axis of at least 0");
    if (to[0] < 0.0) parameters.fail("to", "must have a distance from the axis of at least 0");
    if (cut.from == cut.to) parameters.fail("to", "must not be where `from` is");
    return cut;
}

/// Two mirrored segments in the plane; the surface of a frustum of a cone in space.
double ribbon_measure(const Vec<2>&, const Vec<2>& from, const Vec<2>& to) { return 2.0 * (to - from).norm(); }
double ribbon_measure(const Vec<3>&, const Vec<2>& from, const Vec<2>& to) {
    return std::numbers::pi * (from.x() + to.x()) * (to - from).norm();
}

template <int Dim>
Cut<Dim> read_plane(Parameters& parameters) {
    Cut<Dim> cut;
    cut.point = parameters.point<Dim>("point", Vec<Dim>::Zero());
    if (!parameters.has("normal")) parameters.fail("normal", "is missing");
    cut.normal = parameters.direction<Dim>("normal", Vec<Dim>::UnitX());
    return cut;
}

/// A contact in the frame of the cut: how far each centre lies beyond it, and whether its point projects on it.
template <int Dim>
struct Passage {
    double a = 0.0, b = 0.0;
    bool on = false;
};

template <int Dim>
Passage<Dim> flat_passage(const Cut<Dim>& cut, const Vec<Dim>& a, const Vec<Dim>& b, const Vec<Dim>& point) {
    const Vec<Dim> d = point - cut.point;
    bool on = true;
    if (cut.kind != Cut<Dim>::Kind::plane) on = std::abs(d.dot(cut.along)) <= cut.half_length;
    if (cut.kind == Cut<Dim>::Kind::rectangle) on = on && std::abs(d.dot(third(cut.normal, cut.along))) <= cut.half_width;
    return {(a - cut.point).dot(cut.normal), (b - cut.point).dot(cut.normal), on};
}

template <int Dim>
Vec<2> meridian(const Vertical<Dim>& axis, const Vec<Dim>& x) { return {axis.distance(x), axis.height(x)}; }

template <int Dim>
Passage<Dim> ribbon_passage(const Cut<Dim>& cut, const Vertical<Dim>& axis, const Vec<Dim>& a, const Vec<Dim>& b,
                            const Vec<Dim>& point) {
    const Vec<2> way = cut.to - cut.from, n = right_of(way);
    const double s = (meridian(axis, point) - cut.from).dot(way) / way.squaredNorm();
    return {(meridian(axis, a) - cut.from).dot(n), (meridian(axis, b) - cut.from).dot(n), s >= 0.0 && s <= 1.0};
}

template <int Dim>
bool has_side(const Snapshot<Dim>& snapshot, std::size_t i, bool walls) {
    return snapshot.radius[i] > 0.0 && (walls || !snapshot.wall[i]);
}

}  // namespace

template <int Dim>
double Cut<Dim>::measure() const {
    switch (kind) {
        case Kind::plane: return std::numeric_limits<double>::quiet_NaN();
        case Kind::segment: return 2.0 * half_length;
        case Kind::rectangle: return 4.0 * half_length * half_width;
        case Kind::ribbon: return ribbon_measure(point, from, to);
    }
    return 0.0;
}

template <int Dim>
double Cut<Dim>::angle(const Vec<Dim>& up) const {
    if (kind == Kind::ribbon) return line_angle(to.x() - from.x(), to.y() - from.y());
    return line_angle(-normal.dot(up), normal.dot(horizontal(normal, up)));
}

template <int Dim>
Cut<Dim> read_cut(Parameters& parameters) {
    const std::vector<std::string> kinds{"segment", "plane", "rectangle", "ribbon"};
    std::string kind;
    int found = 0;
    for (const auto& name : kinds)
        if (parameters.has(name)) {
            kind = name;
            ++found;
        }
    if (found != 1) parameters.fail("", "must have exactly one of its kinds; give `segment`, `plane`, `rectangle`, `ribbon`");
    const std::string label = parameters.name("label", "");
    const Spec inside = parameters.child(kind);
    Parameters sizes(inside, Dim);
    const Cut<Dim> which;
    Cut<Dim> cut = kind == "segment"     ? read_segment(sizes, which)
                   : kind == "plane"     ? read_plane<Dim>(sizes)
                   : kind == "rectangle" ? read_rectangle(sizes, which)
                                         : read_ribbon<Dim>(sizes);
    sizes.finish();
    cut.label = label;
    return cut;
}

template <int Dim>
CutForce<Dim> force_through(const Snapshot<Dim>& snapshot, const std::vector<ContactForce<Dim>>& forces, const Cut<Dim>& cut,
                            bool walls) {
    const Vertical<Dim> axis = vertical(snapshot, cut.point);
    const bool turns = cut.kind == Cut<Dim>::Kind::ribbon;
    const Vec<2> n = turns ? Vec<2>(right_of(cut.to - cut.from).normalized()) : Vec<2>(Vec<2>::Zero());
    CutForce<Dim> sum;
    for (const auto& contact : forces) {
        const auto a = static_cast<std::size_t>(contact.a), b = static_cast<std::size_t>(contact.b);
        if (!has_side(snapshot, a, walls) || !has_side(snapshot, b, walls)) continue;
        // Centres as seen from the contact: a pair across a periodic border is no pair across the cut.
        const Vec<Dim> centre_a = contact.point - arm(snapshot, a, contact.point);
        const Vec<Dim> centre_b = contact.point - arm(snapshot, b, contact.point);
        const auto passage = turns ? ribbon_passage(cut, axis, centre_a, centre_b, contact.point)
                                   : flat_passage(cut, centre_a, centre_b, contact.point);
        if (!passage.on || (passage.a >= 0.0) == (passage.b >= 0.0)) continue;
        const Vec<Dim> force = passage.a >= 0.0 ? contact.force : Vec<Dim>(-contact.force);  // on the side n points to
        ++sum.contacts;
        sum.force += force;
        if (!turns) continue;
        const Vec<Dim> out = axis.outward(contact.point);
        const Vec<Dim> outward = out.norm() > 0.0 ? Vec<Dim>(out.normalized()) : across(axis.up);
        sum.axial += force.dot(axis.up);
        sum.radial += force.dot(outward);
        sum.azimuthal += force.dot(around(outward, axis.up));
    }
    if (turns) {
        sum.normal = sum.radial * n.x() + sum.axial * n.y();
        sum.tangential = -sum.radial * n.y() + sum.axial * n.x();
        sum.angle = line_angle(sum.radial, sum.axial);
        return sum;
    }
    sum.normal = sum.force.dot(cut.normal);
    sum.tangential = tangential_part(sum.force, cut);
    sum.angle = line_angle(sum.force.dot(horizontal(cut.normal, axis.up)), sum.force.dot(axis.up));
    return sum;
}

template struct Cut<2>;
template struct Cut<3>;
template Cut<2> read_cut<2>(Parameters&);
template Cut<3> read_cut<3>(Parameters&);
template CutForce<2> force_through<2>(const Snapshot<2>&, const std::vector<ContactForce<2>>&, const Cut<2>&, bool);
template CutForce<3> force_through<3>(const Snapshot<3>&, const std::vector<ContactForce<3>>&, const Cut<3>&, bool);

}  // namespace talus::observe
