// A run file survives a kill at any moment, and a resumed run leaves the file an uninterrupted one would.

#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include <chrono>
#include <random>
#include <thread>

#include "synthetic_run.h"
#include "talus/error.h"

namespace talus::record::testing {
namespace {

/// Runs `work` in a child process. Returns its id.
template <class Work>
pid_t in_child(Work work) {
    const pid_t child = fork();
    if (child != 0) return child;
    int code = 1;
    try {
        code = work();
    } catch (...) {
        code = 99;
    }
    _exit(code);
}

int exit_code(pid_t child) {
    int status = 0;
    waitpid(child, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

/// Starts a writer, waits until its file is there, lets it work a while longer, and kills it.
template <int Dim>
void kill_a_writer(const std::string& path, std::chrono::microseconds after) {
    const pid_t child = in_child([&] {
        auto writer = create<Dim>(path);
        writer.write_checkpoint(0, 0.0, checkpoint_bytes(0));
        write_run(writer, 0, 100000);
        return 0;
    });
    while (true) {
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
        int status = 0;  // a writer that ends by itself would be waited for in vain
        ASSERT_EQ(waitpid(child, &status, WNOHANG), 0) << "the writer ended with status " << status;
        if (!std::filesystem::exists(path)) continue;
        if (RunReader(path).info().checkpoint_sequence > 0) break;
    }
    std::this_thread::sleep_for(after);
    kill(child, SIGKILL);
    ASSERT_EQ(exit_code(child), -SIGKILL);
}

/// The checkpoint in the file is one that `write_run` wrote, at most two frames old.
void expect_fresh_checkpoint(const Checkpoint& checkpoint, std::size_t frames) {
    const int frame = static_cast<int>(checkpoint.step / 10);
    EXPECT_EQ(checkpoint.bytes, checkpoint_bytes(frame));
    EXPECT_GE(static_cast<std::size_t>(frame) + 3, frames);
}

/// Resumes like the command line does: from the frame the checkpoint belongs to.
template <int Dim>
void resume_until(const std::string& path, int last) {
    Checkpoint checkpoint;
    auto writer = RunWriter<Dim>::resume(path, checkpoint);
    const int frame = static_cast<int>(checkpoint.step / 10);
    ASSERT_EQ(checkpoint.bytes, checkpoint_bytes(frame));
    write_run(writer, static_cast<int>(writer.frames()), last);
    writer.finish(kFinished, 0.5 * last, observed(-1), "{}");
}

template <int Dim>
void expect_finished_run(const std::string& path, int last) {
    const RunReader reader(path);
    expect_written_run<Dim>(reader, static_cast<std::size_t>(last) + 1);
    EXPECT_EQ(reader.reports().size(), static_cast<std::size_t>(10 * last));
    EXPECT_EQ(reader.observables().size(), static_cast<std::size_t>(last) + 2);
    EXPECT_EQ(reader.info().state, kFinished);
    EXPECT_EQ(reader.summary_json(), "{}");
}

template <int Dim>
void survive_kills(unsigned seed, int rounds) {
    std::mt19937 random(seed);
    for (int round = 0; round < rounds; ++round) {
        const TemporaryFolder folder;
        const std::string path = folder.file("run.h5");
        ASSERT_NO_FATAL_FAILURE(kill_a_writer<Dim>(path, std::chrono::microseconds(random() % 60000)));
        std::size_t frames = 0;
        {
            const RunReader reader(path);
            frames = reader.info().frames.size();
            expect_written_run<Dim>(reader, frames);
            const auto checkpoint = reader.checkpoint();
            ASSERT_TRUE(checkpoint);
            expect_fresh_checkpoint(*checkpoint, frames);
        }
        const int last = static_cast<int>(frames) + 3;
        resume_until<Dim>(path, last);
        expect_finished_run<Dim>(path, last);
        EXPECT_FALSE(std::filesystem::exists(path + ".tmp"));
    }
}

TEST(RunResume, a_kill_at_any_moment_leaves_complete_frames_and_a_checkpoint_2d) { survive_kills<2>(1, 12); }
TEST(RunResume, a_kill_at_any_moment_leaves_complete_frames_and_a_checkpoint_3d) { survive_kills<3>(2, 12); }

TEST(RunResume, what_came_after_the_checkpoint_is_dropped) {
    const TemporaryFolder folder;
    const std::string path = folder.file("run.h5");
    {
        auto writer = create<3>(path);
        write_run(writer, 0, 5);  // checkpoint after frame 4; frame 5 and its reports come later
        writer.finish(kFailed, 2.5, "", "");
    }
    Checkpoint checkpoint;
    {
        auto writer = RunWriter<3>::resume(path, checkpoint);
        EXPECT_EQ(writer.frames(), 5U);
        EXPECT_EQ(checkpoint.step, 40);
    }
    expect_written_run<3>(RunReader(path), 5);
    EXPECT_EQ(RunReader(path).reports().size(), 40U);
}

TEST(RunResume, interrupted_and_resumed_many_times_equals_uninterrupted) {
    const TemporaryFolder folder;
    const std::string path = folder.file("run.h5");
    {
        auto writer = create<2>(path);
        write_run(writer, 0, 2);
        writer.finish(kInterrupted, 1.0, "", "");
    }
    for (const int last : {4, 6, 9}) {
        Checkpoint checkpoint;
        auto writer = RunWriter<2>::resume(path, checkpoint);
        write_run(writer, static_cast<int>(writer.frames()), last);
        writer.finish(kInterrupted, 0.5 * last, "", "");
    }
    resume_until<2>(path, 12);
    expect_finished_run<2>(path, 12);
}

TEST(RunResume, a_finished_run_can_be_taken_further) {
    const TemporaryFolder folder;
    const std::string path = folder.file("run.h5");
    {
        auto writer = create<3>(path);
        write_run(writer, 0, 4);
        writer.finish(kFinished, 2.0, observed(-1), R"({"old":true})");
    }
    resume_until<3>(path, 8);
    expect_finished_run<3>(path, 8);
}

TEST(RunResume, a_file_without_checkpoint_is_refused) {
    const TemporaryFolder folder;
    const std::string path = folder.file("run.h5");
    { auto writer = create<3>(path); }
    Checkpoint checkpoint;
    try {
        (void)RunWriter<3>::resume(path, checkpoint);
        FAIL() << "resumed";
    } catch (const IoError& error) {
        EXPECT_NE(std::string(error.what()).find("no complete checkpoint"), std::string::npos) << error.what();
    }
    EXPECT_THROW((void)RunWriter<2>::resume(path, checkpoint), IoError);
}

TEST(RunResume, a_full_disk_is_an_error_and_leaves_the_file_readable) {
    const TemporaryFolder folder;
    const std::string path = folder.file("run.h5");
    // A limit on the file's size stands for the full disk: write() fails in the same place.
    const pid_t child = in_child([&] {
        signal(SIGXFSZ, SIG_IGN);
        const rlimit limit{1200000, 1200000};
        setrlimit(RLIMIT_FSIZE, &limit);
        auto writer = create<3>(path);
        try {
            write_run(writer, 0, 100000);
        } catch (const IoError& error) {
            const std::string message = error.what();
            const bool clear = message.find(path) == 0 && message.find("File too large") != std::string::npos;
            if (!clear) fprintf(stderr, "%s\n", error.what());
            return clear ? 4 : 5;
        }
        return 6;
    });
    ASSERT_EQ(exit_code(child), 4);
    std::size_t frames = 0;
    {
        const RunReader reader(path);
        frames = reader.info().frames.size();
        EXPECT_GT(frames, 2U);
        expect_written_run<3>(reader, frames);
        const auto checkpoint = reader.checkpoint();
        ASSERT_TRUE(checkpoint);
        expect_fresh_checkpoint(*checkpoint, frames);
    }
    resume_until<3>(path, static_cast<int>(frames) + 2);
    expect_finished_run<3>(path, static_cast<int>(frames) + 2);
}

}  // namespace
}  // namespace talus::record::testing
