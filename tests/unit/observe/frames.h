#pragma once
// Frames made by hand, small enough that every measured number can be worked out on paper.

#include <cmath>
#include <numbers>

#include "observe/registry.h"
#include "step/snapshot.h"

namespace talus::observe {

template <int Dim>
Snapshot<Dim> empty_frame(double g = 10.0) {
    Snapshot<Dim> frame;
    frame.h = 0.01;
    frame.gravity = -g * Vec<Dim>::Unit(Dim - 1);
    frame.shapes = {{"ball", {}}, {"plane", {}}};
    frame.material_names = {"grain"};
    return frame;
}

template <int Dim>
BodyId add_body(Snapshot<Dim>& frame, const Vec<Dim>& position, double radius, double mass, bool wall, std::int32_t tag = 0) {
    const auto id = static_cast<BodyId>(frame.size());
    frame.id.push_back(id);
    frame.position.push_back(position);
    frame.image.push_back(Eigen::Matrix<std::int32_t, Dim, 1>::Zero());
    frame.rotation.push_back({});
    frame.velocity.push_back(Vec<Dim>::Zero());
    frame.spin.push_back(Spin<Dim>::Zero());
    frame.radius.push_back(radius);
    frame.mass.push_back(mass);
    frame.material.push_back(0);
    frame.tag.push_back(tag);
    frame.birth.push_back(0.0);
    frame.driven.push_back(wall ? 0xff : 0);
    frame.wall.push_back(wall);
    frame.shape.push_back(radius > 0.0 ? 0 : 1);
    return id;
}

template <int Dim>
BodyId add_grain(Snapshot<Dim>& frame, const Vec<Dim>& position, double radius = 1.0, double mass = 1.0) {
    return add_body(frame, position, radius, mass, false);
}

template <int Dim>
BodyId add_wall(Snapshot<Dim>& frame, std::int32_t tag = 0) {
    return add_body<Dim>(frame, Vec<Dim>::Zero(), 0.0, 0.0, true, tag);
}

/// A contact where b gives a the force `force` [N].
template <int Dim>
void add_contact(Snapshot<Dim>& frame, BodyId a, BodyId b, const Vec<Dim>& point, const Vec<Dim>& normal, const Vec<Dim>& force) {
    Contact<Dim> contact;
    contact.a = a;
    contact.b = b;
    contact.point = point;
    contact.normal = normal;
    contact.impulse = force * frame.h;
    contact.status = force.isZero() ? ContactStatus::open : ContactStatus::sticking;
    frame.contacts.push_back(contact);
}

inline Spec spec(const std::string& name, const nlohmann::json& parameters = nlohmann::json::object()) {
    Spec made;
    made.name = name;
    made.parameters = parameters;
    return made;
}

/// What `prepare` complains about.
template <int Dim = 3>
std::string complaint(const Spec& wrong) {
    try {
        (void)prepare<Dim>(wrong);
    } catch (const InputError& error) {
        return error.what();
    }
    return "no complaint";
}

}  // namespace talus::observe
