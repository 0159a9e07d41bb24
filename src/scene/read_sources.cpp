// Emitters, sinks and freezing rules: grains that come, go and stop.
#include "scene/read.h"

namespace talus::scene {

namespace {

std::string called(const Node& item, const std::string& kind, const std::string& unnamed) {
    const Node* label = item.find("name");
    return label != nullptr && label->is_scalar() ? kind + " '" + label->text + "'" : unnamed;
}

/// `height`: a number or `lowest_free`, and what goes with the latter.
void read_height(Reader& keys, EmitterPlan& emitter, bool has_box) {
    Context& context = keys.context();
    const Node* height = has_box ? keys.find("height") : keys.need("height", "lowest_free");
    if (has_box) {
        if (height != nullptr)
            keys.fail("height", "the box already bounds the height; remove 'height', or write a 'disk' or 'rectangle'");
        emitter.height_rule = EmitterPlan::Height::in_box;
    } else if (height != nullptr && height->is_scalar() && height->text == "lowest_free") {
        emitter.height_rule = EmitterPlan::Height::lowest_free;
    } else if (height != nullptr && looks_like_number(*height)) {
        emitter.height = keys.number("height", quantity::length, range::any, 0.0);
    } else if (height != nullptr) {
        context.errors.add(height->mark, "'height' is " + describe(*height) + "; write a number or lowest_free");
    }
    emitter.above_apex = keys.number("above_apex", quantity::length, range::positive, infinity);
    emitter.drop_from = keys.number("drop_from", quantity::length, range::any, infinity);
    for (const std::string key : {"above_apex", "drop_from"})
        if (keys.has(key) && emitter.height_rule != EmitterPlan::Height::lowest_free)
            keys.fail(key,
                      "'" + key + "' goes with 'height: lowest_free' only; remove it or change 'height'");
}

EmitterPlan read_emitter(Reader& keys, std::size_t number) {
    Context& context = keys.context();
    EmitterPlan emitter;
    emitter.name = keys.name();
    bool has_box = false;
    double box[2] = {0.0, 0.0};
    if (const Node* region =
            keys.need("region", context.dimension() == 2 ? "{interval: [-1, 1]}" : "{disk: {radius: 1}}"))
        emitter.region = read_source_region(*region, "'region' of " + keys.what(), context, box, has_box);
    emitter.rate = keys.need_number("rate", quantity::number, range::positive, "100");
    if (emitter.rate * context.step > 1.0 + 1e-9)
        keys.fail("rate", "grains come one by one, at most one a step, but " + number_text(emitter.rate) +
                              " a second are " + number_text(emitter.rate * context.step, 4) +
                              " a step; write a rate of at most " + number_text(1.0 / context.step, 6) +
                              " or several emitters");
    emitter.count = keys.integer("count", 0, std::numeric_limits<std::int64_t>::max(), emitter.count);
    emitter.start = keys.number("start", quantity::time, range::not_negative, 0.0);
    emitter.stop = keys.number("stop", quantity::time, range::positive_or_infinite, infinity);
    if (emitter.stop <= emitter.start)
        keys.fail("stop", "the emitter stops at " + number_text(emitter.stop) + ", not after its start at " +
                              number_text(emitter.start) + "; write a later 'stop'");
    read_height(keys, emitter, has_box);
    if (has_box) {
        emitter.height = box[0];
        emitter.height_high = box[1];
    }
    emitter.velocity = keys.vector("velocity", quantity::velocity);
    emitter.dispersion = keys.number("dispersion", quantity::velocity, range::not_negative, 0.0);
    const auto seed = keys.integer("seed", 0, std::numeric_limits<std::int64_t>::max(), -1);
    emitter.seed = seed >= 0 ? static_cast<std::uint64_t>(seed) : Random(context.scene.seed, 2, number).next();
    emitter.sizes = read_sizes(keys, emitter.seed);
    emitter.shapes = read_grain_shapes(keys);
    emitter.material = keys.material();
    emitter.tag = keys.tag(emitter.name);
    keys.finish();
    return emitter;
}

GrainFilter read_filter(Reader& keys) {
    GrainFilter filter;
    filter.tag = keys.tag_filter();
    if (keys.has("material")) filter.material = keys.material();
    return filter;
}

void read_touching(Reader& keys, FreezePlan& plan) {
    Context& context = keys.context();
    const Node* node = keys.need("touching", "floor");
    if (node == nullptr) return;
    std::vector<const Node*> names;
    if (node->is_list()) {
        for (const auto& item : node->items) names.push_back(&item);
    } else {
        names.push_back(node);
    }
    auto known = context.body_names();
    for (const auto& group : context.scene.groups)
        if (!group.name.empty()) known.push_back(group.name);
    for (const Node* item : names) {
        const auto name = read_text(*item, "touching", context);
        if (!name) continue;
        const int body = context.body_index(*name);
        int group = -1;
        for (std::size_t i = 0; i < context.scene.groups.size(); ++i)
            if (context.scene.groups[i].name == *name) group = static_cast<int>(i);
        if (body >= 0) {
            plan.bodies.push_back(body);
        } else if (group >= 0) {
            plan.groups.push_back(group);
        } else {
            context.errors.add(
                item->mark, "unknown body '" + *name + "' in " + keys.what() + "; " + suggest(*name, known, "bodies"));
        }
    }
}

}  // namespace

void read_emitters(Reader& root) {
    Context& context = root.context();
    for (const Node* item :
         read_list(root, "emitters", "{name: source, region: {...}, rate: 100, height: lowest_free, diameter: 0.01}")) {
        Reader keys(*item, context, called(*item, "emitter", "an emitter"));
        if (!keys.is_valid()) continue;
        auto emitter = read_emitter(keys, context.scene.emitters.size());
        for (const auto& other : context.scene.emitters)
            if (!emitter.name.empty() && other.name == emitter.name)
                keys.fail("name", "a second emitter is named '" + emitter.name + "'; give it another name");
        context.scene.emitters.push_back(std::move(emitter));
    }
}

void read_sinks(Reader& root) {
    Context& context = root.context();
    for (const Node* item : read_list(root, "sinks", "{name: drain, below: -0.1}")) {
        Reader keys(*item, context, called(*item, "sink", "a sink"));
        if (!keys.is_valid()) continue;
        SinkPlan sink;
        sink.name = keys.name();
        const std::string kind = keys.one_of({"below", "inside", "outside"}, "place ('below', 'inside' or 'outside')");
        if (kind == "below") sink.height = keys.number("below", quantity::length, range::any, 0.0);
        if (kind == "inside" || kind == "outside") {
            sink.kind = kind == "inside" ? SinkPlan::Kind::inside : SinkPlan::Kind::outside;
            sink.region = read_region(*keys.find(kind), "'" + kind + "' of " + keys.what(), context);
        }
        sink.filter = read_filter(keys);
        keys.finish();
        context.scene.sinks.push_back(std::move(sink));
    }
}

void read_freeze(Reader& root) {
    Context& context = root.context();
    for (const Node* item : read_list(root, "freeze", "{touching: floor}")) {
        Reader keys(*item, context, "a freezing rule");
        if (!keys.is_valid()) continue;
        FreezePlan plan;
        read_touching(keys, plan);
        plan.filter = read_filter(keys);
        keys.finish();
        context.scene.freezes.push_back(std::move(plan));
    }
}

}  // namespace talus::scene
