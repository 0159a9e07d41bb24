#include "scene/stage_switch.h"

#include "scene/to_world.h"

namespace talus::scene {

namespace {

/// A force whose time counts from `begin`.
class DelayedForce : public ForceFunction {
public:
    DelayedForce(ForceFunctionPtr f, double begin) : f_(std::move(f)), begin_(begin) {}
    [[nodiscard]] double value(double t, std::span<const double> position,
                               std::span<const double> velocity) const override {
        return f_->value(t - begin_, position, velocity);
    }

private:
    ForceFunctionPtr f_;
    double begin_;
};

bool is_same(const Freedom& a, const Freedom& b) { return a.kind == b.kind && a.drive == b.drive; }

bool is_same(const std::vector<LoadPlan>& a, const std::vector<LoadPlan>& b) {
    if (a.size() != b.size()) return false;
    for (std::size_t i = 0; i < a.size(); ++i)
        if (a[i].freedom != b[i].freedom || a[i].function != b[i].function || a[i].across != b[i].across) return false;
    return true;
}

template <int Dim>
void set_freedom(World<Dim>& world, BodyId id, int k, const Freedom& freedom, double begin) {
    switch (freedom.kind) {
        case Freedom::Kind::free: world.release(id, k); break;
        case Freedom::Kind::fixed: world.fix(id, k); break;
        case Freedom::Kind::driven:
            world.drive(id, k, begin > 0.0 ? delayed(freedom.drive, begin) : freedom.drive);
            break;
    }
}

template <int Dim>
void set_loads(World<Dim>& world, const std::vector<BodyId>& ids, BodyId id, const std::vector<LoadPlan>& plans,
               double begin) {
    std::vector<Load> loads;
    for (const auto& plan : plans) {
        Load load;
        load.freedom = plan.freedom;
        load.function = begin > 0.0 ? std::make_shared<DelayedForce>(plan.function, begin) : plan.function;
        for (const auto& [low, high, axis] : plan.across)
            load.area.push_back({ids[static_cast<std::size_t>(low)], ids[static_cast<std::size_t>(high)], axis});
        loads.push_back(std::move(load));
    }
    world.set_loads(id, std::move(loads));
}

/// A body as the world makes it: all free or all held, no loads.
Motion motion_when_made(const BodyPlan& body) {
    Motion motion;
    const auto kind = body.is_made_free() ? Freedom::Kind::free : Freedom::Kind::fixed;
    motion.freedoms.assign(body.motion.freedoms.size(), Freedom{kind, nullptr, 0.0});
    return motion;
}

}  // namespace

template <int Dim>
void enter_stage(World<Dim>& world, const Scene& scene, const std::vector<BodyId>& ids, const Stage* before,
                 const Stage& now, double begin, const std::function<bool(BodyId)>& is_gone) {
    if (before != nullptr) {
        world.set_settings(settings_of<Dim>(scene, now));
        for (const auto& law : now.laws) world.set_law(law.a, law.b, law.law);
    }
    for (std::size_t b = 0; b < ids.size(); ++b) {
        if (is_gone(ids[b])) continue;
        const Motion old = before != nullptr ? before->motions[b] : motion_when_made(scene.bodies[b]);
        const Motion& motion = now.motions[b];
        for (std::size_t k = 0; k < motion.freedoms.size(); ++k)
            if (!is_same(old.freedoms[k], motion.freedoms[k]))
                set_freedom<Dim>(world, ids[b], static_cast<int>(k), motion.freedoms[k], begin);
        if (!is_same(old.loads, motion.loads)) set_loads<Dim>(world, ids, ids[b], motion.loads, begin);
    }
}

template void enter_stage<2>(World<2>&, const Scene&, const std::vector<BodyId>&, const Stage*, const Stage&, double,
                             const std::function<bool(BodyId)>&);
template void enter_stage<3>(World<3>&, const Scene&, const std::vector<BodyId>&, const Stage*, const Stage&, double,
                             const std::function<bool(BodyId)>&);

}  // namespace talus::scene
