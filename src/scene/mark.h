#pragma once
/// \file
/// Where something was written: a place in a file, or a `--set` of the command line.

#include <memory>
#include <string>

namespace talus::scene {

struct Mark {
    std::shared_ptr<const std::string> source;  ///< file name, or `--set key`
    int line = 0, column = 0;                   ///< from 1; 0 for a source without lines

    /// `file:line:col`, or the bare source when it has no lines.
    [[nodiscard]] std::string text() const;
};

}  // namespace talus::scene
