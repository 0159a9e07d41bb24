#include "record/run_writer.h"

#include <algorithm>
#include <cassert>
#include <cstring>
#include <filesystem>
#include <optional>

#include "record/columns.h"
#include "record/crc32.h"
#include "record/run_reader.h"
#include "record/tables.h"
#include "record/trim.h"

namespace talus::record {
namespace {

void write_provenance(const h5::File& file, const Provenance& provenance) {
    (void)h5::make_group(file, "provenance");
    h5::write_attribute(file, "provenance", "version", provenance.version);
    h5::write_attribute(file, "provenance", "git", provenance.git);
    h5::write_attribute(file, "provenance", "machine", provenance.machine);
    h5::write_attribute(file, "provenance", "date", provenance.date);
    h5::write_attribute(file, "provenance", "command", provenance.command);
    h5::write_attribute(file, "provenance", "seed", static_cast<std::int64_t>(provenance.seed));
    h5::write_attribute(file, "provenance", "threads", provenance.threads);
}

template <int Dim>
void write_space(const h5::File& file, const Snapshot<Dim>& initial) {
    std::array<double, Dim> periodic{};
    for (std::size_t k = 0; k < Dim; ++k) periodic[k] = initial.periodic[k] ? 1.0 : 0.0;
    (void)h5::make_group(file, "space");
    h5::write_attribute(file, "space", "periodic", std::span<const double>(periodic));
    h5::write_attribute(file, "space", "cell_low", std::span<const double>(initial.cell_low.data(), Dim));
    h5::write_attribute(file, "space", "cell_high", std::span<const double>(initial.cell_high.data(), Dim));
}

template <int Dim>
void write_header(const h5::File& file, const RunHeader& header, const Snapshot<Dim>& initial) {
    write_identity(file, Dim);
    (void)h5::make_group(file, "scene");
    h5::write_attribute(file, "scene", "name", header.scene_name);
    h5::write_attribute(file, "scene", "path", header.scene_path);
    h5::write_text(file, "scene/text", header.scene_text);
    write_provenance(file, header.provenance);
    write_space(file, initial);
    (void)h5::make_group(file, "materials");
    h5::write_texts(file, "materials/names", initial.material_names);
    h5::write_text(file, "state", kRunning, 16);
}

template <class Record>
void append_records(const ColumnGroup& group, const std::vector<RecordColumn<Record>>& columns,
                    const std::vector<Record>& records, std::uint64_t begin) {
    std::vector<std::byte> buffer;
    for (std::size_t i = 0; i < columns.size(); ++i) {
        buffer.resize(records.size() * columns[i].type.size);
        columns[i].gather(records, buffer.data());
        if (group.columns[i]) group.columns[i]->write(begin, records.size(), buffer.data());
    }
}

}  // namespace

template <int Dim>
struct RunWriter<Dim>::Impl {
    h5::File file;
    std::optional<Tables> tables;
    Ends ends;                              ///< rows that count
    std::uint64_t sequence = 0;             ///< of the newest checkpoint
    int slot = 1;                           ///< that holds it
    std::uint64_t checkpoint_size = 0;      ///< so far, of the one that is being written [byte]
    std::uint32_t checkpoint_crc = 0;
    std::vector<ReportRow> reports;         ///< not yet written
    std::vector<WallImpulse> walls;
    bool failed = false;

    explicit Impl(h5::File opened) : file(std::move(opened)) {}

    [[nodiscard]] std::size_t other_slot() const { return static_cast<std::size_t>(1 - slot); }

    /// Runs `work`; a failure gives the file up as it stands.
    template <class Work>
    void guarded(Work&& work) {
        if (failed || !tables) throw IoError(file.path() + ": cannot write: an earlier write failed");
        try {
            work();
        } catch (const IoError&) {
            failed = true;
            file.abandon();
            tables.reset();
            throw;
        }
    }

    void append_shapes(const std::vector<ShapeSpec>& shapes);
    void append_bodies(const Snapshot<Dim>& snapshot);
    FrameInfo append_frame_data(const Snapshot<Dim>& snapshot);
    TextRow append_text(const Series& text, std::uint64_t& end, std::int64_t frame, double time,
                        const std::string& json);
    void append_walls();
    void append_reports();
    void commit_reports();
    void close();
};

/// Readers take every row of the shape table, so the sizes must be in the file before the rows are.
template <int Dim>
void RunWriter<Dim>::Impl::append_shapes(const std::vector<ShapeSpec>& shapes) {
    if (ends.shapes >= shapes.size()) return;
    std::vector<ShapeRow> rows;
    for (std::size_t i = ends.shapes; i < shapes.size(); ++i) {
        ShapeRow row;
        std::strncpy(row.name, shapes[i].name.c_str(), sizeof(row.name) - 1);
        row.begin = ends.shape_sizes;
        row.count = shapes[i].sizes.size();
        tables->shape_sizes.write(row.begin, row.count, shapes[i].sizes.data());
        ends.shape_sizes += row.count;
        rows.push_back(row);
    }
    file.flush();
    tables->shapes.write(ends.shapes, rows.size(), rows.data());
    ends.shapes = shapes.size();
}

template <int Dim>
void RunWriter<Dim>::Impl::append_bodies(const Snapshot<Dim>& snapshot) {
    const auto& columns = body_columns<Dim>();
    for (std::size_t i = 0; i < columns.size(); ++i) {
        const auto& series = tables->bodies.columns[i];
        if (series) series->write(ends.bodies, snapshot.size(), columns[i].data(snapshot));
    }
}

template <int Dim>
FrameInfo RunWriter<Dim>::Impl::append_frame_data(const Snapshot<Dim>& snapshot) {
    FrameInfo info;
    info.time = snapshot.time;
    info.step = snapshot.step;
    info.h = snapshot.h;
    std::copy_n(snapshot.gravity.data(), Dim, info.gravity.begin());
    info.bodies_begin = ends.bodies;
    info.bodies = snapshot.size();
    info.contacts_begin = ends.contacts;
    info.sums_begin = ends.sums;
    append_shapes(snapshot.shapes);
    append_bodies(snapshot);
    if (tables->contacts.exists()) {
        info.contacts = snapshot.contacts.size();
        append_records(tables->contacts, contact_columns<Dim>(), snapshot.contacts, ends.contacts);
    }
    if (tables->sums.exists()) {
        info.sums = snapshot.sums.size();
        info.sums_seconds = snapshot.sums_seconds;
        append_records(tables->sums, sum_columns<Dim>(), snapshot.sums, ends.sums);
    }
    ends.bodies += info.bodies;
    ends.contacts += info.contacts;
    ends.sums += info.sums;
    return info;
}

template <int Dim>
TextRow RunWriter<Dim>::Impl::append_text(const Series& text, std::uint64_t& end, std::int64_t frame, double time,
                                          const std::string& json) {
    const TextRow row{frame, time, end, json.size()};
    text.write(end, json.size(), json.data());
    end += json.size();
    return row;
}

template <int Dim>
void RunWriter<Dim>::Impl::append_walls() {
    tables->walls.write(ends.walls, walls.size(), walls.data());
    ends.walls += walls.size();
    walls.clear();
}

template <int Dim>
void RunWriter<Dim>::Impl::append_reports() {
    tables->reports.write(ends.reports, reports.size(), reports.data());
    ends.reports += reports.size();
    reports.clear();
}

template <int Dim>
void RunWriter<Dim>::Impl::commit_reports() {
    if (reports.empty()) return;
    append_walls();
    file.flush();
    append_reports();
    file.flush();
}

template <int Dim>
void RunWriter<Dim>::Impl::close() {
    tables.reset();
    file.close();
}

template <int Dim>
RunWriter<Dim>::RunWriter(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
template <int Dim>
RunWriter<Dim>::RunWriter(RunWriter&&) noexcept = default;
template <int Dim>
RunWriter<Dim>& RunWriter<Dim>::operator=(RunWriter&&) noexcept = default;

template <int Dim>
RunWriter<Dim>::~RunWriter() {
    if (!impl_ || impl_->failed || !impl_->tables) return;
    try {
        impl_->commit_reports();
        impl_->close();
    } catch (const IoError&) {  // the file stays as a kill would leave it
        impl_->file.abandon();
    }
}

template <int Dim>
RunWriter<Dim> RunWriter<Dim>::create(const std::string& path, const RunHeader& header, const Plan& plan,
                                      const Snapshot<Dim>& initial) {
    // Under another name until readers may come in, so that `path` is a valid run file from the start.
    const std::string fresh = path + ".tmp";
    auto impl = std::make_unique<Impl>(h5::File::create(fresh));
    write_header(impl->file, header, initial);
    impl->tables = Tables::create(impl->file, Dim, plan);
    impl->file.flush();
    impl->file.start_swmr(path);
    std::error_code error;
    std::filesystem::rename(fresh, path, error);
    if (error) throw IoError(path + ": cannot create the run file: " + error.message());
    impl->file.rename(path);
    return RunWriter(std::move(impl));
}

template <int Dim>
RunWriter<Dim> RunWriter<Dim>::resume(const std::string& path, Checkpoint& checkpoint) {
    if (const int dim = RunReader(path).info().dimension; dim != Dim) {
        throw IoError(path + ": is a " + std::to_string(dim) + "D run, not a " + std::to_string(Dim) + "D one");
    }
    FoundCheckpoint found = trim_to_checkpoint(path, Dim);
    auto impl = std::make_unique<Impl>(h5::File::open_to_append(path));
    impl->tables = Tables::open(impl->file, Dim);
    impl->ends = ends_at(*impl->tables, found.header);
    impl->sequence = found.header.sequence;
    impl->slot = found.slot;
    h5::rewrite_text(impl->file, "state", kRunning);
    impl->file.flush();
    checkpoint = {found.header.sequence, found.header.step, found.header.time, std::move(found.bytes)};
    return RunWriter(std::move(impl));
}

template <int Dim>
void RunWriter<Dim>::write_frame(const Snapshot<Dim>& snapshot, const std::string& observables_json) {
    impl_->guarded([&] {
        Impl& w = *impl_;
        const FrameInfo info = w.append_frame_data(snapshot);
        TextRow observed;
        const auto frame = static_cast<std::int64_t>(w.ends.frames);
        if (!observables_json.empty()) {
            observed = w.append_text(w.tables->observables_text, w.ends.observables_text, frame, snapshot.time,
                                     observables_json);
        }
        w.append_walls();
        w.file.flush();  // the data first ...
        w.tables->frames.write(w.ends.frames++, 1, &info);
        if (!observables_json.empty()) w.tables->observables.write(w.ends.observables++, 1, &observed);
        w.append_reports();
        w.file.flush();  // ... then the rows that make it count
    });
}

template <int Dim>
void RunWriter<Dim>::write_report(const StepReport& report, std::span<const WallImpulse> walls) {
    Impl& w = *impl_;
    w.reports.push_back({report, w.ends.walls + w.walls.size(), walls.size()});
    w.walls.insert(w.walls.end(), walls.begin(), walls.end());
}

template <int Dim>
void RunWriter<Dim>::commit() {
    impl_->guarded([&] { impl_->commit_reports(); });
}

template <int Dim>
void RunWriter<Dim>::write_checkpoint(std::int64_t step, double time, std::span<const std::byte> bytes) {
    begin_checkpoint();
    add_to_checkpoint(bytes);
    end_checkpoint(step, time);
}

template <int Dim>
void RunWriter<Dim>::begin_checkpoint() {
    impl_->guarded([&] {
        impl_->commit_reports();
        impl_->file.guard_data(false);  // bytes of checkpoints have a checksum and two places
    });
    impl_->checkpoint_size = 0;
    impl_->checkpoint_crc = 0;
}

template <int Dim>
void RunWriter<Dim>::add_to_checkpoint(std::span<const std::byte> piece) {
    impl_->guarded([&] {
        Impl& w = *impl_;
        w.tables->slot_bytes[w.other_slot()].write(w.checkpoint_size, piece.size(), piece.data());
        w.checkpoint_size += piece.size();
        w.checkpoint_crc = crc32(piece, w.checkpoint_crc);
    });
}

template <int Dim>
void RunWriter<Dim>::end_checkpoint(std::int64_t step, double time) {
    impl_->guarded([&] {
        Impl& w = *impl_;
        const std::size_t target = w.other_slot();
        SlotHeader header{w.sequence + 1, step, time, w.checkpoint_size, w.ends.frames, w.ends.reports,
                          w.ends.observables, w.ends.shapes, w.checkpoint_crc, 0};
        header.header_crc = header_crc(header);
        w.file.flush();
        w.file.guard_data(true);
        w.tables->slot[target].write(0, 1, &header);
        w.file.flush();
        w.slot = static_cast<int>(target);
        ++w.sequence;
    });
}

template <int Dim>
void RunWriter<Dim>::finish(const std::string& state, double time, const std::string& observables_json,
                            const std::string& summary_json) {
    impl_->guarded([&] {
        Impl& w = *impl_;
        w.commit_reports();
        const TextRow observed = w.append_text(w.tables->observables_text, w.ends.observables_text, -1, time,
                                               observables_json);
        const TextRow summary = w.append_text(w.tables->summaries_text, w.ends.summaries_text, -1, time, summary_json);
        w.file.flush();
        if (!observables_json.empty()) w.tables->observables.write(w.ends.observables++, 1, &observed);
        if (!summary_json.empty()) w.tables->summaries.write(w.ends.summaries++, 1, &summary);
        h5::rewrite_text(w.file, "state", state);
        w.file.flush();
        w.close();
    });
}

template <int Dim>
std::uint64_t RunWriter<Dim>::frames() const {
    return impl_->ends.frames;
}
template <int Dim>
bool RunWriter<Dim>::has_contacts() const {
    return impl_->tables && impl_->tables->contacts.exists();
}
template <int Dim>
bool RunWriter<Dim>::has_sums() const {
    return impl_->tables && impl_->tables->sums.exists();
}

template class RunWriter<2>;
template class RunWriter<3>;

}  // namespace talus::record
