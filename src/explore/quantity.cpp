#include "explore/quantity.h"

#include <utility>

#include "talus/error.h"

namespace talus::explore {
namespace {

template <int Dim>
Quantity blank(const ForceSet<Dim>& set, std::string name) {
    return {std::move(name), Eigen::VectorXd::Zero(set.columns())};
}

/// Adds `sign` times the component along `direction` (world axes) of the force that b gives a in contact k.
template <int Dim>
void add(const ForceSet<Dim>& set, std::size_t k, const Vec<Dim>& direction, double sign, Quantity& to) {
    to.weights.template segment<Dim>(static_cast<Eigen::Index>(k) * Dim) += sign * (set.contacts[k].frame * direction);
}

/// Which body a contact touches on a side, glued pieces counting for their carrier.
template <int Dim>
bool is_part(const ForceSet<Dim>& set, std::size_t piece, std::size_t body) {
    return piece == body || set.carrier[piece] == static_cast<std::int32_t>(body);
}

/// On which side of the cut a body of contact k lies.
template <int Dim>
bool is_before(const ForceSet<Dim>& set, const World<Dim>& world, const Cut<Dim>& cut, std::size_t k, std::size_t body) {
    const Vec<Dim>& at = world.is_wall(body) ? set.contacts[k].contact.point : world.positions()[body];
    return (at - cut.point).dot(cut.normal) > 0.0;
}

}  // namespace

template <int Dim>
std::vector<std::size_t> contacts_between(const ForceSet<Dim>& set, std::size_t first, std::size_t second, int number) {
    std::vector<std::size_t> found;
    for (std::size_t k = 0; k < set.contacts.size(); ++k) {
        const auto& c = set.contacts[k];
        if ((is_part(set, c.a, first) && is_part(set, c.b, second)) || (is_part(set, c.a, second) && is_part(set, c.b, first)))
            found.push_back(k);
    }
    if (found.empty()) throw InputError("the two bodies do not touch in this state");
    if (number == 0) return found;
    if (number < 0 || static_cast<std::size_t>(number) > found.size())
        throw InputError("the two bodies touch in " + std::to_string(found.size()) + " contacts; there is no number " + std::to_string(number));
    return {found[static_cast<std::size_t>(number) - 1]};
}

template <int Dim>
Quantity normal_force(const ForceSet<Dim>& set, const std::vector<std::size_t>& contacts, std::string name) {
    Quantity q = blank(set, std::move(name));
    for (const std::size_t k : contacts) q.weights[static_cast<Eigen::Index>(k) * Dim] = 1.0;
    return q;
}

template <int Dim>
Quantity tangential_force(const ForceSet<Dim>& set, const std::vector<std::size_t>& contacts, std::string name) {
    Quantity q = blank(set, std::move(name));
    for (const std::size_t k : contacts) q.weights[static_cast<Eigen::Index>(k) * Dim + 1] = 1.0;
    return q;
}

template <int Dim>
Quantity force_on(const ForceSet<Dim>& set, const std::vector<std::size_t>& contacts, std::size_t first, int axis,
                  std::string name) {
    Quantity q = blank(set, std::move(name));
    for (const std::size_t k : contacts)
        add<Dim>(set, k, Vec<Dim>::Unit(axis), is_part(set, set.contacts[k].a, first) ? 1.0 : -1.0, q);
    return q;
}

template <int Dim>
Quantity total_force(const ForceSet<Dim>& set, std::size_t body, int axis, std::string name) {
    Quantity q = blank(set, std::move(name));
    for (std::size_t k = 0; k < set.contacts.size(); ++k) {
        if (is_part(set, set.contacts[k].a, body)) add<Dim>(set, k, Vec<Dim>::Unit(axis), 1.0, q);
        if (is_part(set, set.contacts[k].b, body)) add<Dim>(set, k, Vec<Dim>::Unit(axis), -1.0, q);
    }
    return q;
}

template <int Dim>
Quantity cut_force(const ForceSet<Dim>& set, const World<Dim>& world, const Cut<Dim>& cut, const Vec<Dim>& direction,
                   std::string name) {
    Quantity q = blank(set, std::move(name));
    for (std::size_t k = 0; k < set.contacts.size(); ++k) {
        const auto& c = set.contacts[k];
        if (cut.length > 0.0) {
            const double along = (c.contact.point - cut.point).dot(cut.along);
            if (along < 0.0 || along > cut.length) continue;
        }
        const bool a = is_before(set, world, cut, k, c.a), b = is_before(set, world, cut, k, c.b);
        if (a != b) add<Dim>(set, k, direction, a ? 1.0 : -1.0, q);
    }
    return q;
}

#define TALUS_INSTANTIATE(Dim)                                                                                              \
    template std::vector<std::size_t> contacts_between<Dim>(const ForceSet<Dim>&, std::size_t, std::size_t, int);           \
    template Quantity normal_force<Dim>(const ForceSet<Dim>&, const std::vector<std::size_t>&, std::string);                \
    template Quantity tangential_force<Dim>(const ForceSet<Dim>&, const std::vector<std::size_t>&, std::string);            \
    template Quantity force_on<Dim>(const ForceSet<Dim>&, const std::vector<std::size_t>&, std::size_t, int, std::string);  \
    template Quantity total_force<Dim>(const ForceSet<Dim>&, std::size_t, int, std::string);                                \
    template Quantity cut_force<Dim>(const ForceSet<Dim>&, const World<Dim>&, const Cut<Dim>&, const Vec<Dim>&, std::string);
TALUS_INSTANTIATE(2)
TALUS_INSTANTIATE(3)
#undef TALUS_INSTANTIATE

}  // namespace talus::explore
