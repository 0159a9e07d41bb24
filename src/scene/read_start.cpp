// A start from a frame of another run, or from balls in a CSV file.
#include <algorithm>
#include <filesystem>

#include "scene/csv.h"
#include "scene/read.h"
#include "talus/error.h"

namespace talus::scene {

std::string resolve_path(const std::string& path, const Context& context) {
    const std::filesystem::path p(path);
    if (p.is_absolute() || context.scene.directory.empty()) return path;
    return (std::filesystem::path(context.scene.directory) / p).string();
}

namespace {

/// Reads rows of a table of balls, each cell under the name of its column.
class BallRows {
public:
    BallRows(const CsvTable& table, Context& context, int material)
        : table_(table), context_(context), material_(material) {}

    GrainPlan read(std::size_t row) const {
        GrainPlan ball;
        const char* axes[3] = {"x", "y", "z"};
        const char* speeds[3] = {"vx", "vy", "vz"};
        const char* spins[3] = {"wx", "wy", "wz"};
        const int dim = context_.dimension();
        for (int k = 0; k < dim; ++k) {
            ball.position[k] = value(row, axes[k], quantity::length);
            ball.velocity[k] = value(row, speeds[k], quantity::velocity);
            if (dim == 3) ball.spin[k] = value(row, spins[k], quantity::number);
        }
        if (dim == 2) ball.spin[0] = value(row, "wz", quantity::number);
        ball.radius = table_.column("radius") >= 0 ? value(row, "radius", quantity::length)
                                                   : 0.5 * value(row, "diameter", quantity::length);
        ball.mass = value(row, "mass", quantity::mass);
        ball.tag = static_cast<std::int32_t>(value(row, "tag", quantity::number));
        ball.fixed = value(row, "fixed", quantity::number) != 0.0;
        ball.material = material(row);
        if (!(ball.radius > 0.0))
            throw InputError(table_.mark(row, std::max(0, table_.column("radius"))).text() +
                             ": the radius is not > 0; write a positive size");
        return ball;
    }

private:
    double value(std::size_t row, const char* name, Quantity q) const {
        const int column = table_.column(name);
        return column < 0 ? 0.0 : context_.si(table_.number(row, column), q);
    }
    int material(std::size_t row) const {
        const int column = table_.column("material");
        if (column < 0) return material_;
        const std::string& name = table_.rows[row][static_cast<std::size_t>(column)];
        const auto names = context_.material_names();
        const auto it = std::find(names.begin(), names.end(), name);
        if (it == names.end())
            throw InputError(table_.mark(row, column).text() + ": unknown material '" + name + "'; " +
                             suggest(name, names, "materials"));
        return static_cast<int>(it - names.begin());
    }

    const CsvTable& table_;
    Context& context_;
    int material_;
};

void check_columns(Reader& keys, const CsvTable& table) {
    const bool plane = keys.context().dimension() == 2;
    std::vector<std::string> known = {"id", "x",  "y",    "radius",   "diameter", "vx",
                                      "vy", "wz", "mass", "material", "tag",      "fixed"};
    if (!plane) known.insert(known.end(), {"z", "vz", "wx", "wy"});
    for (const auto& name : table.names)
        if (std::find(known.begin(), known.end(), name) == known.end())
            keys.fail("csv",
                      "unknown column '" + name + "' in '" + table.path + "'; " + suggest(name, known, "columns"));
    for (const auto& axis : keys.context().axis_names())
        if (table.column(axis) < 0)
            keys.fail("csv", "no column '" + axis + "' in '" + table.path + "'; columns are needed for " +
                                 join(keys.context().axis_names()) + " and radius or diameter");
    if ((table.column("radius") < 0) == (table.column("diameter") < 0))
        keys.fail("csv", "'" + table.path + "' needs one of the columns radius, diameter");
}

void read_csv_start(Reader& keys) {
    Context& context = keys.context();
    Scene& scene = context.scene;
    const std::string path = keys.text("csv", "");
    CsvTable table;
    try {
        table = read_csv(resolve_path(path, context), path);
    } catch (const IoError& e) {
        throw IoError(keys.find("csv")->mark.text() + ": " + e.what() +
                      "; check the path (it is relative to the scene)");
    } catch (const InputError& e) {
        keys.fail("csv", e.what());
        return;
    }
    const int material = table.column("material") >= 0 && !keys.has("material") ? 0 : keys.material();
    check_columns(keys, table);
    if (!context.errors.empty()) return;
    Group group{"", scene.grains.size(), table.rows.size(), keys.mark()};
    const BallRows rows(table, context, material);
    for (std::size_t row = 0; row < table.rows.size(); ++row) {
        try {
            scene.grains.push_back(rows.read(row));
        } catch (const InputError& e) {
            keys.fail("csv", e.what());
            return;
        }
        scene.grains.back().group = static_cast<int>(scene.groups.size());
    }
    scene.groups.push_back(std::move(group));
}

}  // namespace

void read_start(Reader& root) {
    const Node* node = root.find("start");
    if (node == nullptr) return;
    Context& context = root.context();
    Reader keys(*node, context, "'start'");
    for (const auto* key : {"frame", "impulses", "boundaries", "fixed_balls", "material"}) (void)keys.find(key);
    const std::string kind = keys.one_of({"run", "csv"}, "source ('run' or 'csv')");
    if (kind == "csv") {
        for (const std::string key : {"frame", "impulses", "boundaries", "fixed_balls"})
            if (keys.has(key)) keys.fail(key, "'" + key + "' goes with 'run' only; remove it");
        read_csv_start(keys);
    } else if (kind == "run") {
        if (keys.has("material")) keys.fail("material", "'material' goes with 'csv' only; a run brings its materials");
        StartPlan start;
        start.mark = node->mark;
        start.run = resolve_path(keys.text("run", ""), context);
        start.frame = keys.integer("frame", -1'000'000'000, 1'000'000'000, -1);
        start.impulses = keys.flag("impulses", true);
        start.move_boundaries = keys.choice("boundaries", {"from_frame", "as_written"}, "from_frame") == "from_frame";
        start.fixed_balls = keys.flag("fixed_balls", true);
        context.scene.start = std::move(start);
    }
    keys.finish();
}

}  // namespace talus::scene
