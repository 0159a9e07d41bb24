// Functions of time: drives, and loads that change.
#include <algorithm>
#include <cmath>
#include <functional>

#include "scene/csv.h"
#include "scene/read.h"
#include "talus/error.h"

namespace talus::scene {

namespace {

/// c * f: a function stated in the units of the scene, in SI.
class Scaled : public TimeFunction {
public:
    Scaled(TimeFunctionPtr f, double factor) : f_(std::move(f)), factor_(factor) {}
    [[nodiscard]] double value(double t) const override { return factor_ * f_->value(t); }
    [[nodiscard]] double slope(double t) const override { return factor_ * f_->slope(t); }

private:
    TimeFunctionPtr f_;
    double factor_;
};

TimeFunctionPtr scaled(TimeFunctionPtr f, double factor) {
    return factor == 1.0 ? std::move(f) : std::make_shared<Scaled>(std::move(f), factor);
}

/// How fast the integral of `f` (or f itself, order 0) may change, sampled where no formula is at hand.
double sampled_slope(const TimeFunction& f, double duration) {
    if (!std::isfinite(duration)) return 0.0;
    double top = 0.0;
    constexpr int samples = 200;
    for (int i = 0; i <= samples; ++i) top = std::max(top, std::abs(f.slope(duration * i / samples)));
    return top;
}

int column_index(const CsvTable& table, const Node& node, const std::string& label, Context& context) {
    if (looks_like_number(node)) {
        const auto k = read_integer(node, label, 1, static_cast<std::int64_t>(table.names.size()), context);
        return k ? static_cast<int>(*k) - 1 : -1;
    }
    const auto name = read_text(node, label, context);
    if (!name) return -1;
    const int k = table.column(*name);
    if (k < 0)
        context.errors.add(
            node.mark, "no column '" + *name + "' in '" + table.path + "'; " + suggest(*name, table.names, "columns"));
    return k;
}

/// The two columns of a table, from the scene or from a CSV file.
bool read_table_points(Reader& keys, std::vector<double>& time, std::vector<double>& value) {
    Context& context = keys.context();
    const Node* file = keys.find("file");
    const Node* times = keys.need("time", file != nullptr ? "t" : "[0, 1]");
    const std::string key = file != nullptr ? "column" : "value";
    const Node* values = keys.need(key, file != nullptr ? "x" : "[0, 1]");
    if (times == nullptr || values == nullptr) return false;
    if (file == nullptr) {
        const auto t = read_numbers(*times, "time", 0, range::any, context),
                   v = read_numbers(*values, "value", 0, range::any, context);
        if (!t || !v) return false;
        time = *t;
        value = *v;
        return true;
    }
    const auto path = read_text(*file, "file", context);
    if (!path) return false;
    CsvTable table;
    try {
        table = read_csv(resolve_path(*path, context), *path);
    } catch (const IoError& e) {
        throw IoError(file->mark.text() + ": " + e.what() + "; check the path (it is relative to the scene)");
    }
    const int a = column_index(table, *times, "time", context), b = column_index(table, *values, "column", context);
    if (a < 0 || b < 0) return false;
    for (std::size_t row = 0; row < table.rows.size(); ++row) {
        time.push_back(table.number(row, a));
        value.push_back(table.number(row, b));
    }
    return true;
}

/// A law as written, before units, with what it states.
struct Written {
    TimeFunctionPtr function;
    std::string quantity = "displacement";
    double top_speed = -1.0;  ///< of the displacement, in the units of the scene; < 0: unknown
};

Written read_sine(Reader& keys) {
    const double amplitude = keys.need_number("amplitude", quantity::number, range::any, "0.01");
    const double frequency = keys.need_number("frequency", quantity::number, range::positive, "25");
    const double phase = keys.number("phase", quantity::number, range::any, 0.0) * M_PI / 180.0;
    return {sine(amplitude, frequency, phase), "displacement", std::abs(amplitude) * 2.0 * M_PI * frequency};
}

Written read_ramp(Reader& keys) {
    const double from = keys.number("from", quantity::number, range::any, 0.0);
    const double to = keys.need_number("to", quantity::number, range::any, "1");
    const double begin = keys.number("begin", quantity::time, range::not_negative, 0.0);
    const double end = keys.need_number("end", quantity::time, range::positive, "1");
    if (keys.has("end") && !(end > begin)) {
        keys.fail("end", "the ramp ends at " + number_text(end) + ", not after its beginning at " + number_text(begin) +
                             "; write a later 'end'");
        return {ramp(0.0, 0.0, 0.0, 1.0)};
    }
    return {ramp(from, to, begin, end)};
}

Written read_table(Reader& keys) {
    std::vector<double> time, value;
    if (!read_table_points(keys, time, value)) return {constant(0.0)};
    if (time.empty() || time.size() != value.size()) {
        keys.fail("time", "the table has " + std::to_string(time.size()) + " times and " +
                              std::to_string(value.size()) + " values; write as many of each, at least one");
        return {constant(0.0)};
    }
    if (const auto at = std::adjacent_find(time.begin(), time.end(), std::greater_equal<>()); at != time.end()) {
        keys.fail("time", "the times of the table do not increase: " + number_text(*at) + " is followed by " +
                              number_text(*(at + 1)) + "; sort them and drop repeated ones");
        return {constant(0.0)};
    }
    return {table(std::move(time), std::move(value))};
}

Written read_expression(const Node& node, const std::string& what, Context& context) {
    Written written;
    const Node* text = &node;
    if (node.is_map()) {
        Reader keys(node, context, "'expression' of " + what);
        text = keys.need("text", "\"0.1*sin(t)\"");
        written.quantity = keys.choice("quantity", {"displacement", "velocity", "acceleration"}, "displacement");
        keys.finish();
    }
    written.function = constant(0.0);
    if (text == nullptr) return written;
    if (const auto formula = read_text(*text, "expression", context)) try {
            written.function = expression(*formula, context.step);
        } catch (const InputError& e) {
            context.errors.add(text->mark, std::string(e.what()) + "; correct the formula");
        }
    return written;
}

/// The displacement of a law that states a displacement, a velocity or an acceleration, in SI.
TimeLaw displacement_of(const Written& written, double factor, Context& context) {
    TimeLaw law;
    TimeFunctionPtr f = written.function;
    if (written.quantity != "displacement") f = integral_of(f, context.step);
    if (written.quantity == "acceleration") f = integral_of(f, context.step);
    if (written.quantity == "displacement") f = from_zero(f);
    law.function = scaled(f, factor);
    law.top_slope =
        written.top_speed >= 0.0 ? written.top_speed * factor : sampled_slope(*law.function, context.scene.duration);
    return law;
}

const std::vector<std::string> drive_kinds = {"constant", "sine", "ramp", "expression", "table"};

Written read_written(Reader& keys, const std::string& kind, const std::string& what, bool with_quantity,
                     Context& context) {
    const Node& node = *keys.find(kind);
    if (kind == "constant") {
        const double v = read_number(node, "constant", range::any, context).value_or(0.0);
        return {linear(v), "displacement", std::abs(v)};
    }
    if (kind == "expression") return read_expression(node, what, context);
    Reader part(node, context, "'" + kind + "' of " + what);
    Written written{constant(0.0)};
    try {
        written = kind == "sine" ? read_sine(part) : kind == "ramp" ? read_ramp(part) : read_table(part);
    } catch (const InputError& e) {
        context.errors.add(node.mark, e.what());
    }
    if (with_quantity && kind != "sine")
        written.quantity = part.choice("quantity", {"displacement", "velocity", "acceleration"}, "displacement");
    part.finish();
    return written;
}

}  // namespace

TimeLaw read_drive(const Node& node, const std::string& what, Quantity unit, Context& context) {
    Reader keys(node, context, what);
    const std::string kind = keys.one_of(drive_kinds, "drive");
    keys.finish();
    if (kind.empty()) return {linear(0.0), 0.0};
    return displacement_of(read_written(keys, kind, what, true, context), context.si(1.0, unit), context);
}

TimeFunctionPtr read_time_load(const Node& node, const std::string& what, Quantity unit, Context& context) {
    const double factor = context.si(1.0, unit);
    if (looks_like_number(node))
        return constant(context.si(read_number(node, what, range::any, context).value_or(0.0), unit));
    if (node.is_scalar()) return scaled(read_expression(node, what, context).function, factor);
    Reader keys(node, context, what);
    const std::string kind = keys.one_of({"sine", "ramp", "expression", "table"}, "function of time");
    keys.finish();
    if (kind.empty()) return constant(0.0);
    return scaled(read_written(keys, kind, what, false, context).function, factor);
}

}  // namespace talus::scene
