#pragma once
/// \file
/// What a run file `run.h5` says, as plain data: the words that its writer and its readers share.
/// The layout on disk is described in docs/run-file.md.

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "talus/report.h"
#include "talus/world.h"

namespace talus::record {

/// Raised when a reader of the old layout would misread the new one.
inline constexpr std::int64_t kLayout = 1;

/// Where a run comes from.
struct Provenance {
    std::string version;      ///< of talus
    std::string git;          ///< commit it was built from, or empty
    std::string machine;      ///< host name, processor, system
    std::string date;         ///< start of the run, ISO 8601, UTC
    std::string command;      ///< the command line
    std::uint64_t seed = 0;
    std::int64_t threads = 1;
};

struct RunHeader {
    std::string scene_name;
    std::string scene_path;   ///< absolute; files the scene names are beside it
    std::string scene_text;   ///< the scene after overrides: running it again gives this run
    Provenance provenance;
};

/// What a writer stores in every frame.
struct Plan {
    std::vector<std::string> arrays;   ///< members of Snapshot beyond those always there; empty: all
    bool contacts = true;              ///< contacts of the step, with impulses
    bool sums = false;                 ///< impulses summed over the frame's interval
    std::int64_t expected_bodies = 0;  ///< sets the grain of storage only
};

/// One frame, without its arrays.
struct FrameInfo {
    double time = 0.0;           ///< [s]
    std::int64_t step = 0;
    double h = 0.0;              ///< time step [s]
    std::array<double, 3> gravity{};
    double sums_seconds = 0.0;   ///< interval of the sums [s]
    std::uint64_t bodies_begin = 0, bodies = 0;
    std::uint64_t contacts_begin = 0, contacts = 0;
    std::uint64_t sums_begin = 0, sums = 0;
};

/// Impulse the contacts gave a boundary during one step [N s].
struct WallImpulse {
    BodyId id = -1;
    std::array<double, 3> impulse{};  ///< the first Dim numbers count
};

/// One row of the step-by-step report. `report.seconds` is not stored: clocks differ, results do not.
struct ReportRow {
    StepReport report;
    std::uint64_t walls_begin = 0, walls = 0;  ///< its rows in RunReader::wall_impulses
};

/// Observables measured at one frame, or at the end of the run.
struct ObservableText {
    std::int64_t frame = -1;  ///< -1: final
    double time = 0.0;        ///< [s]
    std::string json;
};

struct Checkpoint {
    std::uint64_t sequence = 0;       ///< 1 for the first of a run
    std::int64_t step = 0;
    double time = 0.0;                ///< [s]
    std::vector<std::byte> bytes;     ///< opaque here
};

/// How a run ended; `running` also after a kill.
inline constexpr const char* kRunning = "running";
inline constexpr const char* kFinished = "finished";
inline constexpr const char* kInterrupted = "interrupted";
inline constexpr const char* kFailed = "failed";

}  // namespace talus::record
