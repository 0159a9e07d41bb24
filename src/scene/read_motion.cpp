// Freedoms of a body (free, fixed, driven) and the loads on them.
#include <algorithm>
#include <cmath>
#include <functional>

#include "math/portable.h"
#include "scene/read.h"
#include "talus/error.h"

namespace talus::scene {

namespace {

/// One component of an elliptic motion: C (cos(wt + p) - cos p) + S (sin(wt + p) - sin p).
class Ellipse : public TimeFunction {
public:
    Ellipse(double c, double s, double frequency, double phase)
        : c_(c), s_(s), omega_(2.0 * M_PI * frequency), phase_(phase) {}
    [[nodiscard]] double value(double t) const override {
        const double a = omega_ * t + phase_;
        return c_ * (portable::cos(a) - portable::cos(phase_)) + s_ * (portable::sin(a) - portable::sin(phase_));
    }
    [[nodiscard]] double slope(double t) const override {
        const double a = omega_ * t + phase_;
        return omega_ * (s_ * portable::cos(a) - c_ * portable::sin(a));
    }

private:
    double c_, s_, omega_, phase_;
};

/// A force written in the units of the scene.
class ScaledForce : public ForceFunction {
public:
    ScaledForce(ForceFunctionPtr f, int dimension, double metres_per_length, double factor)
        : f_(std::move(f)),
          dimension_(static_cast<std::size_t>(dimension)),
          length_(metres_per_length),
          factor_(factor) {}
    [[nodiscard]] double value(double t, std::span<const double> position,
                               std::span<const double> velocity) const override {
        double x[6] = {}, v[6] = {};
        for (std::size_t k = 0; k < position.size() && k < 6; ++k)
            x[k] = k < dimension_ ? position[k] / length_ : position[k];
        for (std::size_t k = 0; k < velocity.size() && k < 6; ++k)
            v[k] = k < dimension_ ? velocity[k] / length_ : velocity[k];
        return factor_ * f_->value(t, {x, std::min<std::size_t>(position.size(), 6)},
                                   {v, std::min<std::size_t>(velocity.size(), 6)});
    }

private:
    ForceFunctionPtr f_;
    std::size_t dimension_;
    double length_, factor_;
};

Freedom driven(TimeFunctionPtr f, double top_speed) { return {Freedom::Kind::driven, std::move(f), top_speed}; }

double read_phase(Reader& keys) { return keys.number("phase", quantity::number, range::any, 0.0) * M_PI / 180.0; }

using Component = std::function<Freedom(int)>;

Component read_sine_vector(Reader& keys) {
    const Point amplitude = keys.need_vector("amplitude", quantity::length, "[0, 0.01]");
    const double frequency = keys.need_number("frequency", quantity::number, range::positive, "25");
    const double phase = read_phase(keys);
    return [=](int k) {
        return driven(sine(amplitude[k], frequency, phase), std::abs(amplitude[k]) * 2.0 * M_PI * frequency);
    };
}

Component read_ellipse(Reader& keys) {
    const Point c = keys.need_vector("cosine", quantity::length, "[0.1, 0]"),
                s = keys.need_vector("sine", quantity::length, "[0, 0.1]");
    const double frequency = keys.need_number("frequency", quantity::number, range::positive, "2");
    const double phase = read_phase(keys);
    return [=](int k) {
        return driven(std::make_shared<Ellipse>(c[k], s[k], frequency, phase),
                      std::sqrt(c[k] * c[k] + s[k] * s[k]) * 2.0 * M_PI * frequency);
    };
}

/// `drive`: all translations together.
void read_body_drive(Reader& keys, Motion& motion) {
    Context& context = keys.context();
    const Node* node = keys.find("drive");
    if (node == nullptr) return;
    Reader part(*node, context, "'drive' of " + keys.what());
    const std::string kind = part.one_of({"constant", "sine", "ellipse"}, "drive");
    part.finish();
    if (kind.empty()) return;
    Component component;
    if (kind == "constant") {
        const Point v = part.vector("constant", quantity::velocity);
        component = [v](int k) { return driven(linear(v[k]), std::abs(v[k])); };
    } else {
        Reader inner(*part.find(kind), context, "'" + kind + "' of " + keys.what());
        component = kind == "sine" ? read_sine_vector(inner) : read_ellipse(inner);
        inner.finish();
    }
    for (int k = 0; k < context.dimension(); ++k) motion.freedoms[static_cast<std::size_t>(k)] = component(k);
}

void read_freedom(const Node& node, const std::string& axis, bool is_rotation, Freedom& freedom, Reader& keys) {
    Context& context = keys.context();
    const std::string what = "freedom '" + axis + "' of " + keys.what();
    if (node.is_map()) {
        const TimeLaw law = read_drive(node, what, is_rotation ? quantity::number : quantity::length, context);
        freedom = driven(law.function, is_rotation ? 0.0 : law.top_slope);
    } else if (node.is_scalar() && node.text == "free") {
        freedom = {Freedom::Kind::free, nullptr, 0.0};
    } else if (node.is_scalar() && node.text == "fixed") {
        freedom = {Freedom::Kind::fixed, nullptr, 0.0};
    } else {
        context.errors.add(node.mark, what + " is " + describe(node) +
                                          "; write free, fixed or a drive: '{sine: {amplitude: 0.01, frequency: 25}}'");
    }
}

ForceFunctionPtr read_force(const Node& node, const std::string& what, Quantity unit, Context& context) {
    if (!node.is_scalar() || looks_like_number(node)) return force(read_time_load(node, what, unit, context));
    try {
        auto f = force_expression(node.text, context.dimension());
        return std::make_shared<ScaledForce>(std::move(f), context.dimension(), context.si(1.0, quantity::length),
                                             context.si(1.0, unit));
    } catch (const InputError& e) {
        context.errors.add(node.mark, std::string(e.what()) + "; correct the formula");
        return force(constant(0.0));
    }
}

bool is_zero(const Node& node) { return node.is_scalar() && (node.text == "0" || node.text == "0.0"); }

void read_forces(Reader& keys, const Node& node, std::vector<LoadPlan>& loads) {
    Context& context = keys.context();
    const auto names = context.freedom_names();
    const auto dim = static_cast<std::size_t>(context.dimension());
    const std::string what = "'force' of " + keys.what();
    if (node.is_map()) {
        Reader part(node, context, what);
        for (std::size_t k = 0; k < names.size(); ++k)
            if (const Node* value = part.find(names[k]))
                loads.push_back({static_cast<int>(k),
                                 read_force(*value, what, k < dim ? quantity::force : quantity::torque, context),
                                 {}});
        part.finish();
        return;
    }
    if (!node.is_list() || node.items.size() != dim) {
        keys.fail("force", what + " is " +
                               (node.is_list() ? "a list of " + std::to_string(node.items.size()) : describe(node)) +
                               "; write " + std::to_string(dim) + " components, or a mapping of freedoms");
        return;
    }
    for (std::size_t k = 0; k < dim; ++k)
        if (!is_zero(node.items[k]))
            loads.push_back({static_cast<int>(k), read_force(node.items[k], what, quantity::force, context), {}});
}

/// A named body of a pressure's area, or -1 after a report.
int read_span_end(const Node& node, const std::string& what, Context& context) {
    const auto name = read_text(node, "across", context);
    if (!name) return -1;
    const int body = context.body_index(*name);
    if (body < 0)
        context.errors.add(node.mark, "unknown body '" + *name + "' in " + what + "; " +
                                          suggest(*name, context.body_names(), "bodies"));
    return body;
}

void read_pressure(const Node& node, const std::string& owner, Context& context, std::vector<LoadPlan>& loads) {
    const std::string what = "'pressure' of " + owner;
    Reader keys(node, context, what);
    const auto axes = context.axis_names();
    LoadPlan load;
    const std::string axis = keys.choice("axis", axes, "");
    load.freedom = static_cast<int>(std::find(axes.begin(), axes.end(), axis) - axes.begin());
    const Node* value = keys.need("value", "1e5");
    const Node* across =
        keys.need("across", context.dimension() == 2 ? "[[left, right]]" : "[[left, right], [front, back]]");
    keys.finish();
    load.function = value != nullptr
                        ? force(read_time_load(*value, what, quantity::pressure(context.dimension()), context))
                        : nullptr;
    const auto wanted = static_cast<std::size_t>(context.dimension() - 1);
    bool good = across != nullptr && across->is_list() && across->items.size() == wanted;
    for (std::size_t i = 0; good && i < wanted; ++i)
        good = across->items[i].is_list() && across->items[i].items.size() == 2;
    if (across != nullptr && !good)
        keys.fail("across", "'across' must hold " + std::to_string(wanted) + (wanted == 1 ? " pair" : " pairs") +
                                " of bodies; write " +
                                (wanted == 1 ? "[[left, right]]" : "[[left, right], [front, back]]"));
    if (!good || value == nullptr) return;
    int next = 0;
    for (const auto& pair : across->items) {
        if (next == load.freedom) ++next;
        const int low = read_span_end(pair.items[0], what, context), high = read_span_end(pair.items[1], what, context);
        if (low < 0 || high < 0) return;
        load.across.push_back({low, high, next++});
    }
    loads.push_back(std::move(load));
}

}  // namespace

void read_freedoms(Reader& keys, Motion& motion, bool is_ball) {
    Context& context = keys.context();
    const auto names = context.freedom_names();
    const auto dim = static_cast<std::size_t>(context.dimension());
    if (keys.has("fixed") && !is_ball)
        keys.fail("fixed", "'fixed' is for balls; other bodies are fixed unless 'freedoms' says otherwise");
    if (keys.flag("fixed", false)) std::fill(motion.freedoms.begin(), motion.freedoms.end(), Freedom{});
    read_body_drive(keys, motion);
    const Node* node = keys.find("freedoms");
    if (node == nullptr) return;
    if (node->is_scalar() && (node->text == "free" || node->text == "fixed")) {
        if (keys.has("drive")) keys.fail("freedoms", "'drive' already moves the body; name the other freedoms only");
        const auto kind = node->text == "free" ? Freedom::Kind::free : Freedom::Kind::fixed;
        std::fill(motion.freedoms.begin(), motion.freedoms.end(), Freedom{kind, nullptr, 0.0});
        return;
    }
    Reader part(*node, context, "'freedoms' of " + keys.what());
    int turning = 0;
    for (std::size_t k = 0; k < names.size(); ++k) {
        const Node* value = part.find(names[k]);
        if (value == nullptr) continue;
        if (k < dim && keys.has("drive"))
            part.fail(names[k], "'drive' already moves '" + names[k] + "'; remove one of them");
        read_freedom(*value, names[k], k >= dim, motion.freedoms[k], keys);
        if (k >= dim && motion.freedoms[k].kind == Freedom::Kind::driven && ++turning == 2)
            part.fail(names[k], "a second rotation is driven; a body may turn about one driven axis, fix the others");
    }
    part.finish();
}

void read_loads(Reader& keys, Motion& motion) {
    Context& context = keys.context();
    const Node *force_node = keys.find("force"), *pressure = keys.find("pressure");
    if (force_node == nullptr && pressure == nullptr) return;
    motion.loads.clear();
    if (force_node != nullptr) read_forces(keys, *force_node, motion.loads);
    if (pressure != nullptr && pressure->is_list()) {
        for (const auto& item : pressure->items) read_pressure(item, keys.what(), context, motion.loads);
    } else if (pressure != nullptr) {
        read_pressure(*pressure, keys.what(), context, motion.loads);
    }
    const auto names = context.freedom_names();
    for (const auto& load : motion.loads)
        if (motion.freedoms[static_cast<std::size_t>(load.freedom)].kind != Freedom::Kind::free)
            keys.fail(force_node != nullptr ? "force" : "pressure",
                      "freedom '" + names[static_cast<std::size_t>(load.freedom)] + "' of " + keys.what() +
                          " is loaded but not free; write 'freedoms: {" +
                          names[static_cast<std::size_t>(load.freedom)] + ": free}'");
}

}  // namespace talus::scene
