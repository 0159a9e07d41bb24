#include "observe/moments.h"

#include <cmath>

namespace talus::observe {

template <int Dim>
Vec<Dim> arm(const Snapshot<Dim>& snapshot, std::size_t i, const Vec<Dim>& point) {
    Vec<Dim> d = point - snapshot.position[i];
    for (int k = 0; k < Dim; ++k) {
        if (!snapshot.periodic[static_cast<std::size_t>(k)]) continue;
        const double length = snapshot.cell_high[k] - snapshot.cell_low[k];
        d[k] -= length * std::round(d[k] / length);
    }
    return d;
}

template <int Dim>
Vec<Dim> branch(const Snapshot<Dim>& snapshot, const ContactForce<Dim>& contact) {
    const auto a = static_cast<std::size_t>(contact.a), b = static_cast<std::size_t>(contact.b);
    Vec<Dim> way = Vec<Dim>::Zero();
    if (snapshot.radius[b] > 0.0) way += arm(snapshot, b, contact.point);
    if (snapshot.radius[a] > 0.0) way -= arm(snapshot, a, contact.point);
    return way;
}

template <int Dim>
Mat<Dim> moment_of(const Snapshot<Dim>& snapshot, const ContactForce<Dim>& contact, const std::vector<std::uint8_t>& inside) {
    Mat<Dim> sum = Mat<Dim>::Zero();
    const auto a = static_cast<std::size_t>(contact.a), b = static_cast<std::size_t>(contact.b);
    if (inside[a]) sum -= contact.force * arm(snapshot, a, contact.point).transpose();
    if (inside[b]) sum += contact.force * arm(snapshot, b, contact.point).transpose();
    return sum;
}

template <int Dim>
Mat<Dim> moment_sum(const Snapshot<Dim>& snapshot, const std::vector<ContactForce<Dim>>& forces,
                    const std::vector<std::uint8_t>& inside) {
    Mat<Dim> sum = Mat<Dim>::Zero();
    for (const auto& contact : forces) sum += moment_of(snapshot, contact, inside);
    return sum;
}

template Vec<2> arm<2>(const Snapshot<2>&, std::size_t, const Vec<2>&);
template Vec<3> arm<3>(const Snapshot<3>&, std::size_t, const Vec<3>&);
template Vec<2> branch<2>(const Snapshot<2>&, const ContactForce<2>&);
template Vec<3> branch<3>(const Snapshot<3>&, const ContactForce<3>&);
template Mat<2> moment_of<2>(const Snapshot<2>&, const ContactForce<2>&, const std::vector<std::uint8_t>&);
template Mat<3> moment_of<3>(const Snapshot<3>&, const ContactForce<3>&, const std::vector<std::uint8_t>&);
template Mat<2> moment_sum<2>(const Snapshot<2>&, const std::vector<ContactForce<2>>&, const std::vector<std::uint8_t>&);
template Mat<3> moment_sum<3>(const Snapshot<3>&, const std::vector<ContactForce<3>>&, const std::vector<std::uint8_t>&);

}  // namespace talus::observe
