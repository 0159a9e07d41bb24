/// \file
/// Everything of a world that changes while it runs, as bytes, and back.
#include "state/archive.h"
#include "step/world_impl.h"

namespace talus {
namespace {

constexpr std::uint64_t magic = 0x37504B4353554C54ull;  // "TLUSCKP7" read as a little-endian number

template <int Dim, class F>
void for_each_cache_array(ContactCache<Dim>& c, F&& f) {
    f(c.a); f(c.b); f(c.feature); f(c.normal); f(c.pn); f(c.pt); f(c.sum); f(c.point); f(c.couple); f(c.bond);
}

/// As if it were spelled out.
template <int Dim>
void put_cache(ByteWriter& out, const ContactCache<Dim>& c, const ContactProblem<Dim>& last) {
    const auto part = [&](auto LastContact<Dim>::*one) { out.put_each(c.size(), [&, one](std::size_t e) { return last_contact(c, last, e).*one; }); };
    out.put_array(c.a); out.put_array(c.b); out.put_array(c.feature);
    part(&LastContact<Dim>::normal); part(&LastContact<Dim>::pn); part(&LastContact<Dim>::pt);
    out.put_array(c.sum); out.put_array(c.point); out.put_array(c.couple); out.put_array(c.bond);
}

template <int Dim, class F>
void for_each_list_array(CandidateList<Dim>& l, F&& f) {
    f(l.order); f(l.built_position); f(l.built_rotation); f(l.margin); f(l.way); f(l.ahead); f(l.reach);
}

void put_shapes(ByteWriter& out, const std::vector<ShapeSpec>& shapes) {
    out.put(static_cast<std::uint64_t>(shapes.size()));
    for (const ShapeSpec& s : shapes) {
        out.put_string(s.name);
        out.put_array(s.sizes);
    }
}

void get_shapes(ByteReader& in, std::vector<ShapeSpec>& shapes) {
    const auto n = in.get<std::uint64_t>();
    shapes.clear();
    for (std::uint64_t k = 0; k < n; ++k) {
        ShapeSpec s;
        s.name = in.get_string();
        in.get_array(s.sizes);
        shapes.push_back(std::move(s));
    }
}

/// The laws of drives stay with the world; their anchors are state.
void get_drives(ByteReader& in, std::vector<Drive>& drives) {
    const auto n = in.get<std::uint64_t>();
    if (n != drives.size()) throw IoError("checkpoint does not fit: it was made with other drives than this world has");
    for (Drive& d : drives) {
        const auto body = in.get<BodyId>();
        const auto freedom = in.get<std::int32_t>();
        if (body != d.body || freedom != d.freedom)
            throw IoError("checkpoint does not fit: it was made with other drives than this world has");
        d.anchor_time = in.get<double>();
        d.anchor = in.get<double>();
        d.displacement = in.get<double>();
    }
}

/// Everything of a joint that is a number with a fraction, in both directions.
template <int Dim, class F>
void for_each_joint_vector(JointState<Dim>& j, F&& f) {
    f(j.arm_a.data(), Dim); f(j.arm_b.data(), Dim); f(j.axis.data(), Dim); f(j.impulse.data(), Dim); f(j.start.data(), Dim);
    f(j.moment.data(), spin_size<Dim>); f(j.start_moment.data(), spin_size<Dim>); f(&j.length, 1);
    f(reinterpret_cast<double*>(&j.turn_a), sizeof(j.turn_a) / sizeof(double));
    f(reinterpret_cast<double*>(&j.turn_b), sizeof(j.turn_b) / sizeof(double));
}

template <int Dim>
void put_joints(ByteWriter& out, JointId next, std::vector<JointState<Dim>>& joints) {
    out.put(next);
    out.put(static_cast<std::uint64_t>(joints.size()));
    for (JointState<Dim>& j : joints) {
        out.put(j.id); out.put(j.a); out.put(j.b);
        out.put(static_cast<std::uint8_t>(j.kind)); out.put(static_cast<std::uint8_t>(j.collide));
        for_each_joint_vector(j, [&](double* x, std::size_t n) { for (std::size_t k = 0; k < n; ++k) out.put(x[k]); });
    }
}

template <int Dim>
void get_joints(ByteReader& in, JointId& next, std::vector<JointState<Dim>>& joints) {
    next = in.get<JointId>();
    const auto n = in.get<std::uint64_t>();
    joints.clear();
    for (std::uint64_t i = 0; i < n; ++i) {
        JointState<Dim> j;
        j.id = in.get<JointId>(); j.a = in.get<BodyId>(); j.b = in.get<BodyId>();
        j.kind = static_cast<JointKind>(in.get<std::uint8_t>());
        j.collide = in.get<std::uint8_t>() != 0;
        for_each_joint_vector(j, [&](double* x, std::size_t m) { for (std::size_t k = 0; k < m; ++k) x[k] = in.get<double>(); });
        joints.push_back(j);
    }
}

}  // namespace

template <int Dim>
std::vector<std::byte> World<Dim>::checkpoint() const {
    // Counted first, so that they are never moved to a larger place.
    std::size_t size = 0;
    checkpoint([&](std::span<const std::byte> piece) { size += piece.size(); });
    std::vector<std::byte> bytes;
    bytes.reserve(size);
    checkpoint([&](std::span<const std::byte> piece) { bytes.insert(bytes.end(), piece.begin(), piece.end()); });
    return bytes;
}

template <int Dim>
void World<Dim>::checkpoint(const ByteSink& sink) const {
    Impl& w = *impl_;
    ByteWriter out(sink);
    out.put(magic);
    out.put(static_cast<std::int32_t>(Dim));
    for (const double x : {w.time, w.time_base, w.energy.kinetic, w.energy.potential, w.bookings.created,
                           w.bookings.removed, w.bookings.frozen, w.h, w.turning})
        out.put(x);
    out.put(w.steps);
    out.put(w.steps_at_pace);
    out.put(w.next_id);
    out.put(static_cast<std::uint8_t>(w.candidates.valid));
    out.put(w.candidates.patched);
    out.put(static_cast<std::uint8_t>(w.cache.keeps_sums));
    put_shapes(out, w.shapes->specs());
    w.bodies.for_each_array([&](auto& array) { out.put_array(array); });
    put_cache(out, w.cache, w.work.problem);
    for_each_list_array(w.candidates, [&](auto& array) { out.put_array(array); });
    out.put_array(w.materials.bonding());
    out.put(static_cast<std::uint64_t>(w.cache.closed.size()));
    for (const auto& s : w.cache.closed) {
        out.put(s.a); out.put(s.b); out.put(s.feature);
        for (const auto* v : {&s.point, &s.normal, &s.impulse}) out.put_array(std::span<const double>(v->data(), Dim));
    }
    out.put(static_cast<std::uint64_t>(w.drives.size()));
    for (const Drive& d : w.drives) {
        out.put(d.body); out.put(static_cast<std::int32_t>(d.freedom));
        out.put(d.anchor_time); out.put(d.anchor); out.put(d.displacement);
    }
    put_joints<Dim>(out, w.next_joint, w.joints);
    out.flush();
}

template <int Dim>
void World<Dim>::restore(std::span<const std::byte> bytes) {
    Impl& w = *impl_;
    ByteReader in(bytes);
    if (in.get<std::uint64_t>() != magic) throw IoError("not a checkpoint of this version of talus");
    if (in.get<std::int32_t>() != Dim) throw IoError("checkpoint of a world of another dimension");
    for (double* x : {&w.time, &w.time_base, &w.energy.kinetic, &w.energy.potential, &w.bookings.created,
                      &w.bookings.removed, &w.bookings.frozen, &w.h, &w.turning})
        *x = in.get<double>();
    w.steps = in.get<std::int64_t>();
    w.steps_at_pace = in.get<std::int64_t>();
    w.next_id = in.get<BodyId>();
    const bool valid = in.get<std::uint8_t>() != 0;
    w.candidates.patched = in.get<std::int64_t>();
    w.cache.keeps_sums = in.get<std::uint8_t>() != 0;
    std::vector<ShapeSpec> shapes;
    get_shapes(in, shapes);
    w.shapes = std::make_shared<ShapeTable<Dim>>(shapes);
    w.bodies.for_each_array([&](auto& array) { in.get_array(array); });
    for_each_cache_array(w.cache, [&](auto& array) { in.get_array(array); });
    w.cache.in_problem = false;
    for_each_list_array(w.candidates, [&](auto& array) { in.get_array(array); });
    std::vector<std::uint8_t> bonding;
    in.get_array(bonding);
    if (bonding.size() != w.materials.laws().size())
        throw IoError("checkpoint does not fit: it was made with other laws than this world has");
    w.materials.set_bonding(std::move(bonding));
    w.cache.closed.resize(in.get<std::uint64_t>());
    for (auto& s : w.cache.closed) {
        s.a = in.get<BodyId>(); s.b = in.get<BodyId>(); s.feature = in.get<std::uint32_t>();
        for (auto* v : {&s.point, &s.normal, &s.impulse}) {
            std::vector<double> x;
            in.get_array(x);
            if (x.size() != Dim) throw IoError("checkpoint is damaged: a vector has the wrong size");
            *v = Eigen::Map<Vec<Dim>>(x.data());
        }
    }
    get_drives(in, w.drives);
    get_joints<Dim>(in, w.next_joint, w.joints);
    if (!in.at_end()) throw IoError("checkpoint is damaged: it is longer than it should be");
    w.has_contacts = false;
    w.work.touch.memories = {};   // bodies of the same ids may be others
    w.candidates.valid = false;
    if (!valid) return;
    const auto& list = w.candidates;
    const std::size_t known = list.built_position.size();
    if (known > w.bodies.size() || list.margin.size() != known || (!list.ahead.empty() && list.ahead.size() != known) ||
        list.way.size() != list.ahead.size() ||
        list.built_rotation.size() != list.reach.size())
        throw IoError("checkpoint is damaged: its list of near bodies does not fit the bodies");
    for (const std::int32_t i : list.order)
        if (i < 0 || static_cast<std::size_t>(i) >= known || w.bodies.is_boundary(i))
            throw IoError("checkpoint is damaged: its list of near bodies names a body that is none");
    find_pairs_apart(w.joints, w.bodies, w.candidates.apart);
    rebuild_from_record<Dim>({w.bodies, *w.shapes, w.cell, w.threads}, w.list_memory(), w.candidates);
    link_cache(w.cache, w.threads, w.candidates, w.work.lost);
}

template class World<2>;
template class World<3>;

}  // namespace talus
