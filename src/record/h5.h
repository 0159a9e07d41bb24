#pragma once
/// \file
/// A thin shell around the HDF5 1.10 C interface: identifiers that close themselves, and failures
/// that become `IoError` with the file's name and HDF5's own reason.
///
/// Files are written in HDF5's single-writer multiple-reader mode (SWMR): metadata reaches the file
/// in an order that leaves it readable after every write, so a reader may follow a run that is still
/// going. The price: every dataset exists before the run starts, no variable-length data, and space
/// given up by a rewritten chunk is not used again. A write that a kill cuts short is completed by
/// the next who opens the file (`journal.h`), so a killed writer leaves a valid file.
///
/// Only `src/record/*.cpp` include this header.

#include <hdf5.h>

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace talus::record::h5 {

struct WriteRules;

/// An HDF5 identifier, closed by the function it came with.
class Handle {
public:
    using Close = herr_t (*)(hid_t);
    Handle() = default;
    Handle(hid_t id, Close close) : id_(id), close_(close) {}
    Handle(Handle&& other) noexcept : id_(std::exchange(other.id_, -1)), close_(other.close_) {}
    Handle& operator=(Handle&& other) noexcept {
        std::swap(id_, other.id_);
        std::swap(close_, other.close_);
        return *this;
    }
    ~Handle() {
        if (id_ >= 0) close_(id_);
    }
    [[nodiscard]] hid_t get() const { return id_; }
    /// Gives the identifier up without closing it.
    hid_t release() { return std::exchange(id_, -1); }

private:
    hid_t id_ = -1;
    Close close_ = nullptr;
};

/// Silences HDF5's printing, and keeps it from flushing at exit what a failed write left behind. Opening a file does it; a thread that works
/// on a file which another one opened must do it itself: HDF5 prints thread by thread.
void prepare_library();

/// An open run file.
class File {
public:
    /// A new file, replacing one of that name.
    static File create(const std::string& path);
    /// For reading, also while a writer is at work and after one was killed.
    static File open_to_read(const std::string& path);
    /// For appending rows in SWMR mode. \throws IoError when the file was not closed cleanly.
    static File open_to_append(const std::string& path);
    /// For anything; nobody may read at the same time.
    static File open_to_edit(const std::string& path);
    /// Files of other programs: of any HDF5 format, and one that HDF5 1.8 reads.
    static File open_plain(const std::string& path);
    static File create_plain(const std::string& path);

    [[nodiscard]] hid_t id() const { return handle_.get(); }
    [[nodiscard]] const std::string& path() const { return path_; }
    void rename(std::string path) { path_ = std::move(path); }
    /// From here on readers may open the file, and a kill leaves it readable under the name `path`, which it is to be given next.
    void start_swmr(const std::string& path) const;
    /// Whether rows that are written over are safe from a kill, as they are from the start. Data that has checksums of its own can do without, at
    /// less than half of the cost. Rows written until the next `flush` go by what holds then.
    void guard_data(bool yes) const;
    /// Everything written so far reaches the operating system, in an order safe for readers.
    void flush() const;
    /// Leaves the file as a kill would: nothing buffered is written any more. For failed writes,
    /// where closing would try, and fail, again.
    void abandon();
    void close();

    /// Returns `result`, or throws IoError "path: cannot `doing`: reason" when it is negative.
    template <class T>
    T check(T result, const char* doing) const {
        if (result < 0) fail(doing);
        return result;
    }
    [[noreturn]] void fail(const char* doing) const;
    /// IoError "path: damaged run file: `what`".
    [[noreturn]] void damaged(const std::string& what) const;

private:
    File(std::string path, Handle handle, std::shared_ptr<WriteRules> rules = {})
        : path_(std::move(path)), rules_(std::move(rules)), handle_(std::move(handle)) {}
    std::string path_;
    std::shared_ptr<WriteRules> rules_;   ///< none: of a reader
    Handle handle_;
};

[[nodiscard]] Handle make_group(const File& file, const std::string& name);
[[nodiscard]] Handle open_group(const File& file, const std::string& name);
[[nodiscard]] Handle open_dataset(const File& file, const std::string& name);
[[nodiscard]] bool exists(const File& file, const std::string& name);

/// A scalar dataset with one fixed-length UTF-8 string of at least `capacity` bytes.
void write_text(const File& file, const std::string& name, const std::string& text, std::size_t capacity = 1);
/// Overwrites in place; `text` must fit.
void rewrite_text(const File& file, const std::string& name, const std::string& text);
[[nodiscard]] std::string read_text(const File& file, const std::string& name);
/// A one-dimensional dataset of fixed-length strings.
void write_texts(const File& file, const std::string& name, const std::vector<std::string>& texts);
[[nodiscard]] std::vector<std::string> read_texts(const File& file, const std::string& name);

void write_attribute(const File& file, const std::string& group, const char* name, const std::string& text);
void write_attribute(const File& file, const std::string& group, const char* name, std::int64_t value);
void write_attribute(const File& file, const std::string& group, const char* name, std::span<const double> values);
[[nodiscard]] std::string read_text_attribute(const File& file, const std::string& group, const char* name);
[[nodiscard]] std::int64_t read_int_attribute(const File& file, const std::string& group, const char* name);
/// \throws IoError unless the attribute has `count` numbers.
[[nodiscard]] std::vector<double> read_attribute(const File& file, const std::string& group, const char* name,
                                                 std::size_t count);

}  // namespace talus::record::h5
