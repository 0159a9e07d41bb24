#include "folder_lock.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "talus/error.h"

namespace talus::cli {

FolderLock::FolderLock(const std::string& folder) : descriptor_(open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)) {
    if (descriptor_ < 0) throw IoError(folder + ": cannot open the folder: " + std::strerror(errno));
    if (flock(descriptor_, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK) return;
    close(descriptor_);
    throw InputError(folder + ": another run is writing here; wait for it, or choose another folder with --out");
}

FolderLock::~FolderLock() { close(descriptor_); }

}  // namespace talus::cli
