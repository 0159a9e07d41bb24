// Cause: SIGKILL ends write(2) between two pages. A block of HDF5 that lay across a page boundary of the run file and was being written over was
// left half new and half old; its checksum was wrong, and the whole file could not be read any more. Here every write of a run is cut where
// a page ends, in the middle, and at its beginning: the worst that a kill at any moment can leave.
#include <gtest/gtest.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <fstream>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "unit/record/synthetic_run.h"

namespace {

/// One call to the operating system that changed a file.
struct Change {
    std::string file;        ///< its name without the folder
    std::size_t offset = 0;  ///< or its new length
    std::string bytes;
    bool is_write = true;    ///< else a change of its length
    std::size_t frames = 0, checkpoints = 0;   ///< that were complete before it
};

/// Takes down what is written to files of a folder while it lives.
struct Recorder {
    std::string folder;
    std::vector<Change> changes;
    std::size_t frames = 0, checkpoints = 0;
    void take_down(int file, Change change) {
        std::array<char, 4096> name{};
        if (readlink(("/proc/self/fd/" + std::to_string(file)).c_str(), name.data(), name.size() - 1) < 0) return;
        const std::string path = name.data();
        if (!path.starts_with(folder + "/")) return;
        change.file = path.substr(folder.size() + 1);
        change.frames = frames;
        change.checkpoints = checkpoints;
        changes.push_back(std::move(change));
    }
};

Recorder* recorder = nullptr;

}  // namespace

// In place of the C library's, for this program and the libraries it uses.
extern "C" ssize_t pwrite(int file, const void* bytes, size_t size, off_t offset) {
    if (recorder) recorder->take_down(file, {"", static_cast<std::size_t>(offset), {static_cast<const char*>(bytes), size}});
    return syscall(SYS_pwrite64, file, bytes, size, offset);
}
extern "C" int ftruncate(int file, off_t length) noexcept {
    if (recorder) recorder->take_down(file, {"", static_cast<std::size_t>(length), "", false});
    return static_cast<int>(syscall(SYS_ftruncate, file, length));
}

namespace talus::record::testing {
namespace {

constexpr std::size_t kPage = 4096;
using Files = std::map<std::string, std::string>;   ///< contents by name

void apply(Files& files, const Change& change, std::size_t bytes) {
    std::string& content = files[change.file];
    if (!change.is_write) {
        content.resize(change.offset);
        return;
    }
    if (bytes == 0) return;
    content.resize(std::max(content.size(), change.offset + bytes));
    content.replace(change.offset, bytes, change.bytes, 0, bytes);
}

/// Where to cut a write: in the middle; one to the run file also before its beginning and at the end of its first page.
std::vector<std::size_t> cuts(const Change& change) {
    std::vector<std::size_t> all{change.bytes.size() / 2};
    if (change.file != "run.h5") return all;
    if (change.bytes.size() > 1) all.push_back(0);
    if (const std::size_t end = kPage - change.offset % kPage; end < change.bytes.size()) all.push_back(end);
    return all;
}

std::string content_of(const std::string& path) {
    std::ifstream in(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}

/// The run file and its neighbours as a kill leaves them, in a folder of their own.
class Wreck {
public:
    explicit Wreck(const Files& files) {
        for (const auto& [name, content] : files) {
            std::ofstream(folder_.file(name), std::ios::binary).write(content.data(), static_cast<std::streamsize>(content.size()));
        }
    }
    [[nodiscard]] std::string run() const { return folder_.file("run.h5"); }

private:
    TemporaryFolder folder_;
};

template <int Dim>
void expect_whole(const std::string& path, const Change& change) {
    const RunReader reader(path);
    ASSERT_GE(reader.info().frames.size(), change.frames);
    expect_written_run<Dim>(reader, reader.info().frames.size());
    const auto checkpoint = reader.checkpoint();
    ASSERT_TRUE(checkpoint);
    EXPECT_GE(checkpoint->sequence, change.checkpoints);
    EXPECT_EQ(checkpoint->bytes, checkpoint_bytes(static_cast<int>(checkpoint->step / 10)));
}

/// Goes on from the checkpoint, and has the file of a run that was never killed.
template <int Dim>
void expect_resumes(const std::string& path, int last) {
    {
        Checkpoint checkpoint;
        auto writer = RunWriter<Dim>::resume(path, checkpoint);
        write_run(writer, static_cast<int>(writer.frames()), last);
        writer.finish(kFinished, 0.5 * last, "", "{}");
    }
    expect_written_run<Dim>(RunReader(path), static_cast<std::size_t>(last) + 1);
    EXPECT_FALSE(std::filesystem::exists(path + ".journal"));
}

/// A run of frames 0 to `last`: its files after the first checkpoint, and all that it wrote from there to its end.
template <int Dim>
std::pair<Files, std::vector<Change>> record_run(int last) {
    const TemporaryFolder folder;
    const std::string path = folder.file("run.h5");
    auto writer = create<Dim>(path);
    write_run(writer, 0, 0);
    Files start;
    for (const auto& entry : std::filesystem::directory_iterator(std::filesystem::path(path).parent_path())) {
        start[entry.path().filename()] = content_of(entry.path());
    }
    Recorder notes{std::filesystem::path(path).parent_path().string(), {}, 1, 1};
    recorder = &notes;
    for (int frame = 1; frame <= last; ++frame) {
        for (int step = 10 * frame - 9; step <= 10 * frame; ++step) writer.write_report(report(step), walls(step));
        writer.write_frame(snapshot<Dim>(frame), observed(frame));
        ++notes.frames;
        if (frame % 2 != 0) continue;
        write_checkpoint(writer, frame);
        ++notes.checkpoints;
    }
    writer.finish(kFinished, 0.5 * last, "", "{}");
    recorder = nullptr;
    return {start, notes.changes};
}

template <int Dim>
void survive_cut_writes(int last) {
    auto [files, changes] = record_run<Dim>(last);
    ASSERT_GT(changes.size(), 100U);
    for (std::size_t i = 0; i < changes.size(); ++i) {
        const Change& change = changes[i];
        for (const std::size_t cut : cuts(change)) {
            Files left = files;
            apply(left, change, cut);
            const Wreck wreck(left);
            SCOPED_TRACE(::testing::Message() << "write " << i << " of " << changes.size() << ", " << change.bytes.size() << " bytes at " << change.offset
                                              << " of " << change.file << ", cut after " << cut);
            ASSERT_NO_THROW(expect_whole<Dim>(wreck.run(), change));
            if (i % 40 == 0) {
                ASSERT_NO_THROW(expect_resumes<Dim>(wreck.run(), last + 1));
            }
            ASSERT_FALSE(::testing::Test::HasFailure());
        }
        apply(files, change, change.bytes.size());
    }
}

TEST(AKillInTheMiddleOfAWrite, LeavesCompleteFramesAndACheckpoint) { survive_cut_writes<2>(2); }

}  // namespace
}  // namespace talus::record::testing
