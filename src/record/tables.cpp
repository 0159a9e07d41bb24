#include "record/tables.h"

#include <algorithm>
#include <bit>

#include "record/columns.h"
#include "talus/error.h"

namespace talus::record {
namespace {

struct ColumnLayout {
    const char* name;
    RowType type;
    bool required = true;
};

template <class Columns>
std::vector<ColumnLayout> layouts(const Columns& columns) {
    std::vector<ColumnLayout> all;
    for (const auto& column : columns) {
        bool required = true;
        if constexpr (requires { column.required; }) required = column.required;
        all.push_back({column.name, column.type, required});
    }
    return all;
}

std::vector<ColumnLayout> body_layout(int dim) {
    return dim == 2 ? layouts(body_columns<2>()) : layouts(body_columns<3>());
}
std::vector<ColumnLayout> contact_layout(int dim) {
    return dim == 2 ? layouts(contact_columns<2>()) : layouts(contact_columns<3>());
}
std::vector<ColumnLayout> sum_layout(int dim) {
    return dim == 2 ? layouts(sum_columns<2>()) : layouts(sum_columns<3>());
}

/// A chunk that a later frame completes is compressed and stored anew, and SWMR never reuses the old
/// place: chunks of about a quarter of a frame keep that waste near an eighth.
std::uint64_t chunk_rows(std::int64_t rows_per_frame) {
    const auto quarter = static_cast<std::uint64_t>(std::max<std::int64_t>(rows_per_frame, 4)) / 4;
    return std::clamp<std::uint64_t>(std::bit_ceil(quarter), 32, 16384);
}

ColumnGroup create_group(const h5::File& file, const std::string& name, const std::vector<ColumnLayout>& layout,
                         const std::vector<std::string>& chosen, std::uint64_t chunk) {
    const auto group = h5::make_group(file, name);
    ColumnGroup made;
    for (const auto& column : layout) {
        const bool wanted = column.required || chosen.empty() ||
                            std::find(chosen.begin(), chosen.end(), column.name) != chosen.end();
        made.columns.emplace_back();
        if (wanted) made.columns.back() = Series::create(file, name + "/" + column.name, column.type, {chunk, true});
    }
    return made;
}

ColumnGroup open_group(const h5::File& file, const std::string& name, const std::vector<ColumnLayout>& layout) {
    ColumnGroup opened;
    if (!h5::exists(file, name)) return opened;
    for (const auto& column : layout) {
        opened.columns.emplace_back();
        const std::string path = name + "/" + column.name;
        if (column.required || h5::exists(file, path)) opened.columns.back() = Series::open(file, path, column.type);
    }
    return opened;
}

void check_arrays(const std::vector<std::string>& chosen, int dim) {
    for (const auto& name : chosen) {
        const auto layout = body_layout(dim);
        if (std::any_of(layout.begin(), layout.end(), [&](const auto& column) { return name == column.name; })) continue;
        std::string known;
        for (const auto& column : layout) known += std::string(known.empty() ? "" : ", ") + column.name;
        throw InputError("cannot record '" + name + "': the arrays of bodies are " + known);
    }
}

/// Creates or opens: the two differ in nothing but the verb.
struct Maker {
    const h5::File& file;
    bool create;
    [[nodiscard]] Series operator()(const std::string& name, const RowType& type, std::uint64_t chunk) const {
        return create ? Series::create(file, name, type, {chunk, false}) : Series::open(file, name, type);
    }
};

Tables make(const Maker& series, int dim) {
    constexpr std::uint64_t kCheckpointChunk = 1 << 18;  // [byte]
    return {series("frames/index", frame_row(dim), 64),
            series("reports/steps", report_row(), 256),
            series("reports/walls", wall_row(dim), 1024),
            series("observables/index", text_row(), 64),
            series("observables/text", plain(Kind::u8), 16384),
            series("shapes/index", shape_row(), 16),
            series("shapes/sizes", plain(Kind::f64), 64),
            series("summary/index", text_row(), 4),
            series("summary/text", plain(Kind::u8), 4096),
            {series(slot_name(0), slot_row(), 1), series(slot_name(1), slot_row(), 1)},
            {series(slot_bytes_name(0), plain(Kind::u8), kCheckpointChunk),
             series(slot_bytes_name(1), plain(Kind::u8), kCheckpointChunk)},
            {}, {}, {}};
}

/// Row `rows - 1` of an index, or nothing when it is empty.
template <class Row>
Row last_row(const Series& index, std::uint64_t rows) {
    Row row{};
    if (rows > 0) index.read(rows - 1, 1, &row);
    return row;
}

}  // namespace

Tables Tables::create(const h5::File& file, int dim, const Plan& plan) {
    check_arrays(plan.arrays, dim);
    for (const char* name : {"frames", "reports", "observables", "shapes", "summary", "checkpoints"}) {
        (void)h5::make_group(file, name);
    }
    Tables tables = make({file, true}, dim);
    const std::uint64_t chunk = chunk_rows(plan.expected_bodies);
    tables.bodies = create_group(file, "bodies", body_layout(dim), plan.arrays, chunk);
    if (plan.contacts) tables.contacts = create_group(file, "contacts", contact_layout(dim), {}, chunk);
    if (plan.sums) tables.sums = create_group(file, "sums", sum_layout(dim), {}, chunk);
    const SlotHeader empty;
    for (const auto& slot : tables.slot) slot.write(0, 1, &empty);
    return tables;
}

Tables Tables::open(const h5::File& file, int dim) {
    Tables tables = make({file, false}, dim);
    tables.bodies = open_group(file, "bodies", body_layout(dim));
    tables.contacts = open_group(file, "contacts", contact_layout(dim));
    tables.sums = open_group(file, "sums", sum_layout(dim));
    if (!tables.bodies.exists()) file.damaged("group bodies is missing");
    return tables;
}

std::vector<std::string> Tables::body_arrays(int dim) const {
    std::vector<std::string> names;
    const auto layout = body_layout(dim);
    for (std::size_t i = 0; i < layout.size(); ++i) {
        if (bodies.columns[i]) names.emplace_back(layout[i].name);
    }
    return names;
}

Ends ends_at(const Tables& tables, const SlotHeader& header) {
    const auto frame = last_row<FrameInfo>(tables.frames, header.frames);
    const auto report = last_row<ReportRow>(tables.reports, header.reports);
    const auto observed = last_row<TextRow>(tables.observables, header.observables);
    const auto shape = last_row<ShapeRow>(tables.shapes, header.shapes);
    Ends ends;
    ends.frames = header.frames;
    ends.bodies = frame.bodies_begin + frame.bodies;
    ends.contacts = frame.contacts_begin + frame.contacts;
    ends.sums = frame.sums_begin + frame.sums;
    ends.reports = header.reports;
    ends.walls = report.walls_begin + report.walls;
    ends.observables = header.observables;
    ends.observables_text = observed.begin + observed.count;
    ends.shapes = header.shapes;
    ends.shape_sizes = shape.begin + shape.count;
    return ends;
}

std::vector<std::pair<const Series*, std::uint64_t>> lengths(const Tables& t, const Ends& ends) {
    std::vector<std::pair<const Series*, std::uint64_t>> all{
        {&t.frames, ends.frames},           {&t.reports, ends.reports},
        {&t.walls, ends.walls},             {&t.observables, ends.observables},
        {&t.observables_text, ends.observables_text}, {&t.shapes, ends.shapes},
        {&t.shape_sizes, ends.shape_sizes}, {&t.summaries, ends.summaries},
        {&t.summaries_text, ends.summaries_text}};
    const auto add = [&](const ColumnGroup& group, std::uint64_t rows) {
        for (const auto& column : group.columns) {
            if (column) all.emplace_back(&*column, rows);
        }
    };
    add(t.bodies, ends.bodies);
    add(t.contacts, ends.contacts);
    add(t.sums, ends.sums);
    return all;
}

}  // namespace talus::record
