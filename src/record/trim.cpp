#include "record/trim.h"

#include <filesystem>

#include "talus/error.h"

namespace talus::record {
namespace {

bool is_trimmed(const Tables& tables, const Ends& ends) {
    for (const auto& [series, rows] : lengths(tables, ends)) {
        if (series->rows() != rows) return false;
    }
    return true;
}

bool was_closed_cleanly(const std::string& path) {
    try {
        h5::File::open_to_append(path).close();
        return true;
    } catch (const IoError&) {
        return false;
    }
}

void copy_groups(const h5::File& from, const h5::File& to) {
    for (const char* name : {"scene", "provenance", "space", "materials", "frames", "bodies", "contacts", "sums",
                             "shapes", "reports", "observables", "summary", "checkpoints", "state"}) {
        if (!h5::exists(from, name)) continue;
        to.check(H5Ocopy(from.id(), name, to.id(), name, H5P_DEFAULT, H5P_DEFAULT), "copy the run file");
    }
}

void copy_trimmed(const h5::File& from, const std::string& path, int dim, const Ends& ends) {
    h5::File to = h5::File::create(path);
    write_identity(to, dim);
    copy_groups(from, to);
    {
        const Tables tables = Tables::open(to, dim);
        for (const auto& [series, rows] : lengths(tables, ends)) series->truncate(rows);
    }
    to.close();
}

}  // namespace

void write_identity(const h5::File& file, int dim) {
    h5::write_attribute(file, "/", "format", kFormat);
    h5::write_attribute(file, "/", "layout", kLayout);
    h5::write_attribute(file, "/", "dimension", std::int64_t{dim});
}

FoundCheckpoint trim_to_checkpoint(const std::string& path, int dim) {
    const std::string fresh = path + ".tmp";
    FoundCheckpoint found;
    bool copied = false;
    const bool clean = was_closed_cleanly(path);
    {
        const h5::File file = h5::File::open_to_read(path);
        const Tables tables = Tables::open(file, dim);
        auto newest = newest_checkpoint(tables);
        if (!newest) throw IoError(path + ": has no complete checkpoint to resume from; run the scene again with --force");
        found = std::move(*newest);
        const Ends ends = ends_at(tables, found.header);
        if (!clean || !is_trimmed(tables, ends)) {
            copy_trimmed(file, fresh, dim, ends);
            copied = true;
        }
    }
    if (copied) std::filesystem::rename(fresh, path);
    return found;
}

}  // namespace talus::record
