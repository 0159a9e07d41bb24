#include "scene/sweep_scene.h"

#include <cmath>
#include <memory>

#include "scene/reader.h"
#include "state/expression.h"
#include "talus/error.h"

namespace talus::scene {

namespace {

/// df/dk by five points: exact for polynomials of the fourth degree but for rounding.
double slope(const Formula& f, std::vector<double> at, std::size_t k, double d) {
    const double x = at[k];
    const auto value = [&](double shift) {
        at[k] = x + shift;
        return f.value(at);
    };
    return (8.0 * (value(d) - value(-d)) - (value(2.0 * d) - value(-2.0 * d))) / (12.0 * d);
}

Inequality inequality_of(std::shared_ptr<const Formula> f, double d) {
    const auto place = [](double t, const Eigen::VectorXd& q) {
        std::vector<double> at{t};
        at.insert(at.end(), q.begin(), q.end());
        return at;
    };
    Inequality out;
    out.value = [f, place](double t, const Eigen::VectorXd& q) { return f->value(place(t, q)); };
    out.gradient = [f, place, d](double t, const Eigen::VectorXd& q) {
        Eigen::VectorXd g(q.size());
        for (Eigen::Index k = 0; k < q.size(); ++k) g[k] = slope(*f, place(t, q), static_cast<std::size_t>(k) + 1, d);
        return g;
    };
    out.rate = [f, place, d](double t, const Eigen::VectorXd& q) { return slope(*f, place(t, q), 0, d); };
    return out;
}

void read_set(Reader& root, SweepScene& scene) {
    Context& context = root.context();
    std::vector<std::string> variables{"t", "x"};
    if (scene.dimension == 2) variables.emplace_back("y");
    const double d = 1e-4 * std::abs(scene.until - scene.from);
    for (const Node* item : read_list(root, "set", "{name: dome, inside: 1 - t^2 - x^2 - y^2}")) {
        Reader keys(*item, context, "an entry of 'set'");
        scene.names.push_back(keys.name());
        const Node* text = keys.need("inside", "x^2 + y^2 - t");
        keys.finish();
        if (text == nullptr) continue;
        scene.formulas.push_back(text->text);
        try {
            scene.set.push_back(inequality_of(std::make_shared<const Formula>(text->text, variables), d));
        } catch (const InputError& e) {
            context.errors.add(text->mark, std::string(e.what()) + "; write a formula that is <= 0 inside the set");
        }
    }
    if (scene.formulas.empty()) root.fail("set", "'set' has no inequality; write for example '- {inside: x^2 + y^2 - 1}'");
}

void read_starts(Reader& root, SweepScene& scene) {
    Context& context = root.context();
    for (const Node* item : read_list(root, "start", "[0.1, 0]"))
        if (const auto x = read_numbers(*item, "start", static_cast<std::size_t>(scene.dimension), range::any, context))
            scene.starts.push_back(Eigen::Map<const Eigen::VectorXd>(x->data(), scene.dimension));
    if (!root.has("start")) (void)root.need("start", "[[0.1, 0]]");
}

void read_picture(Reader& root, SweepScene& scene) {
    const Node* node = root.find("picture");
    if (node == nullptr) return;
    Reader keys(*node, root.context(), "'picture'");
    if (const Node* x = keys.find("x"))
        if (const auto ends = read_numbers(*x, "x", 2, range::any, root.context())) {
            scene.window = {(*ends)[0], (*ends)[1]};
            if (!(scene.window[1] > scene.window[0])) keys.fail("x", "'x' ends before it begins; write for example [-2, 2]");
        }
    scene.section = keys.number("y", quantity::number, range::any, 0.0);
    keys.finish();
}

}  // namespace

SweepScene load_sweep_scene_text(const std::string& text, const std::string& name) {
    Context context;
    const Node document = parse_yaml(text, name, context.errors);
    Reader root(document, context, "the scene");
    SweepScene scene;
    (void)root.need_integer("talus", 1, 1, "1");
    (void)root.choice("kind", {"sweeping"}, "");
    scene.title = root.text("title", "");
    scene.dimension = static_cast<int>(root.integer("dimension", 1, 2, 2));
    scene.from = root.number("from", quantity::number, range::any, 0.0);
    scene.until = root.need_number("until", quantity::number, range::any, "4");
    scene.step = root.need_number("step", quantity::number, range::positive, "0.01");
    if (!(scene.until > scene.from) && root.has("until")) root.fail("until", "'until' is not after 'from'; write a larger one");
    scene.scheme = root.choice("scheme", {"catching_up", "explicit"}, "catching_up") == "explicit" ? SweepScheme::explicit_velocity
                                                                                                   : SweepScheme::catching_up;
    read_set(root, scene);
    read_starts(root, scene);
    read_picture(root, scene);
    root.finish();
    context.errors.raise();
    return scene;
}

SweepScene load_sweep_scene(const std::string& path) { return load_sweep_scene_text(file_text(path), path); }

bool is_sweep_scene(const std::string& path) {
    Diagnostics ignored;
    const Node document = parse_yaml(file_text(path), path, ignored);
    const Node* kind = document.is_map() ? document.find("kind") : nullptr;
    return kind != nullptr && kind->text == "sweeping";
}

std::vector<SweepPath> run_sweep(const SweepScene& scene) {
    const auto steps = static_cast<std::int64_t>(std::ceil((scene.until - scene.from) / scene.step * (1.0 - 1e-12)));
    std::vector<SweepPath> paths;
    for (const auto& start : scene.starts) {
        SweepingProcess process(MovingSet(scene.set), scene.from, start, scene.scheme);
        SweepPath path;
        path.time.push_back(scene.from);
        path.position.push_back(start);
        path.active.emplace_back();
        for (std::int64_t k = 0; k < steps; ++k) {
            SweepReport report = process.step(scene.step);
            path.time.push_back(scene.from + static_cast<double>(k + 1) * scene.step);
            path.position.push_back(process.position());
            path.active.push_back(std::move(report.active));
            path.violation = std::max(path.violation, report.violation);
            path.converged = path.converged && report.converged;
        }
        path.swept = process.swept();
        paths.push_back(std::move(path));
    }
    return paths;
}

}  // namespace talus::scene
