// A scene file from text to a checked scene.
#include <filesystem>
#include <fstream>
#include <sstream>

#include "scene/override.h"
#include "scene/read.h"
#include "talus/error.h"

namespace talus::scene {

namespace {

/// Everything but the stages, which change what is read here.
void read_parts(Reader& root, Stage& base) {
    Context& context = root.context();
    Scene& scene = context.scene;
    scene.duration = root.number("duration", quantity::time, range::positive, infinity);
    if (!root.has("stages")) (void)root.need("duration", "1");
    (void)root.need("step", "1e-3");
    base.step = 1e-3;
    base.solver.seed = scene.seed;
    read_stage_settings(root, base);
    context.step = base.step;
    scene.frame = frame_for(base.gravity, scene.dimension);
    read_materials(root, base.laws);
    read_pairs(root, base.laws, false);
    read_bodies(root);
    read_joints(root);
    read_generators(root);
    read_start(root);
    read_emitters(root);
    read_sinks(root);
    read_freeze(root);
    for (const auto& body : scene.bodies) base.motions.push_back(body.motion);
    base.emitter_on.assign(scene.emitters.size(), true);
    base.mark = root.mark();
}

void check_whole(Context& context, const Node& document) {
    check_masses(context);
    check_pairs(context, context.scene.stages.front().laws);
    check_cell(context, document.find("periodic"));
    check_rule(context);
    context.errors.raise();
    check_overlap(context);
    check_speeds(context);
    check_solvers(context);
    context.errors.raise();
}

}  // namespace

Scene load_scene_text(const std::string& text, const std::string& name, const std::string& directory,
                      const std::vector<Override>& overrides) {
    Context context;
    Node document = parse_yaml(text, name, context.errors);
    for (const auto& change : overrides) apply_override(document, change, context.errors);
    context.scene.path = name;
    context.scene.directory = directory;
    context.scene.text = overrides.empty() ? text : emit_yaml(document);
    Reader root(document, context, "the scene");
    read_header(root);
    // Without a dimension no vector can be judged; what else the head shows is reported with it.
    const Node* dimension = root.find("dimension");
    if (dimension == nullptr || (dimension->text != "2" && dimension->text != "3")) context.errors.raise();
    Stage base;
    read_parts(root, base);
    read_stages(root, base);
    read_record(root);
    read_observe(root);
    root.finish();
    context.errors.raise();
    check_whole(context, document);
    return std::move(context.scene);
}

std::string file_text(const std::string& path) {
    std::error_code code;
    if (std::filesystem::is_directory(path, code)) throw IoError(path + ": is a directory, not a scene file");
    std::ifstream file(path, std::ios::binary);
    if (!file) throw IoError(path + ": cannot be opened");
    std::ostringstream text;
    text << file.rdbuf();
    return text.str();
}

Scene load_scene(const std::string& path, const std::vector<Override>& overrides) {
    return load_scene_text(file_text(path), path, std::filesystem::path(path).parent_path().string(), overrides);
}

}  // namespace talus::scene
