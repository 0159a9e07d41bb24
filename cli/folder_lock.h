#pragma once
/// \file
/// One run at a time in an output folder. The lock is on the folder itself, goes with the process
/// however it ends, and leaves nothing behind. File systems without locks are let through.

#include <string>

namespace talus::cli {

class FolderLock {
public:
    /// \throws InputError when another run holds the folder, IoError when it cannot be opened.
    explicit FolderLock(const std::string& folder);
    ~FolderLock();
    FolderLock(const FolderLock&) = delete;
    FolderLock& operator=(const FolderLock&) = delete;

private:
    int descriptor_ = -1;
};

}  // namespace talus::cli
