#pragma once
/// \file
/// Keeps a run file whole when its writer is killed in the middle of a write.
///
/// A kill ends write(2) between two pages of memory. What is appended does not count yet, but a block that was being written over is then half new
/// and half old: its checksum is wrong, or it cannot be unpacked. So whatever replaces bytes of the file goes into a journal first, a file beside
/// it (`run.h5.journal`) that holds one replacement, the last: where, the bytes before and the bytes after, with a checksum. A kill while the
/// journal is written finds the run file untouched; one while the run file is written leaves a journal that completes it, as whoever opens the
/// file next does. Against a loss of power it does nothing: neither file is forced to the disk.
///
/// The writer holds a lock on its journal, which goes with the process however it ends: only the file of a writer that is gone is mended.

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace talus::record {

/// The writer's side.
class Journal {
public:
    /// Mends the run file first. \throws IoError also when another writer is at work.
    explicit Journal(const std::string& run_file);
    Journal(const Journal&) = delete;
    Journal& operator=(const Journal&) = delete;
    /// Removes the journal: a writer that ends by itself leaves no write half done.
    ~Journal();

    /// To be called before `after` takes the place of `before`. Returns false, with the cause in errno, when it cannot be noted.
    [[nodiscard]] bool note(std::uint64_t offset, std::span<const std::byte> before, std::span<const std::byte> after);
    /// Leaves the journal behind, as a kill does: a write failed, perhaps half way.
    void keep() { is_kept_ = true; }

private:
    std::string path_;
    int descriptor_;
    bool is_kept_ = false;
    std::vector<std::byte> entry_;
};

/// Completes the write in the middle of which the writer of `run_file` was killed. Does nothing when there is none, when the writer is still at
/// work, or when the file is not the one that the journal speaks of. \throws IoError when the file needs it and cannot be written.
void mend(const std::string& run_file);

}  // namespace talus::record
