// The head of a scene, and the settings that stages may change.
#include <algorithm>

#include "scene/read.h"
#include "solve/solver_registry.h"
#include "talus/error.h"

namespace talus::scene {

namespace {

void read_allowed(Reader& root) {
    const std::vector<std::string> checks = {"coarse_step", "overlap"};
    for (const Node* item : read_list(root, "allow", "coarse_step")) {
        const auto name = read_text(*item, "allow", root.context());
        if (!name) continue;
        if (std::find(checks.begin(), checks.end(), *name) == checks.end())
            root.context().errors.add(item->mark,
                                      "unknown check '" + *name + "' in 'allow'; " + suggest(*name, checks, "checks"));
        root.context().allowed.insert(*name);
    }
}

void read_periodic(Reader& root) {
    Context& context = root.context();
    Scene& scene = context.scene;
    const Node* node = root.find("periodic");
    if (node == nullptr) return;
    Reader keys(*node, context, "'periodic'");
    const auto axes = context.axis_names();
    for (std::size_t k = 0; k < axes.size(); ++k) {
        const Node* bounds = keys.find(axes[k]);
        if (bounds == nullptr) continue;
        const auto values = read_numbers(*bounds, axes[k], 2, range::any, context);
        if (!values) continue;
        const int axis = static_cast<int>(k);
        scene.periodic[k] = true;
        scene.cell_low[axis] = context.si((*values)[0], quantity::length);
        scene.cell_high[axis] = context.si((*values)[1], quantity::length);
        if ((*values)[1] > (*values)[0]) continue;
        scene.periodic[k] = false;
        keys.fail(axes[k], "the cell along " + axes[k] + " ends at " + number_text((*values)[1]) +
                               ", not above its beginning at " + number_text((*values)[0]) + "; swap them");
    }
    keys.finish();
}

void read_gravity(Reader& keys, Stage& stage) {
    const Node* node = keys.find("gravity");
    if (node == nullptr) return;
    Context& context = keys.context();
    if (node->is_scalar()) {
        stage.gravity = Point::Zero();
        stage.gravity[context.dimension() - 1] = -keys.number("gravity", quantity::acceleration, range::any, 0.0);
        if (stage.gravity.norm() == 0.0) stage.gravity = Point::Zero();  // no negative zero
    } else {
        stage.gravity = keys.vector("gravity", quantity::acceleration);
    }
}

void read_contact(Reader& keys, Stage& stage) {
    const Node* node = keys.find("contact");
    if (node == nullptr) return;
    Reader part(*node, keys.context(), "'contact'");
    const std::string rule = part.choice("rule", {"moreau", "gap"}, stage.rule == ContactRule::gap ? "gap" : "moreau");
    stage.rule = rule == "gap" ? ContactRule::gap : ContactRule::moreau;
    stage.touch = part.number("touch", quantity::number, {0.0, 0.1, false, false}, stage.touch);
    stage.position_correction = part.flag("position_correction", stage.position_correction);
    part.finish();
}

/// `multiplier: exact`, `scalar`, or a number [kg].
void read_multiplier(Reader& part, SolverSettings& s) {
    const Node* node = part.find("multiplier");
    if (node == nullptr) return;
    if (looks_like_number(*node)) {
        s.multiplier = Multiplier::tuned;
        s.multiplier_value = part.number("multiplier", quantity::mass, range::positive, s.multiplier_value);
        return;
    }
    s.multiplier = part.choice("multiplier", {"exact", "scalar"}, "exact") == "scalar" ? Multiplier::scalar : Multiplier::exact;
}

/// What only the plain sweeps have.
void check_variants(Reader& part, const SolverSettings& s) {
    if (s.name == "nlgs") return;
    const auto refuse = [&](const char* key, bool used) {
        if (used) part.fail(key, "'" + std::string(key) + "' is for the solver nlgs, not for '" + s.name + "'; leave it out, or write name: nlgs");
    };
    refuse("order", s.order != SweepOrder::forward);
    refuse("relaxation", s.relaxation != 1.0);
    refuse("multiplier", s.multiplier != Multiplier::exact);
}

void read_solver(Reader& keys, Stage& stage) {
    const Node* node = keys.find("solver");
    if (node == nullptr) return;
    Reader part(*node, keys.context(), "'solver'");
    SolverSettings& s = stage.solver;
    constexpr std::int64_t most = 1'000'000'000;
    s.name = part.text("name", s.name);
    try {
        if (keys.context().dimension() == 2) {
            (void)solver_registry().make<2>(s.name);
        } else {
            (void)solver_registry().make<3>(s.name);
        }
    } catch (const InputError& e) {
        part.fail("name", e.what());
        s.name = SolverSettings{}.name;
    }
    s.tolerance = part.number("tolerance", quantity::number, range::not_negative, s.tolerance);
    s.tolerance_max = part.number("tolerance_max", quantity::number, range::not_negative, s.tolerance_max);
    s.min_sweeps = static_cast<int>(part.integer("min_sweeps", 1, most, s.min_sweeps));
    s.max_sweeps = static_cast<int>(part.integer("max_sweeps", 1, most, s.max_sweeps));
    if (s.min_sweeps > s.max_sweeps)
        part.fail("min_sweeps", "'min_sweeps' is " + std::to_string(s.min_sweeps) + ", above 'max_sweeps' of " +
                                    std::to_string(s.max_sweeps) + "; lower it");
    const std::vector<std::string> orders = {"forward", "symmetric", "random"};
    const std::string order = part.choice("order", orders, orders[static_cast<std::size_t>(s.order)]);
    s.order = static_cast<SweepOrder>(std::find(orders.begin(), orders.end(), order) - orders.begin());
    s.seed = static_cast<std::uint64_t>(
        part.integer("seed", 0, std::numeric_limits<std::int64_t>::max(), static_cast<std::int64_t>(s.seed)));
    s.warm_start = part.flag("warm_start", s.warm_start);
    const std::vector<std::string> errors = {"law", "full", "gap"};
    const std::string error = part.choice("error", errors, errors[static_cast<std::size_t>(s.error)]);
    s.error = static_cast<ErrorKind>(std::find(errors.begin(), errors.end(), error) - errors.begin());
    const std::vector<std::string> kernels = {"automatic", "scalar", "avx2", "fused"};
    const std::string kernel = part.choice("kernel", kernels, kernels[static_cast<std::size_t>(s.kernel)]);
    s.kernel = static_cast<Kernel>(std::find(kernels.begin(), kernels.end(), kernel) - kernels.begin());
    s.relaxation = part.number("relaxation", quantity::number, {0.0, 1.99, true, false}, s.relaxation);
    read_multiplier(part, s);
    check_variants(part, s);
    if (s.name == "newton" && s.tolerance == 0.0)
        part.fail("tolerance", "the solver newton goes on until the tolerance is met and needs one above 0; write 'tolerance: 1e-10'");
    stage.demand = part.flag("demand", stage.demand);
    part.finish();
}

}  // namespace

void read_header(Reader& root) {
    Scene& scene = root.context().scene;
    const Node* version = root.need("talus", "1");
    if (version != nullptr && !(looks_like_number(*version) && version->text == "1"))
        root.fail("talus", "'talus' is " + describe(*version) +
                               ", a version of the scene language that is not known here; write 1");
    scene.title = root.text("title", "");
    scene.dimension = static_cast<int>(root.need_integer("dimension", 2, 3, "2"));
    scene.units =
        root.choice("units", {"si", "cgs"}, "si") == "cgs" ? observe::UnitSystem::cgs : observe::UnitSystem::si;
    scene.seed = static_cast<std::uint64_t>(root.integer("seed", 0, std::numeric_limits<std::int64_t>::max(), 1));
    read_periodic(root);
    read_allowed(root);
}

void read_stage_settings(Reader& keys, Stage& stage) {
    stage.step = keys.number("step", quantity::time, range::positive, stage.step);
    if (const Node* step = keys.find("step")) stage.step_mark = step->mark;
    read_gravity(keys, stage);
    read_contact(keys, stage);
    read_solver(keys, stage);
}

}  // namespace talus::scene
