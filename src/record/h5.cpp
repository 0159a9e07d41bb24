#include "record/h5.h"

#include <algorithm>
#include <cstring>
#include <filesystem>

#include "record/journal_driver.h"
#include "talus/error.h"

namespace talus::record::h5 {

void prepare_library() {
    static const bool done = [] {
        H5dont_atexit();
        H5open();
        return true;
    }();
    (void)done;
    H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
}

namespace {

/// The operating system's words out of HDF5's error line, or the line itself.
std::string readable(const char* description) {
    const std::string line = description != nullptr ? description : "";
    const std::string mark = "error message = '";
    const auto at = line.find(mark);
    if (at == std::string::npos) return line;
    const auto begin = at + mark.size();
    return line.substr(begin, line.find('\'', begin) - begin);
}

/// The deepest entry of HDF5's error stack: where the trouble began.
std::string take_reason() {
    std::string reason = "no reason given by HDF5";
    H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD,
             [](unsigned, const H5E_error2_t* entry, void* out) -> herr_t {
                 *static_cast<std::string*>(out) = readable(entry->desc);
                 return 1;  // the first is enough
             },
             &reason);
    H5Eclear2(H5E_DEFAULT);
    return reason;
}

/// The newest file format: what SWMR needs, and all that HDF5 1.10 and later read. Without HDF5's file
/// locks: a reader that has the file open would keep a resumed run from appending. That there is one
/// writer is seen to by the lock on its folder.
Handle access_properties() {
    Handle properties(H5Pcreate(H5P_FILE_ACCESS), H5Pclose);
    H5Pset_libver_bounds(properties.get(), H5F_LIBVER_V110, H5F_LIBVER_LATEST);
    // A reader that meets a block whose checksum is wrong tries again, as the writer may be at it, and waits twice as long each time: after the 100
    // times that HDF5 has by default, for ages. This many take about a second; then the block is damaged, and reading fails.
    constexpr unsigned read_attempts = 30;
    H5Pset_metadata_read_attempts(properties.get(), read_attempts);
    H5Pset_file_locking(properties.get(), false, true);
    return properties;
}

[[noreturn]] void fail_to_open(const std::string& path, const char* doing) {
    std::string reason = take_reason();
    std::error_code ignored;
    const auto status = std::filesystem::status(path, ignored);
    if (!std::filesystem::exists(status)) reason = "No such file or directory";
    else if (std::filesystem::is_directory(status)) reason = "it is a folder";
    else if (reason.find("signature") != std::string::npos) reason = "not a talus run file (not HDF5, or damaged)";
    throw IoError(path + ": cannot " + doing + ": " + reason);
}

Handle open(const std::string& path, unsigned flags, const char* doing, const std::shared_ptr<WriteRules>& rules = {}) {
    prepare_library();
    const Handle properties = access_properties();
    if (rules) set_journal_driver(properties.get(), rules);
    const hid_t id = H5Fopen(path.c_str(), flags, properties.get());
    if (id < 0) fail_to_open(path, doing);
    return {id, H5Fclose};
}

Handle text_type(std::size_t size) {
    Handle type(H5Tcopy(H5T_C_S1), H5Tclose);
    H5Tset_size(type.get(), std::max<std::size_t>(size, 1));
    H5Tset_cset(type.get(), H5T_CSET_UTF8);
    H5Tset_strpad(type.get(), H5T_STR_NULLPAD);
    return type;
}

/// Size in bytes of a fixed-length string type; anything else is damage.
std::size_t text_size(const File& file, hid_t type, const std::string& name) {
    constexpr std::size_t kLongest = std::size_t{1} << 30;  // no scene is a gigabyte long
    if (H5Tget_class(type) != H5T_STRING || H5Tis_variable_str(type) > 0) file.damaged(name + " is not fixed-length text");
    const std::size_t size = H5Tget_size(type);
    if (size == 0 || size > kLongest) file.damaged(name + " has an impossible size");
    return size;
}

std::string until_nul(const char* data, std::size_t size) { return {data, strnlen(data, size)}; }

Handle open_attribute(const File& file, const std::string& group, const char* name) {
    const hid_t id = H5Aopen_by_name(file.id(), group.c_str(), name, H5P_DEFAULT, H5P_DEFAULT);
    if (id < 0) {
        H5Eclear2(H5E_DEFAULT);
        file.damaged("attribute '" + std::string(name) + "' of " + group + " is missing");
    }
    return {id, H5Aclose};
}

Handle make_attribute(const File& file, const std::string& group, const char* name, hid_t type, hid_t space) {
    return {file.check(H5Acreate_by_name(file.id(), group.c_str(), name, type, space, H5P_DEFAULT, H5P_DEFAULT,
                                         H5P_DEFAULT), "create an attribute"), H5Aclose};
}

}  // namespace

File File::create(const std::string& path) {
    prepare_library();
    const Handle properties = access_properties();
    const auto rules = std::make_shared<WriteRules>();
    set_journal_driver(properties.get(), rules);
    const hid_t id = H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, properties.get());
    if (id < 0) throw IoError(path + ": cannot create the run file: " + take_reason());
    return {path, Handle(id, H5Fclose), rules};
}

File File::open_to_read(const std::string& path) {
    mend(path);
    return {path, open(path, H5F_ACC_RDONLY | H5F_ACC_SWMR_READ, "open the run file")};
}

File File::open_to_append(const std::string& path) {
    const auto rules = std::make_shared<WriteRules>();
    rules->journal.emplace(path);
    return {path, open(path, H5F_ACC_RDWR | H5F_ACC_SWMR_WRITE, "append to the run file", rules), rules};
}

File File::open_to_edit(const std::string& path) {
    mend(path);
    return {path, open(path, H5F_ACC_RDWR, "edit the run file")};
}

File File::open_plain(const std::string& path) { return {path, open(path, H5F_ACC_RDONLY, "open")}; }

File File::create_plain(const std::string& path) {
    prepare_library();
    const Handle properties(H5Pcreate(H5P_FILE_ACCESS), H5Pclose);
    H5Pset_file_locking(properties.get(), false, true);
    const hid_t id = H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, properties.get());
    if (id < 0) throw IoError(path + ": cannot create: " + take_reason());
    return {path, Handle(id, H5Fclose)};
}

void File::start_swmr(const std::string& path) const {
    check(H5Fstart_swmr_write(id()), "let readers in");
    rules_->journal.emplace(path);
}

void File::guard_data(bool yes) const { rules_->data_too = yes; }

void File::flush() const { check(H5Fflush(id(), H5F_SCOPE_LOCAL), "write"); }

void File::abandon() {
    handle_.release();
    if (!rules_) return;
    rules_->is_given_up = true;
    if (rules_->journal) rules_->journal->keep();
    rules_->journal.reset();
}

void File::close() {
    const hid_t id = handle_.release();
    if (id >= 0) check(H5Fclose(id), "close");
    rules_.reset();
}

void File::fail(const char* doing) const { throw IoError(path_ + ": cannot " + doing + ": " + take_reason()); }

void File::damaged(const std::string& what) const { throw IoError(path_ + ": damaged run file: " + what); }

Handle make_group(const File& file, const std::string& name) {
    return {file.check(H5Gcreate2(file.id(), name.c_str(), H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT), "create a group"),
            H5Gclose};
}

Handle open_group(const File& file, const std::string& name) {
    const hid_t id = H5Gopen2(file.id(), name.c_str(), H5P_DEFAULT);
    if (id < 0) file.damaged("group " + name + " is missing");
    return {id, H5Gclose};
}

Handle open_dataset(const File& file, const std::string& name) {
    const hid_t id = H5Dopen2(file.id(), name.c_str(), H5P_DEFAULT);
    if (id < 0) {
        H5Eclear2(H5E_DEFAULT);
        file.damaged("dataset " + name + " is missing or unreadable");
    }
    return {id, H5Dclose};
}

bool exists(const File& file, const std::string& name) {
    const htri_t found = H5Lexists(file.id(), name.c_str(), H5P_DEFAULT);
    H5Eclear2(H5E_DEFAULT);
    return found > 0;
}

void write_text(const File& file, const std::string& name, const std::string& text, std::size_t capacity) {
    const Handle type = text_type(std::max(text.size(), capacity));
    const Handle space(H5Screate(H5S_SCALAR), H5Sclose);
    const Handle set(file.check(H5Dcreate2(file.id(), name.c_str(), type.get(), space.get(), H5P_DEFAULT, H5P_DEFAULT,
                                           H5P_DEFAULT), "create a dataset"), H5Dclose);
    std::string padded = text;
    padded.resize(std::max({text.size(), capacity, std::size_t{1}}));
    file.check(H5Dwrite(set.get(), type.get(), H5S_ALL, H5S_ALL, H5P_DEFAULT, padded.data()), "write text");
}

void rewrite_text(const File& file, const std::string& name, const std::string& text) {
    const Handle set = open_dataset(file, name);
    const Handle type(H5Dget_type(set.get()), H5Tclose);
    std::string padded = text;
    padded.resize(text_size(file, type.get(), name));
    file.check(H5Dwrite(set.get(), type.get(), H5S_ALL, H5S_ALL, H5P_DEFAULT, padded.data()), "write text");
}

std::string read_text(const File& file, const std::string& name) {
    const Handle set = open_dataset(file, name);
    const Handle type(H5Dget_type(set.get()), H5Tclose);
    const Handle space(H5Dget_space(set.get()), H5Sclose);
    if (H5Sget_simple_extent_npoints(space.get()) != 1) file.damaged(name + " is not one text");
    std::string text(text_size(file, type.get(), name), '\0');
    file.check(H5Dread(set.get(), type.get(), H5S_ALL, H5S_ALL, H5P_DEFAULT, text.data()), "read text");
    return until_nul(text.data(), text.size());
}

void write_texts(const File& file, const std::string& name, const std::vector<std::string>& texts) {
    std::size_t longest = 1;
    for (const auto& text : texts) longest = std::max(longest, text.size());
    std::string packed(longest * texts.size(), '\0');
    for (std::size_t i = 0; i < texts.size(); ++i) texts[i].copy(packed.data() + i * longest, longest);
    const Handle type = text_type(longest);
    const hsize_t count = texts.size();
    const Handle space(H5Screate_simple(1, &count, nullptr), H5Sclose);
    const Handle set(file.check(H5Dcreate2(file.id(), name.c_str(), type.get(), space.get(), H5P_DEFAULT, H5P_DEFAULT,
                                           H5P_DEFAULT), "create a dataset"), H5Dclose);
    if (count > 0) {
        file.check(H5Dwrite(set.get(), type.get(), H5S_ALL, H5S_ALL, H5P_DEFAULT, packed.data()), "write text");
    }
}

std::vector<std::string> read_texts(const File& file, const std::string& name) {
    const Handle set = open_dataset(file, name);
    const Handle type(H5Dget_type(set.get()), H5Tclose);
    const Handle space(H5Dget_space(set.get()), H5Sclose);
    const std::size_t size = text_size(file, type.get(), name);
    const auto count = static_cast<std::size_t>(std::max<hssize_t>(0, H5Sget_simple_extent_npoints(space.get())));
    if (count > 1000000 || size > 1000000) file.damaged(name + " has an impossible size");
    std::string packed(size * count, '\0');
    if (count > 0) {
        file.check(H5Dread(set.get(), type.get(), H5S_ALL, H5S_ALL, H5P_DEFAULT, packed.data()), "read text");
    }
    std::vector<std::string> texts(count);
    for (std::size_t i = 0; i < count; ++i) texts[i] = until_nul(packed.data() + i * size, size);
    return texts;
}

void write_attribute(const File& file, const std::string& group, const char* name, const std::string& text) {
    const Handle type = text_type(text.size());
    const Handle space(H5Screate(H5S_SCALAR), H5Sclose);
    const Handle attribute = make_attribute(file, group, name, type.get(), space.get());
    file.check(H5Awrite(attribute.get(), type.get(), text.c_str()), "write an attribute");
}

void write_attribute(const File& file, const std::string& group, const char* name, std::int64_t value) {
    const Handle space(H5Screate(H5S_SCALAR), H5Sclose);
    const Handle attribute = make_attribute(file, group, name, H5T_STD_I64LE, space.get());
    file.check(H5Awrite(attribute.get(), H5T_NATIVE_INT64, &value), "write an attribute");
}

void write_attribute(const File& file, const std::string& group, const char* name, std::span<const double> values) {
    const hsize_t count = values.size();
    const Handle space(H5Screate_simple(1, &count, nullptr), H5Sclose);
    const Handle attribute = make_attribute(file, group, name, H5T_IEEE_F64LE, space.get());
    file.check(H5Awrite(attribute.get(), H5T_NATIVE_DOUBLE, values.data()), "write an attribute");
}

std::string read_text_attribute(const File& file, const std::string& group, const char* name) {
    const Handle attribute = open_attribute(file, group, name);
    const Handle type(H5Aget_type(attribute.get()), H5Tclose);
    const Handle space(H5Aget_space(attribute.get()), H5Sclose);
    if (H5Sget_simple_extent_npoints(space.get()) != 1) file.damaged(std::string(name) + " is not one text");
    std::string text(text_size(file, type.get(), name), '\0');
    file.check(H5Aread(attribute.get(), type.get(), text.data()), "read an attribute");
    return until_nul(text.data(), text.size());
}

std::int64_t read_int_attribute(const File& file, const std::string& group, const char* name) {
    const Handle attribute = open_attribute(file, group, name);
    const Handle space(H5Aget_space(attribute.get()), H5Sclose);
    if (H5Sget_simple_extent_npoints(space.get()) != 1) file.damaged(std::string(name) + " is not one number");
    std::int64_t value = 0;
    file.check(H5Aread(attribute.get(), H5T_NATIVE_INT64, &value), "read an attribute");
    return value;
}

std::vector<double> read_attribute(const File& file, const std::string& group, const char* name, std::size_t count) {
    const Handle attribute = open_attribute(file, group, name);
    const Handle space(H5Aget_space(attribute.get()), H5Sclose);
    if (H5Sget_simple_extent_npoints(space.get()) != static_cast<hssize_t>(count)) {
        file.damaged("attribute '" + std::string(name) + "' has another size than the dimension says");
    }
    std::vector<double> values(count);
    file.check(H5Aread(attribute.get(), H5T_NATIVE_DOUBLE, values.data()), "read an attribute");
    return values;
}

}  // namespace talus::record::h5
