#include "record/run_reader.h"

#include <algorithm>
#include <cstring>

#include "record/columns.h"
#include "record/slots.h"
#include "record/tables.h"
#include "talus/error.h"

namespace talus::record {
namespace {

/// Refuses anything but a run file of this layout. Returns the dimension.
int check_identity(const h5::File& file) {
    std::string format;
    try {
        format = h5::read_text_attribute(file, "/", "format");
    } catch (const IoError&) {
        throw IoError(file.path() + ": not a talus run file: it is HDF5, but has no attribute 'format'");
    }
    if (format != kFormat) throw IoError(file.path() + ": not a talus run file: its format is '" + format + "'");
    const auto layout = h5::read_int_attribute(file, "/", "layout");
    if (layout != kLayout) {
        throw IoError(file.path() + ": has layout " + std::to_string(layout) + ", this talus reads layout " +
                      std::to_string(kLayout) + "; use the version that wrote it");
    }
    const auto dimension = h5::read_int_attribute(file, "/", "dimension");
    if (dimension != 2 && dimension != 3) file.damaged("dimension is " + std::to_string(dimension));
    return static_cast<int>(dimension);
}

Provenance read_provenance(const h5::File& file) {
    Provenance p;
    p.version = h5::read_text_attribute(file, "provenance", "version");
    p.git = h5::read_text_attribute(file, "provenance", "git");
    p.machine = h5::read_text_attribute(file, "provenance", "machine");
    p.date = h5::read_text_attribute(file, "provenance", "date");
    p.command = h5::read_text_attribute(file, "provenance", "command");
    p.seed = static_cast<std::uint64_t>(h5::read_int_attribute(file, "provenance", "seed"));
    p.threads = h5::read_int_attribute(file, "provenance", "threads");
    return p;
}

template <class Row>
std::vector<Row> read_rows(const h5::File& file, const Series& series) {
    constexpr std::uint64_t kMost = std::uint64_t{1} << 32;  // more than a run could have written
    const std::uint64_t rows = series.rows();
    if (rows > kMost) file.damaged(series.name() + " has an impossible length");
    std::vector<Row> all(rows);
    series.read(0, rows, all.data());
    return all;
}

std::string read_bytes(const h5::File& file, const Series& text, const TextRow& row) {
    if (row.count > text.rows()) file.damaged(text.name() + " ends too early");
    std::string bytes(row.count, '\0');
    text.read(row.begin, row.count, bytes.data());
    return bytes;
}

std::vector<ShapeSpec> read_shapes(const h5::File& file, const Tables& tables) {
    std::vector<ShapeSpec> shapes;
    for (const auto& row : read_rows<ShapeRow>(file, tables.shapes)) {
        if (row.count > tables.shape_sizes.rows()) file.damaged("shapes/sizes ends too early");
        ShapeSpec shape{std::string(row.name, strnlen(row.name, sizeof(row.name))), std::vector<double>(row.count)};
        tables.shape_sizes.read(row.begin, row.count, shape.sizes.data());
        shapes.push_back(std::move(shape));
    }
    return shapes;
}

RunInfo read_info(const h5::File& file, const Tables& tables, int dim) {
    RunInfo info;
    info.path = file.path();
    info.layout = kLayout;
    info.dimension = dim;
    info.scene_name = h5::read_text_attribute(file, "scene", "name");
    info.scene_path = h5::read_text_attribute(file, "scene", "path");
    info.scene_text = h5::read_text(file, "scene/text");
    info.provenance = read_provenance(file);
    info.state = h5::read_text(file, "state");
    info.materials = h5::read_texts(file, "materials/names");
    info.arrays = tables.body_arrays(dim);
    info.has_contacts = tables.contacts.exists();
    info.has_sums = tables.sums.exists();
    info.frames = read_rows<FrameInfo>(file, tables.frames);
    info.reports = tables.reports.rows();
    if (const auto header = newest_header(tables)) {
        info.checkpoint_sequence = header->sequence;
        info.checkpoint_step = header->step;
        info.checkpoint_time = header->time;
        info.checkpoint_bytes = header->size;
    }
    info.shapes = read_shapes(file, tables);
    return info;
}

template <class Record>
void read_records(const h5::File& file, const ColumnGroup& group, const std::vector<RecordColumn<Record>>& columns,
                  std::uint64_t begin, std::uint64_t count, std::vector<Record>& records) {
    if (!group.exists() || count == 0) return;
    if (count > group.columns.front()->rows()) file.damaged("a frame points beyond the end of its contacts");
    records.resize(count);
    std::vector<std::byte> buffer;
    for (std::size_t i = 0; i < columns.size(); ++i) {
        if (!group.columns[i]) continue;
        buffer.resize(count * columns[i].type.size);
        group.columns[i]->read(begin, count, buffer.data());
        columns[i].scatter(records, buffer.data());
    }
}

/// A flag read from a file may hold any byte; a C++ bool may not.
void normalise(bool& flag) {
    unsigned char byte = 0;
    std::memcpy(&byte, static_cast<const void*>(&flag), 1);
    flag = byte != 0;
}

}  // namespace

struct RunReader::Impl {
    h5::File file;
    Tables tables;
    RunInfo info;
    Impl(h5::File opened, int dim)
        : file(std::move(opened)), tables(Tables::open(file, dim)), info(read_info(file, tables, dim)) {}

    template <int Dim>
    void read_bodies(const FrameInfo& frame, Snapshot<Dim>& snapshot) const;
    template <int Dim>
    void check_references(const Snapshot<Dim>& snapshot) const;
    /// Geometry of the file's shapes, made when first asked for.
    template <int Dim>
    std::shared_ptr<const ShapeTable<Dim>> geometry() const;

    mutable std::shared_ptr<const void> geometry_;
};

template <int Dim>
std::shared_ptr<const ShapeTable<Dim>> RunReader::Impl::geometry() const {
    if (!geometry_) {
        try {
            for (const ShapeSpec& shape : info.shapes) shape_registry().check(shape, Dim);
            geometry_ = std::make_shared<const ShapeTable<Dim>>(info.shapes);
        } catch (const InputError& e) {
            file.damaged(std::string("a shape is impossible: ") + e.what());
        }
    }
    return std::static_pointer_cast<const ShapeTable<Dim>>(geometry_);
}

template <int Dim>
void RunReader::Impl::read_bodies(const FrameInfo& frame, Snapshot<Dim>& snapshot) const {
    const auto& columns = body_columns<Dim>();
    if (frame.bodies > tables.bodies.columns.front()->rows()) file.damaged("a frame points beyond the end of its bodies");
    for (std::size_t i = 0; i < columns.size(); ++i) {
        void* data = columns[i].resize(snapshot, frame.bodies);
        if (tables.bodies.columns[i]) tables.bodies.columns[i]->read(frame.bodies_begin, frame.bodies, data);
    }
}

template <int Dim>
void RunReader::Impl::check_references(const Snapshot<Dim>& snapshot) const {
    for (std::size_t i = 0; i < snapshot.size(); ++i) {
        const auto shape = snapshot.shape[i], material = snapshot.material[i];
        if (shape < 0 || static_cast<std::size_t>(shape) >= info.shapes.size()) file.damaged("a body has no such shape");
        if (material < 0 || static_cast<std::size_t>(material) >= info.materials.size()) {
            file.damaged("a body has no such material");
        }
        if (i > 0 && snapshot.id[i] <= snapshot.id[i - 1]) file.damaged("ids of bodies do not increase");
    }
}

RunReader::RunReader(const std::string& path) {
    h5::File file = h5::File::open_to_read(path);
    const int dim = check_identity(file);
    impl_ = std::make_unique<Impl>(std::move(file), dim);
}
RunReader::RunReader(RunReader&&) noexcept = default;
RunReader& RunReader::operator=(RunReader&&) noexcept = default;
RunReader::~RunReader() = default;

const RunInfo& RunReader::info() const { return impl_->info; }

template <int Dim>
Snapshot<Dim> RunReader::read_frame(std::int64_t k) const {
    const RunInfo& info = impl_->info;
    if (info.dimension != Dim) {
        throw IoError(info.path + ": is a " + std::to_string(info.dimension) + "D run, asked for a " +
                      std::to_string(Dim) + "D frame");
    }
    const FrameInfo& frame = info.frames[frame_index(info, k)];
    Snapshot<Dim> snapshot;
    snapshot.time = frame.time;
    snapshot.step = frame.step;
    snapshot.h = frame.h;
    snapshot.sums_seconds = frame.sums_seconds;
    std::copy_n(frame.gravity.begin(), Dim, snapshot.gravity.data());
    const auto periodic = h5::read_attribute(impl_->file, "space", "periodic", Dim);
    const auto low = h5::read_attribute(impl_->file, "space", "cell_low", Dim);
    const auto high = h5::read_attribute(impl_->file, "space", "cell_high", Dim);
    std::transform(periodic.begin(), periodic.end(), snapshot.periodic.begin(), [](double x) { return x != 0.0; });
    std::copy(low.begin(), low.end(), snapshot.cell_low.data());
    std::copy(high.begin(), high.end(), snapshot.cell_high.data());
    snapshot.shapes = info.shapes;
    snapshot.material_names = info.materials;
    impl_->read_bodies(frame, snapshot);
    impl_->check_references(snapshot);
    snapshot.geometry = impl_->geometry<Dim>();
    const Tables& t = impl_->tables;
    read_records(impl_->file, t.contacts, contact_columns<Dim>(), frame.contacts_begin, frame.contacts, snapshot.contacts);
    read_records(impl_->file, t.sums, sum_columns<Dim>(), frame.sums_begin, frame.sums, snapshot.sums);
    return snapshot;
}

std::vector<ReportRow> RunReader::reports() const {
    auto rows = read_rows<ReportRow>(impl_->file, impl_->tables.reports);
    for (auto& row : rows) {
        normalise(row.report.converged);
        normalise(row.report.energy_gained);
        normalise(row.report.rebuilt);
    }
    return rows;
}

std::vector<WallImpulse> RunReader::wall_impulses() const {
    return read_rows<WallImpulse>(impl_->file, impl_->tables.walls);
}

std::vector<ObservableText> RunReader::observables() const {
    const Tables& tables = impl_->tables;
    std::vector<ObservableText> all;
    for (const auto& row : read_rows<TextRow>(impl_->file, tables.observables)) {
        all.push_back({row.frame, row.time, read_bytes(impl_->file, tables.observables_text, row)});
    }
    return all;
}

std::string RunReader::summary_json() const {
    const Tables& tables = impl_->tables;
    const auto rows = read_rows<TextRow>(impl_->file, tables.summaries);
    return rows.empty() ? std::string() : read_bytes(impl_->file, tables.summaries_text, rows.back());
}

std::optional<Checkpoint> RunReader::checkpoint() const {
    auto found = newest_checkpoint(impl_->tables);
    if (!found) return std::nullopt;
    return Checkpoint{found->header.sequence, found->header.step, found->header.time, std::move(found->bytes)};
}

std::size_t frame_index(const RunInfo& info, std::int64_t k) {
    const auto frames = static_cast<std::int64_t>(info.frames.size());
    const std::int64_t index = k < 0 ? frames + k : k;
    if (index < 0 || index >= frames) {
        throw IoError(info.path + ": has no frame " + std::to_string(k) + ": it holds " + std::to_string(frames) +
                      (frames == 0 ? "" : ", 0 to " + std::to_string(frames - 1)));
    }
    return static_cast<std::size_t>(index);
}

template Snapshot<2> RunReader::read_frame<2>(std::int64_t) const;
template Snapshot<3> RunReader::read_frame<3>(std::int64_t) const;

}  // namespace talus::record
