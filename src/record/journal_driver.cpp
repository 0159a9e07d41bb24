#include "record/journal_driver.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <limits>
#include <new>
#include <span>
#include <vector>

namespace talus::record::h5 {
namespace {

/// HDF5 sees its base; the work is done by HDF5's own driver of plain files.
struct JournaledFile : H5FD_t {
    H5FD_t* plain = nullptr;
    std::shared_ptr<WriteRules> rules;
    haddr_t end = 0;                  ///< of what was ever written
    std::vector<std::byte> before;    ///< scratch
};

JournaledFile& self(H5FD_t* file) { return *static_cast<JournaledFile*>(file); }
const JournaledFile& self(const H5FD_t* file) { return *static_cast<const JournaledFile*>(file); }

/// What the access properties carry: HDF5 copies it with its own functions.
using Rules = std::shared_ptr<WriteRules>;
void* copy_rules(const void* rules) { return new (std::nothrow) Rules(*static_cast<const Rules*>(rules)); }
herr_t free_rules(void* rules) {
    delete static_cast<Rules*>(rules);
    return 0;
}

H5FD_t* open_file(const char* name, unsigned flags, hid_t access, haddr_t largest) {
    const hid_t plain_access = H5Pcreate(H5P_FILE_ACCESS);
    H5Pset_fapl_sec2(plain_access);
    H5FD_t* const plain = H5FDopen(name, flags, plain_access, largest);
    H5Pclose(plain_access);
    if (plain == nullptr) return nullptr;
    auto* const file = new (std::nothrow) JournaledFile{};
    if (file == nullptr) {
        H5FDclose(plain);
        return nullptr;
    }
    file->plain = plain;
    file->rules = *static_cast<const Rules*>(H5Pget_driver_info(access));
    file->end = H5FDget_eof(plain, H5FD_MEM_DEFAULT);
    return file;
}

/// Keeps the reasons of an earlier failure, which HDF5's functions for programs forget when they begin.
herr_t close_file(H5FD_t* file) {
    const hid_t reasons = H5Eget_current_stack();
    const herr_t result = H5FDclose(self(file).plain);
    if (result < 0) H5Eclose_stack(reasons);
    else H5Eset_current_stack(reasons);
    delete &self(file);
    return result;
}

// The functions of the plain driver are called as the library does it, for the same sake.
int compare(const H5FD_t* x, const H5FD_t* y) { return self(x).plain->cls->cmp(self(x).plain, self(y).plain); }
herr_t query(const H5FD_t*, unsigned long* flags) { return H5FDdriver_query(H5FD_SEC2, flags); }
haddr_t get_eoa(const H5FD_t* file, H5FD_mem_t type) { return self(file).plain->cls->get_eoa(self(file).plain, type); }
herr_t set_eoa(H5FD_t* file, H5FD_mem_t type, haddr_t end) { return self(file).plain->cls->set_eoa(self(file).plain, type, end); }
haddr_t get_eof(const H5FD_t* file, H5FD_mem_t type) { return self(file).plain->cls->get_eof(self(file).plain, type); }
herr_t get_handle(H5FD_t* file, hid_t access, void** handle) { return self(file).plain->cls->get_handle(self(file).plain, access, handle); }
// Never called, as locks are off; but only files of drivers that have them are marked as being written.
herr_t lock(H5FD_t* file, hbool_t to_write) { return self(file).plain->cls->lock(self(file).plain, to_write); }
herr_t unlock(H5FD_t* file) { return self(file).plain->cls->unlock(self(file).plain); }

herr_t read(H5FD_t* file, H5FD_mem_t type, hid_t transfer, haddr_t at, size_t size, void* bytes) {
    return self(file).plain->cls->read(self(file).plain, type, transfer, at, size, bytes);
}

herr_t complain(const char* what) {
    H5Epush2(H5E_DEFAULT, __FILE__, __func__, __LINE__, H5E_ERR_CLS, H5E_IO, H5E_WRITEERROR, "%s", what);
    return -1;
}

herr_t truncate(H5FD_t* file, hid_t transfer, hbool_t closing) {
    if (self(file).rules->is_given_up) return complain("the file was given up");
    return self(file).plain->cls->truncate(self(file).plain, transfer, closing);
}

/// A write that fails may have been half done.
herr_t write_plainly(JournaledFile& file, H5FD_mem_t type, hid_t transfer, haddr_t at, std::span<const std::byte> bytes) {
    const herr_t result = file.plain->cls->write(file.plain, type, transfer, at, bytes.size(), bytes.data());
    if (result < 0 && file.rules->journal) file.rules->journal->keep();
    file.end = std::max(file.end, at + bytes.size());
    return result;
}

/// Writes the part of `bytes` that differs from what is there. What lies beyond the end always differs: it is to be part of the file.
herr_t write_over(JournaledFile& file, H5FD_mem_t type, hid_t transfer, haddr_t at, std::span<const std::byte> bytes) {
    file.before.resize(bytes.size());
    if (read(&file, type, transfer, at, bytes.size(), file.before.data()) < 0) return -1;
    const std::span<const std::byte> before(file.before);
    std::size_t first = 0, last = bytes.size();
    while (first < last && at + first < file.end && bytes[first] == before[first]) ++first;
    while (at + last <= file.end && first < last && bytes[last - 1] == before[last - 1]) --last;
    if (first == last) return 0;
    const auto after = bytes.subspan(first, last - first);
    if (!file.rules->journal->note(at + first, before.subspan(first, last - first), after)) return complain(std::strerror(errno));
    return write_plainly(file, type, transfer, at + first, after);
}

herr_t write(H5FD_t* base, H5FD_mem_t type, hid_t transfer, haddr_t at, size_t size, const void* data) try {
    JournaledFile& file = self(base);
    const std::span bytes(static_cast<const std::byte*>(data), size);
    const WriteRules& rules = *file.rules;
    if (rules.is_given_up) return complain("the file was given up");
    const bool is_guarded = rules.journal && (type != H5FD_MEM_DRAW || rules.data_too);
    return is_guarded && at < file.end ? write_over(file, type, transfer, at, bytes) : write_plainly(file, type, transfer, at, bytes);
} catch (const std::bad_alloc&) {
    return complain("no memory left");
}

H5FD_class_t driver_class() {
    H5FD_class_t driver{};
    driver.name = "talus_journal";
    driver.maxaddr = static_cast<haddr_t>(std::numeric_limits<std::int64_t>::max());
    driver.fc_degree = H5F_CLOSE_WEAK;
    driver.fapl_size = sizeof(Rules);
    driver.fapl_copy = copy_rules;
    driver.fapl_free = free_rules;
    driver.open = open_file;
    driver.close = close_file;
    driver.cmp = compare;
    driver.query = query;
    driver.get_eoa = get_eoa;
    driver.set_eoa = set_eoa;
    driver.get_eof = get_eof;
    driver.get_handle = get_handle;
    driver.read = read;
    driver.write = write;
    driver.truncate = truncate;
    driver.lock = lock;
    driver.unlock = unlock;
    const H5FD_mem_t kinds[H5FD_MEM_NTYPES] = H5FD_FLMAP_DICHOTOMY;   // as the driver of plain files has it
    std::copy(std::begin(kinds), std::end(kinds), driver.fl_map);
    return driver;
}

}  // namespace

void set_journal_driver(hid_t access_properties, const std::shared_ptr<WriteRules>& rules) {
    static const H5FD_class_t driver = driver_class();
    static const hid_t id = H5FDregister(&driver);
    H5Pset_driver(access_properties, id, &rules);
}

}  // namespace talus::record::h5
