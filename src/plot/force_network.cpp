#include "plot/force_network.h"

#include <algorithm>
#include <cmath>

namespace talus::plot {

namespace {

const std::string strong_colour = "#b2182b", weak_colour = "#7f8c99", plain_colour = "#1d2733";

template <int Dim>
struct Link {
    const observe::ContactForce<Dim>* contact;
    double force;   ///< [N]
};

template <int Dim>
std::vector<Link<Dim>> links_of(const std::vector<observe::ContactForce<Dim>>& contacts, const Camera<Dim>& camera, bool tangential) {
    std::vector<Link<Dim>> links;
    for (const auto& contact : contacts) {
        const double normal = contact.force.dot(contact.normal);
        if (!(normal > 0.0) || !camera.holds(contact.point)) continue;
        const double force = tangential ? (contact.force - normal * contact.normal).norm() : normal;
        links.push_back({&contact, force});
    }
    return links;
}

/// Where the segment ends on body `i`: at its centre, or at the contact where the centre is elsewhere (a wall, or a grain
/// across a periodic border).
template <int Dim>
Vec<Dim> end_at(const Snapshot<Dim>& snapshot, std::ptrdiff_t i, const Vec<Dim>& point) {
    const auto k = static_cast<std::size_t>(i);
    const bool near = snapshot.radius[k] > 0.0 && (snapshot.position[k] - point).norm() < 1.5 * snapshot.radius[k];
    return near ? snapshot.position[k] : point;
}

/// Half a mean radius to both sides of the contact, along the force.
template <int Dim>
std::pair<Vec<Dim>, Vec<Dim>> across(const Snapshot<Dim>& snapshot, const observe::ContactForce<Dim>& c) {
    double length = 0.0;
    for (const std::ptrdiff_t i : {c.a, c.b}) {
        const double r = snapshot.radius[static_cast<std::size_t>(i)];
        if (r > 0.0) length = length > 0.0 ? std::min(length, r) : r;
    }
    const Vec<Dim> along = c.force.normalized() * (0.7 * length);
    return {c.point - along, c.point + along};
}

template <int Dim>
ForceSegment segment_of(const Snapshot<Dim>& snapshot, const Camera<Dim>& camera, const Link<Dim>& link, bool at_contact) {
    const auto& c = *link.contact;
    const auto ends = at_contact ? across(snapshot, c) : std::pair(end_at(snapshot, c.a, c.point), end_at(snapshot, c.b, c.point));
    const Point2 from = camera.at(ends.first), to = camera.at(ends.second);
    return {from.x, from.y, to.x, to.y, link.force};
}

std::string note_of(const NetworkOptions& options) {
    std::string note = std::string("segments: ") + (options.part == "normal" ? "normal" : "tangential") + " forces, as wide as strong";
    if (options.strong == "mark") note += ", red above the mean";
    if (options.strong == "only") note += ", those above the mean alone";
    return note;
}

}  // namespace

OptionList network_options() {
    return {{"average", "true|false", "forces averaged over the frame's interval instead of those of its last step [false]"},
            {"strong", "all|mark|only", "mark the forces above the mean, or draw nothing but those [all]"},
            {"part", "normal|tangential", "which part of the force is drawn [normal]"},
            {"style", "centres|contact", "segments between the centres of bodies, or across the contact along the whole force [centres]"},
            {"least", "X", "leave out forces below X times the mean [0]"}};
}

NetworkOptions read_network_options(Options& options) {
    NetworkOptions n;
    n.average = options.flag("average", false);
    n.strong = options.choice("strong", {"all", "mark", "only"});
    n.part = options.choice("part", {"normal", "tangential"});
    n.style = options.choice("style", {"centres", "contact"});
    n.least = options.number("least", 0.0);
    return n;
}

template <int Dim>
void add_network(BodyPicture<Dim>& picture, const Snapshot<Dim>& snapshot, const NetworkOptions& options) {
    const auto contacts = observe::contact_forces(snapshot, options.average);
    const auto links = links_of(contacts, picture.camera, options.part == "tangential");
    double mean = 0.0;
    for (const auto& link : links) mean += link.force / static_cast<double>(links.size());
    picture.drawing.force_colour = plain_colour;
    picture.drawing.force_note = note_of(options);
    for (const auto& link : links) {
        const bool is_strong = link.force > mean;
        if (link.force < options.least * mean || (options.strong == "only" && !is_strong)) continue;
        ForceSegment segment = segment_of(snapshot, picture.camera, link, options.style == "contact");
        segment.force *= picture.newton.factor;
        if (options.strong == "mark") segment.colour = is_strong ? strong_colour : weak_colour;
        picture.drawing.forces.push_back(std::move(segment));
    }
}

template void add_network<2>(BodyPicture<2>&, const Snapshot<2>&, const NetworkOptions&);
template void add_network<3>(BodyPicture<3>&, const Snapshot<3>&, const NetworkOptions&);

}  // namespace talus::plot
