#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstring>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>

#include "observe/result.h"
#include "record/observe_run.h"
#include "record/columns.h"
#include "record/export.h"
#include "record/layout.h"
#include "record/output_file.h"
#include "talus/error.h"

namespace talus::record {
namespace {

/// Lines of a CSV file, written in blocks.
class Csv {
public:
    Csv(const std::string& folder, std::string name) : name_(std::move(name)), file_(folder + "/" + name_) {}
    /// Appends one cell; text is quoted where it must be.
    template <class T>
    void cell(const T& value) {
        separate();
        if constexpr (std::is_floating_point_v<T>) {
            if (std::isfinite(value)) fmt::format_to(std::back_inserter(buffer_), "{}", value);
            else buffer_ += std::isnan(value) ? "nan" : value > 0 ? "inf" : "-inf";
        } else if constexpr (std::is_arithmetic_v<T>) {
            fmt::format_to(std::back_inserter(buffer_), "{}", +value);
        } else {
            text(value);
        }
    }
    void end_line() {
        buffer_ += '\n';
        at_start_ = true;
        if (buffer_.size() > kBlock) flush();
    }
    std::string close() {
        flush();
        file_.close();
        return name_;
    }

private:
    static constexpr std::size_t kBlock = 1 << 20;  // [byte]
    void separate() {
        if (!at_start_) buffer_ += ',';
        at_start_ = false;
    }
    void text(std::string_view value) {
        if (value.find_first_of(",\"\n") == std::string_view::npos) {
            buffer_ += value;
            return;
        }
        buffer_ += '"';
        for (const char c : value) buffer_ += c == '"' ? std::string("\"\"") : std::string(1, c);
        buffer_ += '"';
    }
    void flush() {
        file_.write(buffer_);
        buffer_.clear();
    }
    std::string name_;
    OutputFile file_;
    std::string buffer_;
    bool at_start_ = true;
};

constexpr const char* kAxes[] = {"x", "y", "z", "w"};

/// Header cells of a column: its name, or one name an axis.
void name_cells(Csv& csv, const std::string& name, int width) {
    // The names under which a scene reads bodies from a CSV file.
    static const std::map<std::string, std::string> kShort{
        {"position", ""}, {"velocity", "v"}, {"spin", "w"}, {"image", "image_"}, {"rotation", "q"}};
    const auto found = kShort.find(name);
    if (width == 1) return csv.cell(name == "spin" ? "wz" : name);
    const std::string prefix = found != kShort.end() ? found->second : name + "_";
    for (int k = 0; k < width; ++k) csv.cell(prefix + kAxes[k]);
}

template <class T>
T load(const std::byte* at) {
    T value;
    std::memcpy(&value, at, sizeof(T));
    return value;
}

/// The cells of one row of a column or field, straight from memory.
void value_cells(Csv& csv, const std::byte* at, Kind kind, int width) {
    for (int k = 0; k < width; ++k) {
        switch (kind) {
            case Kind::f64: csv.cell(load<double>(at + 8 * k)); break;
            case Kind::i64: csv.cell(load<std::int64_t>(at + 8 * k)); break;
            case Kind::u64: csv.cell(load<std::uint64_t>(at + 8 * k)); break;
            case Kind::i32: csv.cell(load<std::int32_t>(at + 4 * k)); break;
            case Kind::u32: csv.cell(load<std::uint32_t>(at + 4 * k)); break;
            case Kind::u8: csv.cell(load<std::uint8_t>(at + k)); break;
            case Kind::text32: csv.cell(std::string(reinterpret_cast<const char*>(at), strnlen(reinterpret_cast<const char*>(at), 32))); break;
        }
    }
}

bool is_recorded(const RunInfo& info, const char* name) {
    return std::find(info.arrays.begin(), info.arrays.end(), name) != info.arrays.end();
}

template <int Dim>
void write_bodies(Csv& csv, const RunInfo& info, const Snapshot<Dim>& s, std::size_t frame) {
    for (std::size_t i = 0; i < s.size(); ++i) {
        csv.cell(frame);
        csv.cell(s.time);
        for (const auto& column : body_columns<Dim>()) {
            if (!is_recorded(info, column.name)) continue;
            const auto* data = static_cast<const std::byte*>(column.data(s));
            const std::string name = column.name;
            if (name == "material") csv.cell(info.materials[static_cast<std::size_t>(s.material[i])]);
            else if (name == "shape") csv.cell(info.shapes[static_cast<std::size_t>(s.shape[i])].name);
            else value_cells(csv, data + i * column.type.size, column.type.kind, column.type.width);
        }
        csv.end_line();
    }
}


template <class Record>
void name_records(Csv& csv, const std::vector<RecordColumn<Record>>& columns) {
    for (const char* name : {"frame", "time"}) csv.cell(name);
    for (const auto& column : columns) name_cells(csv, column.name, column.type.width);
    for (const char* name : {"normal_force", "tangential_force"}) csv.cell(name);
    csv.end_line();
}

/// Contacts or sums of one frame; forces are impulse over `seconds`.
template <class Record>
void write_records(Csv& csv, const std::vector<RecordColumn<Record>>& columns, const std::vector<Record>& records,
                   std::size_t frame, double time, double seconds) {
    std::vector<std::vector<std::byte>> data;
    for (const auto& column : columns) {
        data.emplace_back(records.size() * column.type.size);
        column.gather(records, data.back().data());
    }
    for (std::size_t i = 0; i < records.size(); ++i) {
        csv.cell(frame);
        csv.cell(time);
        for (std::size_t c = 0; c < columns.size(); ++c) {
            value_cells(csv, data[c].data() + i * columns[c].type.size, columns[c].type.kind, columns[c].type.width);
        }
        const double normal = records[i].impulse.dot(records[i].normal);
        csv.cell(normal / seconds);
        csv.cell((records[i].impulse - normal * records[i].normal).norm() / seconds);
        csv.end_line();
    }
}

template <int Dim>
void export_frames(const RunReader& run, const std::vector<std::size_t>& frames, const std::string& folder,
                   std::vector<std::string>& written) {
    const RunInfo& info = run.info();
    Csv bodies(folder, "bodies.csv"), contacts(folder, "contacts.csv");
    for (const char* name : {"frame", "time"}) bodies.cell(name);
    for (const auto& column : body_columns<Dim>()) {
        if (is_recorded(info, column.name)) name_cells(bodies, column.name, column.type.width);
    }
    bodies.end_line();
    name_records(contacts, contact_columns<Dim>());
    std::vector<std::unique_ptr<Csv>> sums;
    if (info.has_sums) {
        sums.push_back(std::make_unique<Csv>(folder, "sums.csv"));
        name_records(*sums.front(), sum_columns<Dim>());
    }
    for (const std::size_t k : frames) {
        const auto s = run.read_frame<Dim>(static_cast<std::int64_t>(k));
        write_bodies(bodies, info, s, k);
        write_records(contacts, contact_columns<Dim>(), s.contacts, k, s.time, s.h);
        for (auto& csv : sums) write_records(*csv, sum_columns<Dim>(), s.sums, k, s.time, s.sums_seconds);
    }
    written.push_back(bodies.close());
    written.push_back(contacts.close());
    for (auto& csv : sums) written.push_back(csv->close());
}

std::string export_reports(const RunReader& run, const std::string& folder) {
    Csv csv(folder, "reports.csv");
    const RowType type = report_row();
    const auto is_shown = [](const Field& field) { return std::strncmp(field.name, "walls_", 6) != 0; };
    for (const auto& field : type.fields) {
        if (is_shown(field)) csv.cell(field.name);
    }
    csv.end_line();
    for (const auto& row : run.reports()) {
        for (const auto& field : type.fields) {
            if (is_shown(field)) value_cells(csv, reinterpret_cast<const std::byte*>(&row) + field.offset, field.kind, 1);
        }
        csv.end_line();
    }
    return csv.close();
}

/// Impulses on boundaries, one line a step and boundary.
std::string export_walls(const RunReader& run, const std::string& folder) {
    Csv csv(folder, "walls.csv");
    const int dim = run.info().dimension;
    for (const char* name : {"step", "time", "id"}) csv.cell(name);
    name_cells(csv, "impulse", dim);
    csv.end_line();
    const auto walls = run.wall_impulses();
    for (const auto& row : run.reports()) {
        for (std::uint64_t w = row.walls_begin; w < row.walls_begin + row.walls && w < walls.size(); ++w) {
            csv.cell(row.report.step);
            csv.cell(row.report.time);
            csv.cell(walls[w].id);
            for (int k = 0; k < dim; ++k) csv.cell(walls[w].impulse[static_cast<std::size_t>(k)]);
            csv.end_line();
        }
    }
    return csv.close();
}

/// Tables of observables, each into a file of its own, opened when first met.
class TableFiles {
public:
    explicit TableFiles(std::string folder) : folder_(std::move(folder)) {}
    void add(const observe::Result& result, const observe::Table& table, const Measured& at) {
        const std::string name = fmt::format("observable_{}_{}.csv", safe(result.label), safe(table.name));
        auto& csv = files_[name];
        if (!csv) {
            csv = std::make_unique<Csv>(folder_, name);
            for (const char* cell : {"frame", "time"}) csv->cell(cell);
            for (const auto& column : table.columns) csv->cell(column.name + (column.unit.empty() ? "" : " [" + column.unit + "]"));
            csv->end_line();
        }
        for (std::size_t row = 0; row < table.rows(); ++row) {
            csv->cell(at.frame);
            csv->cell(at.time);
            for (const auto& column : table.columns) csv->cell(column.values[row]);
            csv->end_line();
        }
    }
    void close(std::vector<std::string>& written) {
        for (auto& [name, csv] : files_) written.push_back(csv->close());
    }

private:
    /// Letters, digits, dots, dashes and underscores: a label may hold anything, a file name may not.
    static std::string safe(std::string text) {
        for (char& c : text) {
            if (std::isalnum(static_cast<unsigned char>(c)) == 0 && c != '-' && c != '_' && c != '.') c = '_';
        }
        return text;
    }
    std::string folder_;
    std::map<std::string, std::unique_ptr<Csv>> files_;
};

}  // namespace

std::vector<std::string> write_observables_csv(const std::vector<Measured>& measured, const std::string& folder) {
    make_folder(folder);
    Csv csv(folder, "observables.csv");
    TableFiles tables(folder);
    for (const char* name : {"frame", "time", "observable", "name", "value", "unit"}) csv.cell(name);
    csv.end_line();
    for (const auto& at : measured) {
        for (const auto& result : at.results) {
            for (const auto& scalar : result.scalars) {
                csv.cell(at.frame);
                csv.cell(at.time);
                csv.cell(result.label);
                csv.cell(scalar.name);
                csv.cell(scalar.value);
                csv.cell(scalar.unit);
                csv.end_line();
            }
            for (const auto& table : result.tables) tables.add(result, table, at);
        }
    }
    std::vector<std::string> written{csv.close()};
    tables.close(written);
    return written;
}

std::vector<std::string> export_csv(const RunReader& run, const std::vector<std::size_t>& frames,
                                    const std::string& folder) {
    make_folder(folder);
    std::vector<std::string> written;
    if (run.info().dimension == 2) export_frames<2>(run, frames, folder, written);
    else export_frames<3>(run, frames, folder, written);
    written.push_back(export_reports(run, folder));
    written.push_back(export_walls(run, folder));
    for (auto& file : write_observables_csv(recorded_observables(run), folder)) written.push_back(std::move(file));
    return written;
}

}  // namespace talus::record
