#include "record/output_file.h"

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <utility>

#include "talus/error.h"

namespace talus::record {

OutputFile::OutputFile(std::string path) : path_(std::move(path)), file_(std::fopen(path_.c_str(), "wb")) {
    if (file_ == nullptr) fail("create");
}

OutputFile::~OutputFile() {
    if (file_ != nullptr) std::fclose(file_);
}

void OutputFile::write(std::string_view bytes) {
    if (std::fwrite(bytes.data(), 1, bytes.size(), file_) != bytes.size()) fail("write");
}

void OutputFile::close() {
    std::FILE* file = std::exchange(file_, nullptr);
    if (file != nullptr && std::fclose(file) != 0) fail("write");
}

void OutputFile::fail(const char* doing) const {
    throw IoError(path_ + ": cannot " + doing + ": " + std::strerror(errno));
}

void make_folder(const std::string& path) {
    std::error_code error;
    std::filesystem::create_directories(path, error);
    if (error) throw IoError(path + ": cannot make the folder: " + error.message());
}

}  // namespace talus::record
