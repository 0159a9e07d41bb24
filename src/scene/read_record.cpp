// What to write and what to measure.
#include <algorithm>

#include "observe/registry.h"
#include "scene/read.h"
#include "scene/read_spec.h"
#include "talus/error.h"

namespace talus::scene {

namespace {

/// Averages over a frame's interval need what the run then does not record.
void check_average(const Node& item, Context& context) {
    if (!item.is_map()) return;
    const Node* average = item.find("average");
    if (average != nullptr && average->text == "true" && !context.scene.record.sums)
        context.errors.add(average->mark, "`average` needs the impulses summed over the intervals of frames; write `record: {sums: true}`");
    if (const Node* of = item.find("of")) check_average(*of, context);
}

}  // namespace

void read_record(Reader& root) {
    const Node* node = root.find("record");
    if (node == nullptr) return;
    Context& context = root.context();
    Reader keys(*node, context, "'record'");
    RecordPlan& plan = context.scene.record;
    plan.every = keys.number("every", quantity::time, range::positive, 0.0);
    plan.contacts = keys.flag("contacts", true);
    plan.sums = keys.flag("sums", false);
    plan.report_every = keys.number("report_every", quantity::time, range::positive, 0.0);
    plan.checkpoint_every = keys.number("checkpoint_every", quantity::time, range::positive, 0.0);
    plan.csv = keys.flag("csv", false);
    plan.vtp = keys.flag("vtp", false);
    const std::vector<std::string> optional = {"image", "rotation", "velocity", "spin",
                                               "mass",  "tag",      "birth",    "driven"};
    const std::vector<std::string> always = {"id", "position", "radius", "material", "wall", "shape"};
    for (const Node* item : read_list(keys, "arrays", "velocity")) {
        const auto name = read_text(*item, "arrays", context);
        if (!name || std::find(always.begin(), always.end(), *name) != always.end()) continue;
        if (std::find(optional.begin(), optional.end(), *name) == optional.end())
            context.errors.add(item->mark,
                               "unknown array '" + *name + "' in 'record'; " + suggest(*name, optional, "arrays"));
        plan.arrays.push_back(*name);
    }
    if (const Node* arrays = keys.find("arrays"); arrays != nullptr && arrays->is_list() && arrays->items.empty())
        keys.fail("arrays", "'arrays' is empty; list some, or remove it to record all");
    keys.finish();
}

void read_observe(Reader& root) {
    Context& context = root.context();
    for (const Node* item : read_list(root, "observe", "energy")) {
        check_average(*item, context);
        auto spec = read_spec(*item, context, "an entry of 'observe'");
        if (!spec.name.empty()) context.scene.observe.push_back(std::move(spec));
    }
    // The observables read their own parameters; what they refuse is refused here, before the run.
    for (auto& spec : context.scene.observe) {
        spec.tags = context.scene.tags;
        try {
            if (context.dimension() == 2) {
                (void)observe::prepare<2>(spec);
            } else {
                (void)observe::prepare<3>(spec);
            }
        } catch (const InputError& e) {
            std::string message = e.what();
            const Node* list = root.find("observe");
            Mark mark = list->mark;
            for (const auto& item : list->items)
                if (item.mark.text() == spec.where) mark = item.mark;
            // Messages that already carry a place keep it.
            const auto where = message.find(": ");
            if (mark.source && message.rfind(*mark.source, 0) == 0 && where != std::string::npos) {
                const std::string place = message.substr(mark.source->size(), where - mark.source->size());
                int line = 0, column = 0;
                if (std::sscanf(place.c_str(), ":%d:%d", &line, &column) == 2) mark = {mark.source, line, column};
                message = message.substr(where + 2);
            }
            context.errors.add(mark, message);
        }
    }
}

}  // namespace talus::scene
