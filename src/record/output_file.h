#pragma once
/// \file
/// A file for writing whose every failure, the last flush included, is an IoError with its name.

#include <cstdio>
#include <string>
#include <string_view>

namespace talus::record {

class OutputFile {
public:
    explicit OutputFile(std::string path);
    ~OutputFile();
    OutputFile(const OutputFile&) = delete;
    OutputFile& operator=(const OutputFile&) = delete;

    void write(std::string_view bytes);
    /// \throws IoError when what was buffered cannot be written.
    void close();

private:
    [[noreturn]] void fail(const char* doing) const;
    std::string path_;
    std::FILE* file_ = nullptr;
};

/// Makes a folder and those above it. \throws IoError.
void make_folder(const std::string& path);

}  // namespace talus::record
