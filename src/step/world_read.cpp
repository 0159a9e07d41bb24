/// \file
/// The reading half of a world: arrays, contacts, questions.
#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <tuple>

#include "detect/narrow/boundary.h"
#include "detect/narrow/pair_contacts.h"
#include "laws/link.h"
#include "math/rotation.h"
#include "step/step_problem.h"
#include "step/world_impl.h"

namespace talus {
namespace {

/// The cone's edge is reached to rounding when the tangential impulse was brought back to it.
constexpr double edge = 1e-12;

/// S^ = S + C h n, along the normal, and what friction carries of it in units of its bound.
struct Load {
    double normal, tangential;
};

template <int Dim>
Load load_of(const StepWork<Dim>& k, std::size_t c) {
    const ContactRecord r = k.links.record(c);
    const double pull = k.links.pull.empty() ? 0.0 : k.links.pull[c];
    const Vec<Dim>& n = k.touch.touches[c].normal;
    if (r.kind() != ContactRecord::Kind::link) {
        const Vec<Dim> S = impulse_of(k.problem, k.links, c);
        const double pn = S.dot(n), pt = (S - pn * n).norm();
        const double mu = r.kind() == ContactRecord::Kind::ball ? k.problem.balls.mu(r.index()) : k.problem.generals[r.index()].mu;
        return {pn + pull, pt >= mu * (pn + pull) * (1.0 - edge) ? 1.0 : 0.0};
    }
    const LinkContact<Dim>& link = k.problem.links[r.index()];
    return {link.S[0], link.law.held ? 0.0 : friction_used<Dim>(link.law, link.S)};
}

template <int Dim>
ContactStatus status_of(const StepWork<Dim>& k, std::size_t c) {
    const Load load = load_of(k, c);
    if (load.normal <= 0.0) return ContactStatus::open;
    return load.tangential >= 1.0 - edge ? ContactStatus::sliding : ContactStatus::sticking;
}

/// FNV-1a over bytes.
class Digest {
public:
    template <class Array>
    void add(const Array& array) {
        for (std::size_t i = 0; i < array.size(); ++i) add_one(array[i]);
    }
    template <class T>
    void add_one(const T& one) {
        const auto* p = reinterpret_cast<const unsigned char*>(&one);
        for (std::size_t i = 0; i < sizeof(T); ++i) value_ = (value_ ^ p[i]) * 0x100000001B3ull;
    }
    [[nodiscard]] std::uint64_t value() const { return value_; }

private:
    std::uint64_t value_ = 0xCBF29CE484222325ull;
};

}  // namespace

template <int Dim>
Vec<Dim> World<Dim>::Impl::contact_point(std::size_t k) const {
    const auto& t = work.touch.touches[k];
    const Vec<Dim>& centre = work.at.position[t.a];
    if (const Vec<Dim>* arm = work.touch.arm(k)) return centre + *arm;
    return centre - bodies.radius[t.a] * t.normal;
}

template <int Dim>
std::vector<Contact<Dim>> World<Dim>::contacts() const {
    const Impl& w = *impl_;
    std::vector<Contact<Dim>> all;
    if (!w.has_contacts) return all;
    const auto& k = w.work;
    all.reserve(k.touch.touches.size());
    for (std::size_t c = 0; c < k.touch.touches.size(); ++c) {
        const Touch<Dim>& t = k.touch.touches[c];
        if (t.a < 0 || t.b < 0) continue;  // a body of this contact was removed since
        Contact<Dim> contact;
        contact.a = w.bodies.id[t.a];
        contact.b = w.bodies.id[t.b];
        contact.feature = t.feature;
        contact.normal = t.normal;
        contact.gap = t.gap;
        contact.point = w.contact_point(c);
        contact.impulse = impulse_of(k.problem, k.links, c);
        contact.velocity_before = velocity_before(k.problem, k.links, c);
        contact.velocity_after = velocity_of(k.problem, k.links, c);
        const FrozenCoefficients f = frozen_coefficients<Dim>(w.laws[w.materials.law_of(w.bodies.material[t.a], w.bodies.material[t.b])], contact.velocity_before, t.normal);
        contact.restitution = f.rho;
        contact.tangential_restitution = f.tau;
        contact.friction = f.mu;
        contact.status = status_of<Dim>(k, c);
        if (!k.links.couple_before.empty()) contact.couple = couple_of(k.problem, k.links, c);
        if (!k.links.bond.empty()) {
            contact.bond = k.links.bond[c];
            contact.cohesion = k.links.pull[c] / k.step;
        }
        all.push_back(contact);
    }
    return all;
}

template <int Dim>
StepProblem<Dim> World<Dim>::step_problem() const {
    const Impl& w = *impl_;
    StepProblem<Dim> out;
    if (!w.has_contacts) return out;
    out.problem = w.work.problem;
    out.problem.threads = nullptr;  // they are the world's
    for (std::size_t c = 0; c < w.work.touch.touches.size(); ++c) {
        const Touch<Dim>& t = w.work.touch.touches[c];
        if (t.a >= 0 && t.b >= 0) out.record.push_back(w.work.links.record(c));
    }
    out.line.assign(w.candidates.rank.begin(), w.candidates.rank.end());
    for (std::size_t i = 0; i < w.bodies.size(); ++i) out.carrier.push_back(w.bodies.carrier(i));
    return out;
}

template <int Dim>
Vec<Dim> World<Dim>::contact_impulse(BodyId id) const { return contact_impulses()[impl_->index_of(id)]; }

template <int Dim>
std::vector<Vec<Dim>> World<Dim>::contact_impulses(bool of_balls) const {
    const Impl& w = *impl_;
    std::vector<Vec<Dim>> sums(w.bodies.size(), Vec<Dim>::Zero());
    if (!w.has_contacts) return sums;
    const auto give = [&](std::int32_t i, const Vec<Dim>& impulse) {
        if (i < 0) return;
        sums[static_cast<std::size_t>(i)] += impulse;
        if (w.bodies.glued_to[i] >= 0) sums[static_cast<std::size_t>(w.bodies.glued_to[i])] += impulse;
    };
    const auto is_asked = [&](std::int32_t i) { return i >= 0 && (of_balls || !w.bodies.is_ball(i) || w.bodies.glued_to[i] >= 0); };
    for (std::size_t c = 0; c < w.work.touch.touches.size(); ++c) {
        const Touch<Dim>& t = w.work.touch.touches[c];
        if (!is_asked(t.a) && !is_asked(t.b)) continue;
        const Vec<Dim> S = impulse_of(w.work.problem, w.work.links, c);
        give(t.a, S);
        give(t.b, -S);
    }
    return sums;
}

template <int Dim>
void World<Dim>::accumulate_contacts(bool on) {
    ContactCache<Dim>& cache = impl_->cache;
    if (on) spell_out(cache, impl_->work.problem);
    cache.keeps_sums = on;
    clear_contact_sums();
}

template <int Dim>
void World<Dim>::clear_contact_sums() {
    ContactCache<Dim>& cache = impl_->cache;
    cache.closed.clear();
    cache.sum.assign(cache.keeps_sums ? cache.size() : 0, Vec<Dim>::Zero());
    cache.point.resize(cache.keeps_sums ? cache.size() : 0, Vec<Dim>::Zero());
}

template <int Dim>
std::vector<ContactSum<Dim>> World<Dim>::contact_sums() const {
    const Impl& w = *impl_;
    std::map<std::tuple<BodyId, BodyId, std::uint32_t>, ContactSum<Dim>> merged;
    const auto add = [&](const ContactSum<Dim>& s) {
        auto [it, is_new] = merged.try_emplace({s.a, s.b, s.feature}, s);
        if (is_new) return;
        const Vec<Dim> total = it->second.impulse + s.impulse;
        it->second = s;  // the later sighting says where it is
        it->second.impulse = total;
    };
    for (const auto& s : w.cache.closed) add(s);
    for (std::size_t e = 0; e < w.cache.sum.size(); ++e)
        add({w.bodies.id[w.cache.a[e]], w.bodies.id[w.cache.b[e]], w.cache.feature[e], w.cache.point[e],
             w.cache.normal[e], w.cache.sum[e]});
    std::vector<ContactSum<Dim>> all;
    for (const auto& [key, s] : merged)
        if (!s.impulse.isZero(0.0)) all.push_back(s);
    return all;
}

template <int Dim>
double World<Dim>::clearance(const Vec<Dim>& centre, double radius) const {
    const Impl& w = *impl_;
    const Bodies<Dim>& b = w.bodies;
    double least = std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < b.size(); ++i) {
        const Vec<Dim> d = w.cell.nearest(centre - b.position[i]);
        if (const double near = least + radius + b.radius[i]; near > 0.0 && d.squaredNorm() > 1.001 * near * near && !b.is_boundary(i)) continue;
        const double by_bound = d.norm() - radius - b.radius[i];
        if (b.is_ball(i)) {
            least = std::min(least, by_bound);
        } else if (b.is_boundary(i) || by_bound < least) {
            const Vec<Dim> local = matrix_of<Dim>(b.rotation[i]).transpose() * d;
            least = std::min(least, ball_gap<Dim>(local, radius, boundary_shape(*w.shapes, b.shape[i]), least));
        }
    }
    return least;
}

template <int Dim>
double World<Dim>::gap(BodyId first, BodyId second, double limit) const {
    const Impl& w = *impl_;
    const Bodies<Dim>& bodies = w.bodies;
    std::size_t a = w.index_of(first), b = w.index_of(second);
    if (bodies.is_boundary(a)) std::swap(a, b);
    double least = std::numeric_limits<double>::infinity();
    if (bodies.is_boundary(a)) return least;
    const Vec<Dim> d = w.cell.nearest(bodies.position[a] - bodies.position[b]);
    if (bodies.is_ball(a) && bodies.is_ball(b)) {
        const double gap = d.norm() - bodies.radius[a] - bodies.radius[b];
        return gap <= limit ? gap : least;
    }
    for (const auto& p : contacts_of_pair<Dim>({bodies, *w.shapes, w.cell, bodies.position, bodies.rotation}, a, b, limit)) least = std::min(least, p.gap);
    return least;
}

template <int Dim>
std::uint64_t World<Dim>::hash() const {
    const Impl& w = *impl_;
    Digest digest;
    w.bodies.for_each_array([&](const auto& array) { digest.add(array); });
    digest.add(w.cache.a); digest.add(w.cache.b); digest.add(w.cache.feature);
    const auto last = [&](std::size_t e) { return last_contact(w.cache, w.work.problem, e); };
    for (std::size_t e = 0; e < w.cache.size(); ++e) digest.add_one(last(e).normal);
    for (std::size_t e = 0; e < w.cache.size(); ++e) digest.add_one(last(e).pn);
    for (std::size_t e = 0; e < w.cache.size(); ++e) digest.add_one(last(e).pt);
    digest.add(w.cache.sum);
    digest.add(w.cache.couple); digest.add(w.cache.bond);
    digest.add(std::vector<double>{w.time});
    for (const auto& j : w.joints) {
        digest.add(std::vector<Vec<Dim>>{j.impulse, j.start});
        digest.add(std::vector<Spin<Dim>>{j.moment, j.start_moment});
    }
    return digest.value();
}

template <int Dim>
std::size_t World<Dim>::bytes() const {
    const Impl& w = *impl_;
    std::size_t sum = 0;
    const auto add = [&](const auto& array) { sum += array.capacity() * sizeof(array[0]); };
    w.bodies.for_each_array(add);
    const auto& k = w.work;
    add(w.cache.a); add(w.cache.b); add(w.cache.feature); add(w.cache.normal); add(w.cache.pn); add(w.cache.pt);
    add(w.cache.sum); add(w.cache.next_sum); add(w.cache.point); add(w.cache.couple); add(w.cache.bond);
    add(w.candidates.order); add(w.candidates.rank); add(w.candidates.grain_begin); add(w.candidates.grains);
    add(w.candidates.wall_begin); add(w.candidates.walls); add(w.candidates.built_position); add(w.candidates.margin);
    add(w.candidates.way); add(w.candidates.ahead); add(k.patch.grain_rows); add(k.patch.wall_rows); add(k.patch.is_patched);
    add(k.at.position); add(k.at.rotation); add(k.motion.slot); add(k.touch.touches); add(k.touch.arms);
    add(k.touch.grains); sum += k.touch.memories.bytes(); add(k.ways.turn); add(k.ways.need); add(k.ways.mover);
    for (const auto& part : k.touch.parts) { add(part.touches); add(part.arms); add(part.lost); add(part.found); }
    add(k.problem.lines); add(k.problem.free_lines); add(k.problem.generals); add(k.problem.links);
    add(k.links.couple_before); add(k.links.couple_wall); add(k.links.pull); add(k.links.bond); add(k.links.unpulled);
    add(k.links.records); add(k.links.wall); add(k.links.simple); add(k.links.gyroscopic);
    add(k.correction_work.others);
    add(w.joints); add(k.joints); add(k.links.ball_touch); add(k.problem.domain);
    sum += k.aside.bytes() + k.problem.by_body.bytes() + k.problem.by_contact.bytes() + k.problem.balls.bytes() + k.links.arranger.bytes() + (w.solver ? w.solver->bytes() : 0);
    return sum;
}

template <int Dim>
std::size_t World<Dim>::size() const { return impl_->bodies.size(); }
template <int Dim>
std::span<const BodyId> World<Dim>::ids() const { return impl_->bodies.id; }
template <int Dim>
std::span<const Vec<Dim>> World<Dim>::positions() const { return impl_->bodies.position; }
template <int Dim>
std::span<const Eigen::Matrix<std::int32_t, Dim, 1>> World<Dim>::images() const { return impl_->bodies.image; }
template <int Dim>
std::span<const Rotation<Dim>> World<Dim>::rotations() const { return impl_->bodies.rotation; }
template <int Dim>
std::span<const Vec<Dim>> World<Dim>::velocities() const { return impl_->bodies.velocity; }
template <int Dim>
std::span<const Spin<Dim>> World<Dim>::spins() const { return impl_->bodies.spin; }
template <int Dim>
std::span<const double> World<Dim>::radii() const { return impl_->bodies.radius; }
template <int Dim>
std::span<const double> World<Dim>::masses() const { return impl_->bodies.mass; }
template <int Dim>
std::span<const MaterialId> World<Dim>::materials() const { return impl_->bodies.material; }
template <int Dim>
std::span<const std::int32_t> World<Dim>::tags() const { return impl_->bodies.tag; }
template <int Dim>
std::span<const double> World<Dim>::births() const { return impl_->bodies.birth; }
template <int Dim>
std::span<const std::uint8_t> World<Dim>::driven() const { return impl_->bodies.driven; }
template <int Dim>
std::span<const std::int32_t> World<Dim>::shapes() const { return impl_->bodies.shape; }
template <int Dim>
const ShapeSpec& World<Dim>::shape(std::int32_t k) const { return impl_->shapes->specs().at(static_cast<std::size_t>(k)); }
template <int Dim>
std::shared_ptr<const ShapeTable<Dim>> World<Dim>::shape_table() const { return impl_->shapes; }
template <int Dim>
std::span<const Spin<Dim>> World<Dim>::inertias() const { return impl_->bodies.inertia; }
template <int Dim>
bool World<Dim>::is_ball(std::size_t i) const { return impl_->bodies.is_ball(i); }
template <int Dim>
bool World<Dim>::is_grain(std::size_t i) const { return !impl_->bodies.is_boundary(i) && !impl_->bodies.is_wall(i); }
template <int Dim>
bool World<Dim>::is_wall(std::size_t i) const { return impl_->bodies.is_wall(i); }
template <int Dim>
std::size_t World<Dim>::index_of(BodyId id) const { return impl_->index_of(id); }
template <int Dim>
bool World<Dim>::contains(BodyId id) const {
    return std::binary_search(impl_->bodies.id.begin(), impl_->bodies.id.end(), id);
}
template <int Dim>
const std::string& World<Dim>::material_name(MaterialId id) const { return impl_->materials.name(id); }

template class World<2>;
template class World<3>;

}  // namespace talus
