// Stages: the scene with some changes, one after the other.
#include "scene/read.h"

namespace talus::scene {

namespace {

void read_until(Reader& keys, Stage& stage) {
    const Node* node = keys.find("until");
    if (node == nullptr) return;
    Reader part(*node, keys.context(), "'until' of " + keys.what());
    Until& until = stage.until;
    until.kinetic_energy = part.number("kinetic_energy", quantity::energy, range::positive, infinity);
    until.kinetic_energy_per_grain =
        part.number("kinetic_energy_per_grain", quantity::number, range::positive, infinity);
    until.max_speed = part.number("max_speed", quantity::velocity, range::positive, infinity);
    until.emitters_done = part.flag("emitters_done", false);
    until.after = part.number("after", quantity::time, range::not_negative, 0.0);
    part.finish();
    if (!until.is_set() && part.is_valid() && !part.has("kinetic_energy") && !part.has("kinetic_energy_per_grain") &&
        !part.has("max_speed"))
        keys.fail("until", "'until' of " + keys.what() +
                               " states no condition; write one of kinetic_energy, kinetic_energy_per_grain, "
                               "max_speed, emitters_done");
    if (part.has("kinetic_energy_per_grain") && stage.gravity.norm() == 0.0)
        part.fail("kinetic_energy_per_grain",
                  "without gravity there is no m g d to compare with; write 'kinetic_energy' or 'max_speed'");
}

void read_stage_bodies(Reader& keys, Stage& stage) {
    Context& context = keys.context();
    const Node* node = keys.find("bodies");
    if (node == nullptr) return;
    if (!node->is_map()) {
        keys.fail("bodies", "'bodies' of " + keys.what() + " is " + describe(*node) +
                                "; write names of bodies with their changes: 'floor: {freedoms: {z: fixed}}'");
        return;
    }
    for (std::size_t i = 0; i < node->items.size(); ++i) {
        const int body = context.body_index(node->keys[i]);
        if (body < 0) {
            context.errors.add(node->key_marks[i], "unknown body '" + node->keys[i] + "' in " + keys.what() + "; " +
                                                       suggest(node->keys[i], context.body_names(), "bodies"));
            continue;
        }
        Reader part(node->items[i], context, "body '" + node->keys[i] + "' in " + keys.what());
        if (!part.is_valid()) continue;
        const auto index = static_cast<std::size_t>(body);
        read_freedoms(part, stage.motions[index], context.scene.bodies[index].is_ball);
        read_loads(part, stage.motions[index]);
        part.finish();
    }
}

void read_stage_emitters(Reader& keys, Stage& stage) {
    Context& context = keys.context();
    const Node* node = keys.find("emitters");
    if (node == nullptr) return;
    Reader part(*node, context, "'emitters' of " + keys.what());
    for (std::size_t i = 0; i < context.scene.emitters.size(); ++i) {
        const std::string& name = context.scene.emitters[i].name;
        if (!name.empty()) stage.emitter_on[i] = part.flag(name, stage.emitter_on[i]);
    }
    part.finish();
}

Stage read_stage(Reader& keys, const Stage& base, std::size_t number) {
    Stage stage = base;
    stage.mark = keys.mark();
    stage.name = keys.name();
    if (stage.name.empty()) stage.name = "stage " + std::to_string(number);
    stage.duration = keys.number("duration", quantity::time, range::positive, infinity);
    read_stage_settings(keys, stage);
    read_until(keys, stage);
    read_pairs(keys, stage.laws, true);
    read_stage_bodies(keys, stage);
    read_stage_emitters(keys, stage);
    if (!keys.has("duration") && !keys.has("until"))
        keys.fail("", keys.what() + " never ends; write 'duration' or 'until'");
    keys.finish();
    return stage;
}

}  // namespace

void read_stages(Reader& root, const Stage& base) {
    Context& context = root.context();
    Scene& scene = context.scene;
    const auto items = read_list(root, "stages", "{name: settle, duration: 1}");
    if (root.has("stages") && items.empty() && root.find("stages")->is_list())
        root.fail("stages", "'stages' is empty; write at least one, or remove it");
    for (const Node* item : items) {
        const Node* label = item->find("name");
        const std::size_t number = scene.stages.size();
        Reader keys(
            *item, context,
            label != nullptr && label->is_scalar() ? "stage '" + label->text + "'" : "stage " + std::to_string(number));
        if (keys.is_valid()) scene.stages.push_back(read_stage(keys, base, number));
    }
    if (!scene.stages.empty() || root.has("stages")) return;
    Stage only = base;
    only.duration = scene.duration;
    scene.stages.push_back(std::move(only));
}

}  // namespace talus::scene
