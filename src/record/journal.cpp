#include "record/journal.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <optional>
#include <thread>
#include <utility>

#include "record/crc32.h"
#include "talus/error.h"

namespace talus::record {
namespace {

/// What the journal begins with; the bytes before and those after follow.
struct EntryHeader {
    std::array<char, 8> mark{'t', 'a', 'l', 'u', 's', 'j', 'o', '1'};
    std::uint64_t offset = 0, size = 0;   ///< in the run file [byte]
    std::uint64_t crc = 0;                ///< of all else, this being 0
};

struct Entry {
    std::uint64_t offset = 0;
    std::vector<std::byte> before, after;
};

std::string journal_of(const std::string& run_file) { return run_file + ".journal"; }

/// A file descriptor that closes itself.
class Descriptor {
public:
    explicit Descriptor(int id) : id_(id) {}
    Descriptor(const Descriptor&) = delete;
    Descriptor& operator=(const Descriptor&) = delete;
    ~Descriptor() {
        if (id_ >= 0) close(id_);
    }
    [[nodiscard]] int get() const { return id_; }
    int release() { return std::exchange(id_, -1); }

private:
    int id_;
};

/// Bytes beyond the end of the file are 0.
bool read_at(int file, std::uint64_t offset, std::span<std::byte> bytes) {
    std::fill(bytes.begin(), bytes.end(), std::byte{0});
    while (!bytes.empty()) {
        const ssize_t got = pread(file, bytes.data(), bytes.size(), static_cast<off_t>(offset));
        if (got < 0 && errno == EINTR) continue;
        if (got <= 0) return got == 0;
        offset += static_cast<std::uint64_t>(got);
        bytes = bytes.subspan(static_cast<std::size_t>(got));
    }
    return true;
}

bool write_at(int file, std::uint64_t offset, std::span<const std::byte> bytes) {
    while (!bytes.empty()) {
        const ssize_t put = pwrite(file, bytes.data(), bytes.size(), static_cast<off_t>(offset));
        if (put < 0 && errno == EINTR) continue;
        if (put == 0) errno = ENOSPC;
        if (put <= 0) return false;
        offset += static_cast<std::uint64_t>(put);
        bytes = bytes.subspan(static_cast<std::size_t>(put));
    }
    return true;
}

/// The entry in a journal, or nothing when it is empty or was not written to its end.
std::optional<Entry> read_entry(int journal) {
    struct stat status {};
    EntryHeader header;
    if (fstat(journal, &status) != 0 || static_cast<std::size_t>(status.st_size) < sizeof(header)) return std::nullopt;
    std::vector<std::byte> bytes(static_cast<std::size_t>(status.st_size));
    if (!read_at(journal, 0, bytes)) return std::nullopt;
    std::memcpy(&header, bytes.data(), sizeof(header));
    if (header.mark != EntryHeader().mark || header.size > (bytes.size() - sizeof(header)) / 2) return std::nullopt;
    const std::uint64_t crc = std::exchange(header.crc, 0);
    std::memcpy(bytes.data(), &header, sizeof(header));
    if (crc32(std::span(bytes).first(sizeof(header) + 2 * header.size)) != crc) return std::nullopt;
    const auto before = bytes.begin() + sizeof(header), after = before + static_cast<std::ptrdiff_t>(header.size);
    return Entry{header.offset, {before, after}, {after, after + static_cast<std::ptrdiff_t>(header.size)}};
}

/// Writes take their course from the first byte to the last: one that was begun and not ended leaves new bytes, then old ones. A file that has
/// anything else there is another.
void complete(const std::string& run_file, const Entry& entry) {
    const Descriptor to_read(open(run_file.c_str(), O_RDONLY | O_CLOEXEC));
    std::vector<std::byte> found(entry.after.size());
    if (to_read.get() < 0 || !read_at(to_read.get(), entry.offset, found)) return;
    if (found == entry.before || found == entry.after) return;
    const auto done = std::mismatch(found.begin(), found.end(), entry.after.begin()).first - found.begin();
    if (!std::equal(found.begin() + done, found.end(), entry.before.begin() + done)) return;
    const Descriptor to_write(open(run_file.c_str(), O_WRONLY | O_CLOEXEC));
    if (to_write.get() < 0 || !write_at(to_write.get(), entry.offset, entry.after)) {
        throw IoError(run_file + ": was left by a kill in the middle of a write, and cannot be mended: " + std::strerror(errno));
    }
}

void complete(const std::string& run_file, int journal) {
    if (const auto entry = read_entry(journal)) complete(run_file, *entry);
}

/// Readers that mend the file have the lock for an instant; a writer keeps it. File systems without locks are let through.
bool lock_to_write(int journal) {
    for (int attempt = 0; attempt < 100; ++attempt) {
        if (flock(journal, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK) return true;
        std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
    return false;
}

}  // namespace

Journal::Journal(const std::string& run_file) : path_(journal_of(run_file)), descriptor_(-1) {
    Descriptor opened(open(path_.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666));
    if (opened.get() < 0) throw IoError(path_ + ": cannot create: " + std::strerror(errno));
    if (!lock_to_write(opened.get())) throw IoError(run_file + ": cannot write: another run is writing to it");
    complete(run_file, opened.get());
    if (ftruncate(opened.get(), 0) != 0) throw IoError(path_ + ": cannot empty: " + std::strerror(errno));
    descriptor_ = opened.release();
}

Journal::~Journal() {
    if (!is_kept_) {
        (void)!ftruncate(descriptor_, 0);   // for a reader that has it open already
        unlink(path_.c_str());
    }
    close(descriptor_);
}

bool Journal::note(std::uint64_t offset, std::span<const std::byte> before, std::span<const std::byte> after) {
    EntryHeader header{.offset = offset, .size = after.size()};
    entry_.resize(sizeof(header) + 2 * after.size());
    std::memcpy(entry_.data(), &header, sizeof(header));
    std::copy(before.begin(), before.end(), entry_.begin() + sizeof(header));
    std::copy(after.begin(), after.end(), entry_.begin() + static_cast<std::ptrdiff_t>(sizeof(header) + before.size()));
    header.crc = crc32(entry_);
    std::memcpy(entry_.data(), &header, sizeof(header));
    return write_at(descriptor_, 0, entry_);
}

void mend(const std::string& run_file) {
    const Descriptor journal(open(journal_of(run_file).c_str(), O_RDONLY | O_CLOEXEC));
    if (journal.get() < 0 || flock(journal.get(), LOCK_SH | LOCK_NB) != 0) return;
    complete(run_file, journal.get());
}

}  // namespace talus::record
