// Entries of `generate`: which generator, which sizes and shapes, what the grains are.
#include "scene/generate/generator_registry.h"
#include "scene/read.h"

namespace talus::scene {

namespace {

/// What is already there, as obstacles for later generators.
BallGrid standing_balls(const Scene& scene) {
    BallGrid grid(scene.dimension, scene.periodic, scene.cell_low, scene.cell_high);
    for (const auto& body : scene.bodies)
        if (body.is_ball) grid.insert(grid.wrapped(body.position), body.radius);
    for (const auto& ball : scene.grains) grid.insert(grid.wrapped(ball.position), ball.radius);
    return grid;
}

/// What all grains of an entry share.
GrainPlan read_grain(Reader& keys, const std::string& name, bool fixed_by_default) {
    Context& context = keys.context();
    GrainPlan ball;
    ball.material = keys.material();
    ball.tag = keys.tag(name);
    ball.velocity = keys.vector("velocity", quantity::velocity);
    ball.spin = context.dimension() == 3 ? keys.vector("spin", quantity::number)
                                         : Point(keys.number("spin", quantity::number, range::any, 0.0), 0.0, 0.0);
    ball.fixed = keys.flag("fixed", fixed_by_default);
    if (const Node* carrier = keys.find("glued_to")) {
        const auto body = read_text(*carrier, "glued_to", context);
        ball.glued_to = body ? context.body_index(*body) : -1;
        if (body && ball.glued_to < 0)
            keys.fail("glued_to", "unknown body '" + *body + "' in " + keys.what() + "; " +
                                      suggest(*body, context.body_names(), "bodies"));
        if (ball.glued_to >= 0 && context.scene.bodies[static_cast<std::size_t>(ball.glued_to)].is_ball)
            keys.fail("glued_to", "'" + *body + "' is a ball; balls are glued to boundaries, write the name of one");
        ball.fixed = false;
    }
    return ball;
}

std::string read_group_name(Reader& keys) {
    const Context& context = keys.context();
    const std::string name = keys.name();
    if (name.empty()) return name;
    for (const auto& group : context.scene.groups)
        if (group.name == name) keys.fail("name", "a second generator is named '" + name + "'; give it another name");
    if (context.body_index(name) >= 0)
        keys.fail("name", "a body is already named '" + name + "'; give the generator another name");
    return name;
}

/// What the grains of an entry are made from.
struct Family {
    Sizes sizes;
    GrainShapes shapes;
    std::uint64_t seed = 0;
    GrainPlan grain;  ///< what all share
};

/// Sizes and shapes, where the generator does not bring its own.
void read_family(Reader& keys, const std::string& kind, Family& family) {
    using Grains = Generator::Grains;
    const Grains grains = kind.empty() ? Grains::shaped : generator_registry().generators().at(kind).grains;
    if (grains != Grains::own) {
        family.sizes = read_sizes(keys, family.seed);
        family.shapes = read_grain_shapes(keys);
    }
    for (const std::string key : {"radius", "diameter", "shape"})
        if (grains == Grains::own && keys.has(key))
            keys.fail(key, "'" + kind + "' states the sizes of its blocks itself; remove '" + key + "'");
    if (grains == Grains::balls && !family.shapes.is_ball())
        keys.fail("shape", "'" + kind + "' makes balls only; remove 'shape', or use lattice, fill or rain");
    if (family.grain.glued_to >= 0 && (grains == Grains::own || !family.shapes.is_ball()))
        keys.fail("glued_to", "only balls can be glued to a boundary; remove 'glued_to', or write 'fixed: true'");
}

/// The shape of a grain goes into the scene's list.
void set_shape(Scene& scene, GrainPlan& grain, ShapeSpec shape, const Point& turn) {
    grain.shape = static_cast<int>(scene.shapes.size());
    grain.turn = turn;
    scene.shapes.push_back(std::move(shape));
}

/// Runs the generator `kind` and adds what it makes to the scene.
void add_grains(Reader& keys, const std::string& kind, const Family& family, BallGrid& placed) {
    Scene& scene = keys.context().scene;
    Reader part(*keys.find(kind), keys.context(), "'" + kind + "' of " + keys.what());
    if (!part.is_valid()) return;
    GeneratorInput input{part, family.sizes, family.shapes, family.seed, scene, placed};
    std::uint64_t number = 0;
    for (auto& made : generator_registry().generators().at(kind).make(input)) {
        GrainPlan one = family.grain;
        one.position = made.position;
        one.radius = made.radius;
        one.velocity += made.velocity;
        one.fixed = one.glued_to < 0 && (one.fixed || made.fixed);
        if (made.shape) {
            set_shape(scene, one, std::move(*made.shape), made.turn);
        } else if (!family.shapes.is_ball()) {
            auto drawn = family.shapes.draw(one.radius, family.seed, number);
            set_shape(scene, one, std::move(drawn.shape), drawn.turn);
        }
        ++number;
        placed.insert(placed.wrapped(one.position), one.radius);
        scene.grains.push_back(one);
    }
    part.finish();
}

void read_generator(const Node& item, Context& context, BallGrid& placed, std::size_t number) {
    Scene& scene = context.scene;
    const Node* label = item.find("name");
    const bool is_named = label != nullptr && label->is_scalar();
    Reader keys(item, context, is_named ? "generator '" + label->text + "'" : "a generator");
    if (!keys.is_valid()) return;
    Group group{read_group_name(keys), scene.grains.size(), 0, item.mark};
    std::vector<std::string> kinds;
    for (const auto& [kind, generator] : generator_registry().generators()) kinds.push_back(kind);
    const std::string kind = keys.one_of(kinds, "generator");
    const auto given = keys.integer("seed", 0, std::numeric_limits<std::int64_t>::max(), -1);
    Family family;
    family.seed = given >= 0 ? static_cast<std::uint64_t>(given) : Random(scene.seed, 1, number).next();
    const bool fixed = !kind.empty() && generator_registry().generators().at(kind).fixed_by_default;
    family.grain = read_grain(keys, group.name, fixed);
    family.grain.group = static_cast<int>(scene.groups.size());
    read_family(keys, kind, family);
    keys.finish();
    if (!kind.empty()) add_grains(keys, kind, family, placed);
    group.count = scene.grains.size() - group.first;
    scene.groups.push_back(std::move(group));
}

}  // namespace

void read_generators(Reader& root) {
    Context& context = root.context();
    BallGrid placed = standing_balls(context.scene);
    std::size_t number = 0;
    for (const Node* item : read_list(root, "generate", "{name: grains, fill: {...}, diameter: 0.01}"))
        read_generator(*item, context, placed, number++);
}

}  // namespace talus::scene
