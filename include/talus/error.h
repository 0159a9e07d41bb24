#pragma once
/// \file
/// The two kinds of exception that talus throws. Numerical trouble is never an exception: it is a
/// status in a report. A bug of talus itself is an assertion.

#include <stdexcept>
#include <string>

namespace talus {

/// The user's input is wrong. `what()` says what is wrong and what to write instead; where the input
/// came from a file it starts with `file:line:col: `.
class InputError : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

/// A file cannot be opened, read or written (missing, no permission, disk full, damaged).
class IoError : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

}  // namespace talus
