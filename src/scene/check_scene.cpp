// What only the whole scene shows: speeds against the step, masses, the periodic cell, the contact rule.
#include <algorithm>
#include <cmath>

#include "laws/law_registry.h"
#include "math/portable.h"
#include "scene/read.h"
#include "solve/solver_registry.h"

namespace talus::scene {

namespace {

Mark file_mark(const Context& context) { return {std::make_shared<const std::string>(context.scene.path), 1, 1}; }

/// The largest number with one digit that is not above x: what a person would write.
double round_down(double x) {
    const double power = portable::pow(10.0, std::floor(portable::log10(x)));
    return std::floor(x / power * (1.0 + 1e-12)) * power;
}

}  // namespace

void diameters(const Scene& scene, double& smallest, double& largest) {
    smallest = infinity;
    largest = 0.0;
    const auto note = [&](double low, double high) {
        smallest = std::min(smallest, 2.0 * low);
        largest = std::max(largest, 2.0 * high);
    };
    for (const auto& body : scene.bodies) {
        if (body.is_ball) note(body.radius, body.radius);
        if (!body.is_solid || !body.can_move()) continue;
        const double radius = bound_of(body.shape, scene.dimension);
        note(radius, radius);
    }
    for (const auto& ball : scene.grains) note(ball.radius, ball.radius);
    for (const auto& emitter : scene.emitters) note(emitter.sizes.min(), emitter.sizes.max());
    if (largest == 0.0) smallest = 0.0;
}

double known_speed(const Scene& scene, std::size_t index) {
    const Stage& stage = scene.stages[index];
    double top = 0.0;
    for (std::size_t i = 0; i < scene.bodies.size(); ++i) {
        double squared = 0.0;
        for (const auto& freedom : stage.motions[i].freedoms) squared += freedom.top_speed * freedom.top_speed;
        top = std::max(top, std::sqrt(squared));
        if (index == 0) top = std::max(top, scene.bodies[i].velocity.norm());
    }
    if (index == 0)
        for (const auto& ball : scene.grains) top = std::max(top, ball.velocity.norm());
    for (std::size_t i = 0; i < scene.emitters.size(); ++i)
        if (stage.emitter_on[i]) top = std::max(top, scene.emitters[i].velocity.norm() + scene.emitters[i].dispersion);
    return top;
}

void check_speeds(Context& context) {
    const Scene& scene = context.scene;
    if (context.allowed.contains("coarse_step")) return;
    double smallest = 0.0, largest = 0.0;
    diameters(scene, smallest, largest);
    if (smallest == 0.0) return;
    for (std::size_t i = 0; i < scene.stages.size(); ++i) {
        const Stage& stage = scene.stages[i];
        const double speed = known_speed(scene, i), step = stage.adaptive.min > 0.0 ? stage.adaptive.min : stage.step;
        if (speed * step <= 0.1 * smallest * (1.0 + 1e-9)) continue;
        context.errors.add(
            scene.stages[i].step_mark,
            "the step is too coarse: at speed " + number_text(context.user(speed, quantity::velocity), 4) +
                " a body travels " + number_text(speed * step / smallest, 3) + " of the smallest diameter (" +
                number_text(context.user(smallest, quantity::length), 4) +
                ") in one step, 0.1 is the most; write 'step: " + number_text(round_down(0.1 * smallest / speed), 3) +
                "' or less, or 'allow: [coarse_step]'");
    }
}

void check_masses(Context& context) {
    const Scene& scene = context.scene;
    std::vector<bool> said(scene.materials.size(), false);
    const auto complain = [&](int material, const Mark& mark, const std::string& who) {
        const auto m = static_cast<std::size_t>(material);
        if (said[m] || scene.materials[m].density > 0.0) return;
        said[m] = true;
        context.errors.add(mark, who + " needs a mass, and material '" + scene.materials[m].name +
                                     "' has no density; write 'density: 2500' in the material");
    };
    for (std::size_t b = 0; b < scene.bodies.size(); ++b) {
        const BodyPlan& body = scene.bodies[b];
        if (body.mass > 0.0 || (!body.is_ball && !body.is_solid)) continue;
        bool moves = body.can_move();
        for (const auto& stage : scene.stages)
            moves = moves || std::any_of(stage.motions[b].freedoms.begin(), stage.motions[b].freedoms.end(), is_free);
        if (moves) complain(body.material, body.mark, body.is_ball ? "a free ball" : "a free body");
    }
    for (const auto& grain : scene.grains)
        if (grain.mass == 0.0 && !grain.fixed && grain.glued_to < 0)
            complain(grain.material, scene.groups[static_cast<std::size_t>(grain.group)].mark,
                     grain.shape < 0 ? "a free ball" : "a free body");
    for (const auto& emitter : scene.emitters) complain(emitter.material, file_mark(context), "a grain of an emitter");
}

void check_cell(Context& context, const Node* periodic) {
    const Scene& scene = context.scene;
    if (periodic == nullptr) return;
    double smallest = 0.0, largest = 0.0;
    diameters(scene, smallest, largest);
    const auto axes = context.axis_names();
    for (int k = 0; k < scene.dimension; ++k) {
        const double length = scene.cell_high[k] - scene.cell_low[k];
        if (!scene.periodic[static_cast<std::size_t>(k)] || length >= 2.0 * largest) continue;
        const auto& axis = axes[static_cast<std::size_t>(k)];
        const Node* node = periodic->find(axis);
        context.errors.add(node != nullptr ? node->mark : periodic->mark,
                           "the periodic cell is " + number_text(context.user(length, quantity::length), 6) +
                               " long along " + axis + ", less than four of the largest radii; make it at least " +
                               number_text(context.user(2.0 * largest, quantity::length), 6));
    }
}

void check_rule(Context& context) {
    for (const auto& stage : context.scene.stages) {
        if (stage.rule != ContactRule::gap) continue;
        for (const auto& law : stage.laws)
            if (law_registry().make(law.law)->bounces())
                context.errors.add(law.mark,
                                   "the contact rule 'gap' goes with restitution 0 only; write 'restitution: 0' and "
                                   "'tangential_restitution: 0' here, or 'contact: {rule: moreau}'");
    }
}

/// What the solvers of the stages cannot take is known before anything moves.
void check_solvers(Context& context) {
    const Scene& scene = context.scene;
    for (const auto& stage : scene.stages) {
        const auto solver = solver_registry().make<3>(stage.solver.name);
        const std::string name = "the solver '" + stage.solver.name + "' ";
        for (const auto& law : stage.laws) {
            if (!solver->takes_links() && !law.law.is_plain())
                context.errors.add(law.mark, name + "takes plain friction only, not this law; write 'solver: {name: auto}', or leave static and "
                                             "elliptic friction, rolling and pivoting out");
            const bool rubs = !law.law.friction.is_constant() || law.law.friction.value != 0.0;
            if (!solver->takes_friction() && law.law.name != "frictionless" && rubs)
                context.errors.add(law.mark, name + "takes contacts without friction only; write 'friction: 0' here, or another solver");
        }
        if (!solver->takes_links() && !scene.joints.empty())
            context.errors.add(scene.joints.front().mark, name + "takes no joints; write 'solver: {name: auto}'");
    }
}

}  // namespace talus::scene
