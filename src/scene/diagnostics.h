#pragma once
/// \file
/// Collects what is wrong with a scene, so that one look shows all of it.

#include <string>
#include <string_view>
#include <vector>

#include "scene/mark.h"

namespace talus::scene {

class Diagnostics {
public:
    /// `message` reads `what is wrong; what to write instead`.
    void add(const Mark& mark, const std::string& message);
    [[nodiscard]] bool empty() const { return entries_.empty(); }
    [[nodiscard]] std::size_t size() const { return entries_.size(); }
    /// \throws InputError with one line for each mistake, in the order of the file, when there is any.
    void raise() const;

private:
    struct Entry {
        Mark mark;
        std::string message;
    };
    std::vector<Entry> entries_;
};

/// The name of `known` that `word` most likely stands for, or nothing when none is close: the smallest
/// Damerau-Levenshtein distance, at most 2 (1 for three letters, 0 below) or a third of the length.
[[nodiscard]] std::string nearest(std::string_view word, const std::vector<std::string>& known);

/// `did you mean 'x'?`, or `known <plural>: a, b` when nothing is close.
[[nodiscard]] std::string suggest(std::string_view word, const std::vector<std::string>& known,
                                  const std::string& plural);

/// `a, b, c`.
[[nodiscard]] std::string join(const std::vector<std::string>& words);

}  // namespace talus::scene
