// Size distributions.
#include <numeric>

#include "scene/csv.h"
#include "scene/read.h"
#include "talus/error.h"

namespace talus::scene {

namespace {

const std::vector<std::string> forms = {"uniform", "uniform_mass", "uniform_volume", "table", "file"};

/// Turns weights or counts into what `Sizes` draws from.
void set_table(Sizes& sizes, const std::vector<double>& amount, bool are_counts, std::uint64_t seed) {
    if (!are_counts) {
        sizes.kind = Sizes::Kind::weights;
        const double total = std::accumulate(amount.begin(), amount.end(), 0.0);
        double sum = 0.0;
        for (const double w : amount) sizes.cumulative.push_back((sum += w) / total);
        return;
    }
    sizes.kind = Sizes::Kind::counts;
    for (std::size_t i = 0; i < amount.size(); ++i)
        sizes.order.insert(sizes.order.end(), static_cast<std::size_t>(amount[i]), static_cast<std::uint32_t>(i));
    Random random(seed, 0x512e5);
    for (std::size_t i = sizes.order.size(); i > 1; --i) std::swap(sizes.order[i - 1], sizes.order[random.below(i)]);
}

void fill_table(Sizes& sizes, const Node& node, const std::vector<double>& size, const std::vector<double>& amount,
                bool are_counts, double to_radius, std::uint64_t seed, Context& context) {
    const double total = std::accumulate(amount.begin(), amount.end(), 0.0);
    if (size.empty() || size.size() != amount.size() || !(total > 0.0)) {
        context.errors.add(node.mark, "the table has " + std::to_string(size.size()) + " sizes and " +
                                          std::to_string(amount.size()) +
                                          " amounts; write as many of each, not all zero");
        return;
    }
    for (const double s : size) sizes.radius.push_back(context.si(s, quantity::length) * to_radius);
    set_table(sizes, amount, are_counts, seed);
}

void read_table(Sizes& sizes, const Node& node, double to_radius, std::uint64_t seed, Context& context) {
    Reader keys(node, context, "a table of sizes");
    const Node* size = keys.need("size", "[1, 2]");
    const std::string kind = keys.one_of({"weight", "count"}, "amount ('weight' or 'count')");
    keys.finish();
    if (size == nullptr || kind.empty()) return;
    const Node& amount = *keys.find(kind);
    const auto values = read_numbers(*size, "size", 0, range::positive, context);
    const auto amounts = read_numbers(amount, kind, 0, range::not_negative, context);
    if (!values || !amounts) return;
    fill_table(sizes, amount, *values, *amounts, kind == "count", to_radius, seed, context);
}

void read_file(Sizes& sizes, const Node& node, double to_radius, std::uint64_t seed, Context& context) {
    const auto path = read_text(node, "file", context);
    if (!path) return;
    CsvTable table;
    try {
        table = read_csv(resolve_path(*path, context), *path);
    } catch (const IoError& e) {
        throw IoError(node.mark.text() + ": " + e.what() + "; check the path (it is relative to the scene)");
    } catch (const InputError& e) {
        context.errors.add(node.mark, e.what());
        return;
    }
    const int size = table.column("size"), weight = table.column("weight"), count = table.column("count");
    if (size < 0 || (weight < 0) == (count < 0)) {
        context.errors.add(node.mark, "'" + *path + "' has the columns " + join(table.names) +
                                          "; it needs 'size' and one of 'weight', 'count'");
        return;
    }
    std::vector<double> values, amounts;
    try {
        for (std::size_t row = 0; row < table.rows.size(); ++row) {
            values.push_back(table.number(row, size));
            amounts.push_back(table.number(row, weight < 0 ? count : weight));
            if (!(values.back() > 0.0) || amounts.back() < 0.0)
                throw InputError(table.mark(row, size).text() + ": sizes must be > 0 and amounts >= 0");
        }
    } catch (const InputError& e) {
        context.errors.add(node.mark, e.what());
        return;
    }
    fill_table(sizes, node, values, amounts, count >= 0, to_radius, seed, context);
}

void read_interval(Sizes& sizes, const std::string& form, const Node& node, double to_radius, Context& context) {
    const auto bounds = read_numbers(node, form, 2, range::positive, context);
    if (!bounds) return;
    if ((*bounds)[1] < (*bounds)[0]) {
        context.errors.add(node.mark, "'" + form + "' goes from " + number_text((*bounds)[0]) + " down to " +
                                          number_text((*bounds)[1]) + "; write the smaller size first");
        return;
    }
    sizes.kind = form == "uniform"        ? Sizes::Kind::uniform
                 : form == "uniform_mass" ? Sizes::Kind::uniform_mass
                                          : Sizes::Kind::uniform_volume;
    sizes.low = context.si((*bounds)[0], quantity::length) * to_radius;
    sizes.high = context.si((*bounds)[1], quantity::length) * to_radius;
}

}  // namespace

Sizes read_sizes(Reader& keys, std::uint64_t seed) {
    Context& context = keys.context();
    Sizes sizes;
    sizes.dimension = context.dimension();
    sizes.low = sizes.high = 1.0;  // harmless until read
    const std::string key = keys.one_of({"diameter", "radius"}, "size ('diameter' or 'radius')");
    if (key.empty()) return sizes;
    const double to_radius = key == "radius" ? 1.0 : 0.5;
    const Node& node = *keys.find(key);
    if (!node.is_map()) {
        if (const auto x = read_number(node, key, range::positive, context))
            sizes.low = sizes.high = context.si(*x, quantity::length) * to_radius;
        return sizes;
    }
    Reader part(node, context, "'" + key + "' of " + keys.what());
    const std::string form = part.one_of(forms, "distribution");
    part.finish();
    if (form.empty()) return sizes;
    const Node& value = *part.find(form);
    if (form == "table") {
        read_table(sizes, value, to_radius, seed, context);
    } else if (form == "file") {
        read_file(sizes, value, to_radius, seed, context);
    } else {
        read_interval(sizes, form, value, to_radius, context);
    }
    return sizes;
}

}  // namespace talus::scene
