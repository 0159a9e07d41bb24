// Materials, and the laws between them.
#include <algorithm>

#include "laws/law_registry.h"
#include "scene/read.h"
#include "state/check_law.h"
#include "talus/error.h"

namespace talus::scene {

namespace {

/// Points of a coefficient: speeds that increase, values within the range.
Coefficient read_points(Reader& keys, const std::string& label, Range range, Context& context) {
    Coefficient c;
    const Node* speed = keys.need("speed", "[0, 1]");
    const Node* value = keys.need("value", "[0.9, 0.5]");
    keys.finish();
    if (speed == nullptr || value == nullptr) return c;
    const auto speeds = read_numbers(*speed, label + ".speed", 0, range::not_negative, context);
    const auto values = read_numbers(*value, label + ".value", 0, range, context);
    if (!speeds || !values) return c;
    if (speeds->empty() || speeds->size() != values->size()) {
        context.errors.add(value->mark, "'" + label + "' has " + std::to_string(speeds->size()) + " speeds and " +
                                            std::to_string(values->size()) +
                                            " values; write as many of each, at least one");
        return c;
    }
    if (std::adjacent_find(speeds->begin(), speeds->end(), std::greater_equal<>()) != speeds->end()) {
        context.errors.add(speed->mark,
                           "the speeds of '" + label + "' do not increase; sort them and drop repeated ones");
        return c;
    }
    for (const double v : *speeds) c.speed.push_back(context.si(v, quantity::velocity));
    c.at_speed = *values;
    return c;
}

Coefficient read_static_dynamic(Reader& keys, Range range) {
    const double at_rest = keys.need_number("static", quantity::number, range, "0.6");
    const double moving = keys.need_number("dynamic", quantity::number, range, "0.4");
    const double speed = keys.need_number("speed", quantity::velocity, range::positive, "0.01");
    keys.finish();
    Coefficient c;
    c.speed = {0.0, speed};
    c.at_speed = {at_rest, moving};
    return c;
}

void read_coefficient(Reader& keys, const std::string& key, Range range, Coefficient& c) {
    const Node* node = keys.find(key);
    if (node == nullptr) return;
    Context& context = keys.context();
    if (node->is_map()) {
        Reader part(*node, context, "'" + key + "' of " + keys.what());
        c = node->find("static") != nullptr || node->find("dynamic") != nullptr
                ? read_static_dynamic(part, range)
                : read_points(part, key, range, context);
    } else if (const auto x = read_number(*node, key, range, context)) {
        c = Coefficient(*x);
    }
}

/// Cohesion: a force, or a force with how it ends.
void read_cohesion(Reader& keys, LawSpec& law) {
    const Node* node = keys.find("cohesion");
    if (node == nullptr) return;
    Context& context = keys.context();
    law.brittle = false;
    if (!node->is_map()) {
        if (const auto x = read_number(*node, "cohesion", range::not_negative, context)) law.cohesion = context.si(*x, quantity::force);
        return;
    }
    Reader part(*node, context, "'cohesion' of " + keys.what());
    law.cohesion = part.need_number("force", quantity::force, range::not_negative, "0.01");
    law.brittle = part.flag("brittle", false);
    part.finish();
}

/// What goes beyond a round cone and restitution.
void read_more(Reader& keys, LawSpec& law) {
    law.static_friction = keys.number("static_friction", quantity::number, range::not_negative, law.static_friction);
    if (keys.has("friction_second"))
        law.friction_second = keys.number("friction_second", quantity::number, range::not_negative, 0.0);
    if (const Node* node = keys.find("axis"))
        if (const auto axis = read_numbers(*node, "axis", 3, range::any, keys.context()))
            std::copy(axis->begin(), axis->end(), law.axis.begin());
    const auto either = [&](const std::string& key, double& ratio, double& length) {
        // Saying it the other way takes the place of what was said before.
        if (keys.has(key) != keys.has(key + "_length")) ratio = length = 0.0;
        ratio = keys.number(key, quantity::number, range::not_negative, ratio);
        length = keys.number(key + "_length", quantity::length, range::not_negative, length);
    };
    either("rolling", law.rolling, law.rolling_length);
    either("pivoting", law.pivoting, law.pivoting_length);
    read_cohesion(keys, law);
    if (const auto fault = find_fault(law, keys.context().dimension())) keys.fail(fault->key, fault->message);
}

/// The keys of a law; those absent keep what `law` has.
void read_law(Reader& keys, LawSpec& law) {
    law.name = keys.text("law", law.name);
    read_coefficient(keys, "friction", range::not_negative, law.friction);
    read_coefficient(keys, "restitution", range::fraction, law.restitution);
    read_coefficient(keys, "tangential_restitution", range::signed_fraction, law.tangential_restitution);
    read_more(keys, law);
    try {
        (void)law_registry().make(law);
    } catch (const InputError& e) {
        keys.fail("law", e.what());
        law.name = LawSpec{}.name;
    }
}

bool has_law_keys(Reader& keys) {
    bool any = false;  // every key is asked for, so that all of them are known
    for (const auto* key : {"law", "friction", "restitution", "tangential_restitution", "static_friction", "friction_second", "axis",
                            "rolling", "rolling_length", "pivoting", "pivoting_length", "cohesion"})
        any = keys.has(key) || any;
    return any;
}

PairLaw* find_pair(std::vector<PairLaw>& laws, int a, int b) {
    for (auto& law : laws)
        if ((law.a == a && law.b == b) || (law.a == b && law.b == a)) return &law;
    return nullptr;
}

bool read_between(Reader& keys, int& a, int& b) {
    const Node* node = keys.need("between", "[grain, wall]");
    if (node == nullptr) return false;
    Context& context = keys.context();
    if (!node->is_list() || node->items.size() != 2) {
        keys.fail("between",
                  "'between' is " +
                      (node->is_list() ? "a list of " + std::to_string(node->items.size()) : describe(*node)) +
                      "; write two materials: [grain, wall]");
        return false;
    }
    int* out[2] = {&a, &b};
    const auto names = context.material_names();
    for (std::size_t i = 0; i < 2; ++i) {
        const auto name = read_text(node->items[i], "between", context);
        if (!name) return false;
        const auto it = std::find(names.begin(), names.end(), *name);
        if (it == names.end()) {
            context.errors.add(node->items[i].mark, "unknown material '" + *name + "' in " + keys.what() + "; " +
                                                        suggest(*name, names, "materials"));
            return false;
        }
        *out[i] = static_cast<int>(it - names.begin());
    }
    return true;
}

}  // namespace

void read_materials(Reader& root, std::vector<PairLaw>& laws) {
    Context& context = root.context();
    const Node* node = root.need("materials", "{grain: {density: 2500, friction: 0.5}}");
    if (node == nullptr) return;
    if (!node->is_map() || node->items.empty()) {
        root.fail("materials", "'materials' is " + (node->is_map() ? "empty" : describe(*node)) +
                                   "; write names with their properties: 'grain: {density: 2500, friction: 0.5}'");
        return;
    }
    Node nothing;
    nothing.kind = Node::Kind::map;
    for (std::size_t i = 0; i < node->items.size(); ++i) {
        const Node& item = node->items[i].is_null() ? nothing : node->items[i];
        Reader keys(item, context, "material '" + node->keys[i] + "'");
        Material material{node->keys[i],
                          keys.number("density", quantity::density(context.dimension()), range::positive, 0.0)};
        const int index = static_cast<int>(i);
        if (has_law_keys(keys)) {
            PairLaw law{index, index, {}, node->key_marks[i]};
            read_law(keys, law.law);
            laws.push_back(std::move(law));
        }
        keys.finish();
        context.scene.materials.push_back(std::move(material));
    }
}

void read_pairs(Reader& parent, std::vector<PairLaw>& laws, bool replace) {
    Context& context = parent.context();
    std::vector<PairLaw*> said;
    for (const Node* item : read_list(parent, "pairs", "{between: [grain, wall], friction: 0.5}")) {
        Reader keys(*item, context, "a pair");
        PairLaw law;
        law.mark = item->mark;
        (void)has_law_keys(keys);
        const bool named = read_between(keys, law.a, law.b);
        PairLaw* present = named ? find_pair(laws, law.a, law.b) : nullptr;
        if (present != nullptr && replace) {
            read_law(keys, present->law);
            present->mark = item->mark;
        } else {
            read_law(keys, law.law);
            const auto& m = context.scene.materials;
            if (present != nullptr)
                context.errors.add(item->mark, "the pair '" + m[static_cast<std::size_t>(law.a)].name + "', '" +
                                                   m[static_cast<std::size_t>(law.b)].name + "' already has a law (" +
                                                   present->mark.text() + "); keep one of them");
            else if (named)
                laws.push_back(law);
        }
        keys.finish();
    }
}

void check_pairs(Context& context, const std::vector<PairLaw>& laws) {
    const auto& scene = context.scene;
    if (scene.start) return;  // which materials come from the other run is known when it is read
    const std::size_t n = scene.materials.size();
    std::vector<std::int64_t> grains(n, 0), walls(n, 0);
    std::vector<Mark> mark(n);
    const auto note = [&](bool is_wall, int material, std::int64_t count, const Mark& where) {
        const auto m = static_cast<std::size_t>(material);
        (is_wall ? walls : grains)[m] += count;
        if (mark[m].line == 0) mark[m] = where;
    };
    for (const auto& body : scene.bodies)
        note(!body.is_ball && !(body.is_solid && body.can_move()), body.material, 1, body.mark);
    for (const auto& ball : scene.grains)
        note(ball.fixed || ball.glued_to >= 0, ball.material, 1,
             scene.groups[static_cast<std::size_t>(ball.group)].mark);
    for (const auto& emitter : scene.emitters) note(false, emitter.material, emitter.count, {});
    auto copy = laws;
    for (std::size_t i = 0; i < n; ++i)
        for (std::size_t j = i; j < n; ++j) {
            const bool alike = i == j && (grains[i] > 1 || (grains[i] > 0 && walls[i] > 0));
            const bool unlike =
                i != j && ((grains[i] > 0 && (grains[j] > 0 || walls[j] > 0)) || (walls[i] > 0 && grains[j] > 0));
            if ((!alike && !unlike) || find_pair(copy, static_cast<int>(i), static_cast<int>(j)) != nullptr) continue;
            const std::string &a = scene.materials[i].name, &b = scene.materials[j].name;
            Mark where = mark[j].line != 0 ? mark[j] : mark[i];
            if (!where.source) where = {std::make_shared<const std::string>(scene.path), 1, 1};
            const std::string remedy = i == j ? "'friction: 0.5' in material '" + a + "'"
                                              : "'pairs: [{between: [" + a + ", " + b + "], friction: 0.5}]'";
            context.errors.add(where, "no law for the pair '" + a + "', '" + b + "'; write for example " + remedy);
        }
}

}  // namespace talus::scene
