#include "talus/world.h"

#include <algorithm>
#include <cmath>

#include "shapes/solids.h"
#include "state/check_law.h"
#include "step/step_length.h"
#include "step/world_impl.h"

namespace talus {
namespace {

void require(bool holds, const std::string& message) {
    if (!holds) throw InputError(message);
}

template <int Dim>
void check(const Settings<Dim>& s) {
    require(std::isfinite(s.step) && s.step > 0.0, "the time step must be > 0, not " + std::to_string(s.step));
    const AdaptiveStep& a = s.adaptive;
    require(a.min >= 0.0 && a.min <= s.step, "the shortest step must be >= 0 and no longer than the step");
    require(a.min == 0.0 || (a.travel > 0.0 && a.turn > 0.0), "the bounds of an adaptive step must be > 0");
    require(s.gravity.allFinite(), "gravity must be finite");
    require(s.solver.tolerance >= 0.0, "the solver tolerance must be >= 0");
    require(s.solver.max_sweeps >= 1 && s.solver.min_sweeps >= 1, "sweep limits must be >= 1");
    require(s.touch >= 0.0, "contact.touch must be >= 0");
    for (int k = 0; k < Dim; ++k)
        require(!s.periodic[k] || s.cell_high[k] > s.cell_low[k], "a periodic cell must have a length > 0");
}

/// Freedoms of a boundary that would need an inertia it does not have.
template <int Dim>
void check_inertia(const Bodies<Dim>& bodies, std::size_t i, int k) {
    require(bodies.mass[i] > 0.0 || k >= Dim, "a body with a free direction needs a mass > 0");
    require(k < Dim || bodies.inertia[i].minCoeff() > 0.0, "a body with a free rotation needs an inertia > 0");
}

template <int Dim>
void check_freedom(int k) {
    require(k >= 0 && k < freedoms<Dim>, "there is no freedom number " + std::to_string(k));
}

template <int Dim>
void erase_drive(typename World<Dim>::Impl& w, BodyId id, int k) {
    std::erase_if(w.drives, [&](const Drive& d) { return d.body == id && d.freedom == k; });
}

/// Appends a body with everything that balls and boundaries have in common.
template <int Dim, class Spec>
std::size_t append(typename World<Dim>::Impl& w, const Spec& spec) {
    Bodies<Dim>& b = w.bodies;
    require(spec.position.allFinite(), "a position must be finite");
    require(spec.material >= 0 && static_cast<std::size_t>(spec.material) < w.materials.size(),
            "a body needs a material that exists; add it with add_material first");
    // An eighth to spare: by themselves the arrays would double.
    if (const std::size_t n = b.size(); n == b.id.capacity()) b.for_each_array([n](auto& array) { array.reserve(n + n / 8 + 16); });
    b.id.push_back(w.next_id++);
    b.position.push_back(spec.position);
    b.image.push_back(Image<Dim>::Zero());
    b.rotation.push_back(spec.rotation);
    b.velocity.push_back(Vec<Dim>::Zero());
    b.spin.push_back(Spin<Dim>::Zero());
    b.material.push_back(spec.material);
    b.tag.push_back(spec.tag);
    b.birth.push_back(w.time);
    b.owner.push_back(0);
    return b.size() - 1;
}

template <class T>
void put(std::vector<T>& array, std::size_t i, const T& value) { array[i] = value; }
template <class T>
void put(UniformArray<T>& array, std::size_t i, const T& value) { array.set(i, value); }

template <int Dim>
double ball_mass(const BallSpec<Dim>& spec) {
    const double mass = spec.mass > 0.0 ? spec.mass : ball_volume<Dim>(spec.radius) * spec.density;
    require(std::isfinite(mass) && (mass > 0.0 || spec.fixed || spec.glued_to >= 0),
            "a free ball needs a mass or a density > 0");
    return mass;
}

/// A body must not meet two images of another.
template <int Dim>
void check_fits(const Cell<Dim>& cell, double radius) {
    for (int k = 0; k < Dim; ++k)
        require(!cell.periodic[k] || cell.length[k] >= 4.0 * radius,
                "the periodic cell must be at least two diameters long, but a body has radius " + std::to_string(radius));
}

/// Mass and principal moments of a solid: stated, or from its density and shape.
template <int Dim>
std::pair<double, Spin<Dim>> inertia_of(const BodySpec<Dim>& spec, const CentredShape<Dim>& shape) {
    const double mass = spec.mass > 0.0 ? spec.mass : spec.density * shape.volume;
    require(std::isfinite(mass) && mass >= 0.0, "a mass must be finite and >= 0");
    require(mass > 0.0 || spec.fixed,
            shape.volume > 0.0 ? "a free body needs a mass or a density > 0"
                               : "the volume of this shape is not known (parts that overlap); state its mass and inertia");
    if (spec.inertia.minCoeff() > 0.0) {
        require(spin_size<Dim> == 1 || 2.0 * spec.inertia.maxCoeff() <= spec.inertia.sum() * (1.0 + 1e-9),
                "no principal moment of inertia can exceed the sum of the other two");
        return {mass, spec.inertia};
    }
    require(shape.volume > 0.0 || spec.fixed,
            "the moments of inertia of this shape are not known (parts that overlap); state its mass and inertia");
    return {mass, shape.volume > 0.0 ? Spin<Dim>(mass / shape.volume * shape.inertia) : Spin<Dim>(Spin<Dim>::Zero())};
}

/// A plane or a face that cuts a periodic axis would meet its own images.
template <int Dim>
void check_against_cell(const BoundarySpec<Dim>& spec, const Cell<Dim>& cell) {
    if (spec.shape.name != "plane") return;
    const Vec<Dim> n = matrix_of<Dim>(spec.rotation) * Eigen::Map<const Vec<Dim>>(spec.shape.sizes.data());
    for (int k = 0; k < Dim; ++k)
        require(!cell.periodic[k] || std::abs(n[k]) < 1e-12,
                "a plane must not face along a periodic direction; turn it or make the direction not periodic");
}

}  // namespace

template <int Dim>
std::size_t World<Dim>::Impl::index_of(BodyId id) const {
    const auto it = std::lower_bound(bodies.id.begin(), bodies.id.end(), id);
    if (it == bodies.id.end() || *it != id) throw InputError("there is no body number " + std::to_string(id));
    return static_cast<std::size_t>(it - bodies.id.begin());
}

template <int Dim>
void World<Dim>::Impl::invalidate() { candidates.valid = false; }

template <int Dim>
World<Dim>::World(const Settings<Dim>& settings) : impl_(std::make_unique<Impl>()) {
    check(settings);
    impl_->settings = settings;
    impl_->h = settings.step;
    impl_->cell = cell_of(settings);
    impl_->solver = solver_registry().make<Dim>(settings.solver.name);
}
template <int Dim>
World<Dim>::~World() = default;
template <int Dim>
World<Dim>::World(World&&) noexcept = default;
template <int Dim>
World<Dim>& World<Dim>::operator=(World&&) noexcept = default;

template <int Dim>
MaterialId World<Dim>::add_material(const std::string& name) { return impl_->materials.add(name); }

template <int Dim>
void World<Dim>::set_law(MaterialId a, MaterialId b, const LawSpec& law) {
    (void)law_registry().make(law);  // refuses unknown laws and coefficients they do not take
    if (const auto fault = find_fault(law, Dim)) throw InputError(fault->message);
    impl_->materials.set_law(a, b, law);
}

template <int Dim>
void World<Dim>::reserve(std::size_t bodies) {
    impl_->bodies.for_each_array([bodies](auto& array) { array.reserve(bodies); });
}

template <int Dim>
BodyId World<Dim>::add_ball(const BallSpec<Dim>& spec) {
    Impl& w = *impl_;
    require(std::isfinite(spec.radius) && spec.radius > 0.0, "a radius must be > 0, not " + std::to_string(spec.radius));
    check_fits(w.cell, spec.radius);
    require(spec.velocity.allFinite() && spec.spin.allFinite(), "velocity and spin must be finite");
    const double mass = ball_mass(spec);
    const std::int32_t carrier = spec.glued_to >= 0 ? static_cast<std::int32_t>(w.index_of(spec.glued_to)) : -1;
    require(carrier < 0 || !w.bodies.is_ball(carrier),
            "balls are glued to boundaries; a box_inside with infinite sides carries them without a surface of its own");
    const std::size_t i = append<Dim>(w, spec);
    Bodies<Dim>& b = w.bodies;
    const double inertia = spec.inertia > 0.0 ? spec.inertia : ball_inertia_factor<Dim> * mass * spec.radius * spec.radius;
    b.radius.push_back(spec.radius);
    b.mass.push_back(mass);
    b.inertia.push_back(Spin<Dim>::Constant(inertia));
    b.driven.push_back(spec.fixed || carrier >= 0 ? all_driven<Dim> : 0);
    b.has_weight.push_back(1);
    b.shape.push_back(0);
    b.glued_to.push_back(carrier);
    b.glue_offset.push_back(carrier < 0 ? Vec<Dim>(Vec<Dim>::Zero())
                                        : Vec<Dim>(matrix_of<Dim>(b.rotation[carrier]).transpose() *
                                                   w.cell.nearest(spec.position - b.position[carrier])));
    if (b.driven[i] == 0) {
        b.velocity[i] = spec.velocity;
        b.spin[i] = spec.spin;
    }
    w.bookings.created += w.energy_of_body(i).total();
    return b.id[i];
}

template <int Dim>
BodyId World<Dim>::add_body(const BodySpec<Dim>& spec) {
    Impl& w = *impl_;
    require(spec.shape.name != "ball", "use add_ball for balls");
    shape_registry().check(spec.shape, Dim);
    require(shape_registry().find(spec.shape.name).is_solid,
            "shape '" + spec.shape.name + "' has no inside, so it can only be a boundary; use add_boundary");
    require(spec.velocity.allFinite() && spec.spin.allFinite(), "velocity and spin must be finite");
    const CentredShape<Dim> shape = centred<Dim>(spec.shape);
    check_fits(w.cell, shape.bound);
    const auto [mass, inertia] = inertia_of(spec, shape);
    const std::int32_t shape_index = w.shapes->add(shape.spec);
    BodySpec<Dim> placed = spec;
    placed.position += matrix_of<Dim>(spec.rotation) * shape.centre;
    placed.rotation = compose<Dim>(spec.rotation, shape.turn);
    const std::size_t i = append<Dim>(w, placed);
    Bodies<Dim>& b = w.bodies;
    b.radius.push_back(shape.bound);
    b.mass.push_back(mass);
    b.inertia.push_back(inertia);
    b.driven.push_back(spec.fixed ? all_driven<Dim> : 0);
    b.has_weight.push_back(spec.has_weight ? 1 : 0);
    b.shape.push_back(shape_index);
    b.glued_to.push_back(-1);
    b.glue_offset.push_back(Vec<Dim>::Zero());
    if (spec.fixed) {
        w.launches[b.id[i]] << spec.velocity, spec.spin;
    } else {
        b.velocity[i] = spec.velocity;
        b.spin[i] = spec.spin;
    }
    w.bookings.created += w.energy_of_body(i).total();
    return b.id[i];
}

template <int Dim>
BodyId World<Dim>::add_boundary(const BoundarySpec<Dim>& spec) {
    Impl& w = *impl_;
    require(spec.shape.name != "ball", "use add_ball for balls");
    shape_registry().check(spec.shape, Dim);
    check_against_cell(spec, w.cell);
    require(spec.mass >= 0.0 && std::isfinite(spec.mass), "a mass must be >= 0");
    require(spec.inertia.minCoeff() >= 0.0, "moments of inertia must be >= 0");
    require(spec.velocity.allFinite() && spec.spin.allFinite(), "velocity and spin must be finite");
    const std::size_t i = append<Dim>(w, spec);
    Bodies<Dim>& b = w.bodies;
    b.radius.push_back(0.0);
    b.mass.push_back(spec.mass);
    b.inertia.push_back(spec.inertia);
    b.driven.push_back(all_driven<Dim>);
    b.has_weight.push_back(spec.has_weight ? 1 : 0);
    b.shape.push_back(w.shapes->add(spec.shape));
    b.glued_to.push_back(-1);
    b.glue_offset.push_back(Vec<Dim>::Zero());
    w.launches[b.id[i]] << spec.velocity, spec.spin;
    w.invalidate();
    return b.id[i];
}

template <int Dim>
void World<Dim>::remove(std::span<const BodyId> ids) {
    Impl& w = *impl_;
    if (ids.empty()) return;
    std::vector<std::int32_t> new_index(w.bodies.size(), 0);
    for (const BodyId id : ids) new_index[w.index_of(id)] = -1;
    for (std::size_t i = 0; i < w.bodies.size(); ++i)
        require(new_index[i] < 0 || w.bodies.glued_to[i] < 0 || new_index[w.bodies.glued_to[i]] >= 0,
                "a body that carries glued ones cannot be removed without them");
    std::int32_t kept = 0;
    for (std::size_t i = 0; i < w.bodies.size(); ++i) {
        if (new_index[i] < 0) w.bookings.removed += w.energy_of_body(i).total();
        else new_index[i] = kept++;
    }
    spell_out(w.cache, w.work.problem);
    remap(w.cache, new_index, w.bodies);
    for (auto& t : w.work.touch.touches) {
        t.a = t.a < 0 ? -1 : new_index[t.a];
        t.b = t.b < 0 ? -1 : new_index[t.b];
    }
    // Where the contacts of the last step were, and their lines, are told by body.
    const auto move_up = [&](auto& array) {
        for (std::size_t i = 0; i < std::min(array.size(), new_index.size()); ++i)
            if (new_index[i] >= 0) put(array, static_cast<std::size_t>(new_index[i]), array[i]);
    };
    move_up(w.candidates.rank);
    move_up(w.work.at.position);
    w.bodies.for_each_array([&](auto& array) {
        move_up(array);
        array.resize(kept);
    });
    for (std::size_t i = 0; i < w.bodies.size(); ++i)
        if (const std::int32_t g = w.bodies.glued_to[i]; g >= 0) w.bodies.glued_to.set(i, new_index[g]);
    const auto gone = [&](BodyId id) { return !contains(id); };
    std::erase_if(w.drives, [&](const Drive& d) { return gone(d.body); });
    std::erase_if(w.loads, [&](const BodyLoads<Dim>& l) { return gone(l.body); });
    std::erase_if(w.joints, [&](const JointState<Dim>& j) { return gone(j.a) || (j.b != ground && gone(j.b)); });
    w.invalidate();
}

template <int Dim>
void World<Dim>::freeze(BodyId id) {
    for (int k = 0; k < freedoms<Dim>; ++k) fix(id, k);
    std::erase_if(impl_->loads, [&](const BodyLoads<Dim>& l) { return l.body == id; });
}

template <int Dim>
void World<Dim>::fix(BodyId id, int k) {
    check_freedom<Dim>(k);
    Impl& w = *impl_;
    const std::size_t i = w.index_of(id);
    const double before = w.energy_of_body(i).total();
    erase_drive<Dim>(w, id, k);
    w.bodies.driven[i] |= static_cast<std::uint8_t>(1u << k);
    (k < Dim ? w.bodies.velocity[i][k] : w.bodies.spin[i][k - Dim]) = 0.0;
    w.bookings.frozen += before - w.energy_of_body(i).total();
    w.invalidate();
}

template <int Dim>
void World<Dim>::release(BodyId id, int k) {
    check_freedom<Dim>(k);
    Impl& w = *impl_;
    const std::size_t i = w.index_of(id);
    require(w.bodies.glued_to[i] < 0, "a glued body has no freedoms of its own; release its carrier");
    check_inertia(w.bodies, i, k);
    const double before = w.energy_of_body(i).total();
    erase_drive<Dim>(w, id, k);
    w.bodies.driven[i] &= static_cast<std::uint8_t>(~(1u << k));
    if (const auto launch = w.launches.find(id); launch != w.launches.end()) {
        double& start = launch->second[k];
        if (start != 0.0) (k < Dim ? w.bodies.velocity[i][k] : w.bodies.spin[i][k - Dim]) = start;
        start = 0.0;
    }
    w.bookings.created += w.energy_of_body(i).total() - before;
    w.invalidate();
}

template <int Dim>
void World<Dim>::drive(BodyId id, int k, TimeFunctionPtr displacement) {
    Impl& w = *impl_;
    const std::size_t i = w.index_of(id);
    require(w.bodies.glued_to[i] < 0, "a glued body moves with its carrier; drive the carrier");
    require(displacement != nullptr, "a drive needs a displacement law");
    fix(id, k);
    for (const Drive& d : w.drives)
        require(k < Dim || d.body != id || d.freedom < Dim, "at most one rotation of a body can be driven to move");
    Drive d{id, k, w.time, 0.0, 0.0, std::move(displacement)};
    if (k < Dim) d.anchor = w.bodies.position[i][k] + w.bodies.image[i][k] * w.cell.length[k];
    (k < Dim ? w.bodies.velocity[i][k] : w.bodies.spin[i][k - Dim]) = d.law->slope(w.time);
    w.drives.push_back(std::move(d));
}

template <int Dim>
void World<Dim>::set_loads(BodyId id, std::vector<Load> loads) {
    Impl& w = *impl_;
    (void)w.index_of(id);
    for (const Load& load : loads) {
        check_freedom<Dim>(load.freedom);
        require(load.function != nullptr, "a load needs a function");
        for (const Span& s : load.area) {
            (void)w.index_of(s.low);
            (void)w.index_of(s.high);
            require(s.axis >= 0 && s.axis < Dim, "a span needs an axis of the space");
        }
    }
    std::erase_if(w.loads, [&](const BodyLoads<Dim>& l) { return l.body == id; });
    if (!loads.empty()) w.loads.push_back({id, std::move(loads)});
}

template <int Dim>
void World<Dim>::set_velocity(BodyId id, const Vec<Dim>& velocity, const Spin<Dim>& spin) {
    Impl& w = *impl_;
    const std::size_t i = w.index_of(id);
    const double before = w.energy_of_body(i).total();
    for (int k = 0; k < freedoms<Dim>; ++k) {
        if (w.bodies.driven[i] >> k & 1u) continue;
        if (k < Dim) w.bodies.velocity[i][k] = velocity[k];
        else w.bodies.spin[i][k - Dim] = spin[k - Dim];
    }
    w.bookings.created += w.energy_of_body(i).total() - before;
}

template <int Dim>
void World<Dim>::set_tag(BodyId id, std::int32_t tag) { impl_->bodies.tag[impl_->index_of(id)] = tag; }

template <int Dim>
void World<Dim>::set_settings(const Settings<Dim>& settings) {
    Impl& w = *impl_;
    check(settings);
    require(settings.periodic == w.settings.periodic && settings.cell_low == w.settings.cell_low &&
                settings.cell_high == w.settings.cell_high,
            "the periodic cell of a world cannot change");
    if (settings.solver.name != w.settings.solver.name) w.solver = solver_registry().make<Dim>(settings.solver.name);
    if (settings.step != w.settings.step || settings.adaptive.min != w.settings.adaptive.min) set_step<Dim>(w, settings.step);
    const double old = energy_of_all(w.bodies, w.cell, w.settings.gravity, w.threads).potential;
    w.settings = settings;
    w.energy.potential += energy_of_all(w.bodies, w.cell, w.settings.gravity, w.threads).potential - old;
}

template <int Dim>
void World<Dim>::set_threads(int count) { impl_->threads = Threads(count); }
template <int Dim>
int World<Dim>::threads() const { return impl_->threads.count(); }

template <int Dim>
const Settings<Dim>& World<Dim>::settings() const { return impl_->settings; }

template <int Dim>
void World<Dim>::set_history(std::span<const Contact<Dim>> contacts) {
    Impl& w = *impl_;
    std::vector<const Contact<Dim>*> sorted;
    for (const auto& c : contacts)
        if (contains(c.a) && contains(c.b)) sorted.push_back(&c);
    std::sort(sorted.begin(), sorted.end(), [](const auto* x, const auto* y) {
        return std::tie(x->a, x->b, x->feature) < std::tie(y->a, y->b, y->feature);
    });
    w.cache.clear();
    resize(w.cache, sorted.size(), false);
    w.cache.clear();   // of the right capacity now
    const auto any = [&](auto&& holds) { return std::any_of(sorted.begin(), sorted.end(), holds); };
    const bool couples = any([](const auto* c) { return !c->couple.isZero(0.0); });
    const bool bonds = any([](const auto* c) { return c->bond != BondState::none; });
    if (bonds) w.materials.end_bonding();  // the history says what is bonded
    for (const auto* c : sorted) {
        const double pn = c->normal_impulse();
        w.cache.a.push_back(static_cast<std::int32_t>(w.index_of(c->a)));
        w.cache.b.push_back(static_cast<std::int32_t>(w.index_of(c->b)));
        w.cache.feature.push_back(c->feature);
        w.cache.normal.push_back(c->normal);
        w.cache.pn.push_back(pn);
        w.cache.pt.push_back(c->impulse - pn * c->normal);
        if (couples) w.cache.couple.push_back(c->couple);
        if (bonds) w.cache.bond.push_back(c->bond);
        if (!w.cache.keeps_sums) continue;
        w.cache.sum.push_back(Vec<Dim>::Zero());
        w.cache.point.push_back(c->point);
    }
    w.invalidate();
}

template <int Dim>
StepReport World<Dim>::step() {
    try {
        return make_step<Dim>(*impl_);
    } catch (...) {
        impl_->invalidate();   // the list may know contacts of the step that failed
        throw;
    }
}

template <int Dim>
Equilibrium World<Dim>::check_equilibrium(double tolerance) {
    Impl& w = *impl_;
    const Bodies<Dim> bodies = w.bodies;
    spell_out(w.cache, w.work.problem);
    const ContactCache<Dim> cache = w.cache;
    const std::vector<Drive> drives = w.drives;
    std::vector<JointState<Dim>> joints = w.joints;
    const auto energy = w.energy;
    const auto bookings = w.bookings;
    const auto bonding = w.materials.bonding();
    const double time = w.time, shortest = w.settings.adaptive.min;
    w.settings.adaptive.min = 0.0;  // forces are asked for, whatever the speeds
    for (std::size_t i = 0; i < w.bodies.size(); ++i) {
        w.bodies.velocity[i] -= free_velocity(w.bodies, i);
        w.bodies.spin[i] -= free_spin(w.bodies, i);
    }
    Equilibrium result;
    result.report = make_step<Dim>(w);
    result.v_ref = result.report.law.v_ref;
    for (std::size_t i = 0; i < w.bodies.size(); ++i)
        if (!w.bodies.is_wall(i))
            result.max_velocity = std::max({result.max_velocity, free_velocity(w.bodies, i).norm(),
                                            w.bodies.radius[i] * free_spin(w.bodies, i).norm()});
    result.holds = result.max_velocity <= tolerance * result.v_ref;
    w.bodies = bodies;
    w.cache = cache;
    w.drives = drives;
    for (std::size_t j = 0; j < joints.size(); ++j) {
        joints[j].impulse = w.joints[j].impulse;  // the forces found are kept, as those of contacts
        joints[j].moment = w.joints[j].moment;
    }
    w.joints = joints;
    w.energy = energy;
    w.bookings = bookings;
    w.materials.set_bonding(bonding);
    w.time = time;
    w.settings.adaptive.min = shortest;
    --w.steps;
    --w.steps_at_pace;
    w.invalidate();
    return result;
}

template <int Dim>
double World<Dim>::step_length() const { return impl_->h; }
template <int Dim>
double World<Dim>::time() const { return impl_->time; }
template <int Dim>
std::int64_t World<Dim>::steps() const { return impl_->steps; }

template class World<2>;
template class World<3>;

}  // namespace talus
