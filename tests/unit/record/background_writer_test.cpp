// A run written in the background is the run written in place; failures come out, and nothing that was handed over is lost.

#include "record/background_writer.h"

#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include <algorithm>

#include "synthetic_run.h"
#include "talus/error.h"

namespace talus::record::testing {
namespace {

template <int Dim>
void expect_same_run(int last) {
    const TemporaryFolder folder;
    const std::string path = folder.file("run.h5");
    {
        BackgroundWriter<Dim> writer(create<Dim>(path));
        write_run(writer, 0, last);
        EXPECT_EQ(writer.frames(), static_cast<std::uint64_t>(last) + 1);
        writer.finish(kFinished, 0.5 * last, observed(-1), "{}");
    }
    const RunReader reader(path);
    EXPECT_EQ(reader.info().state, kFinished);
    expect_written_run<Dim>(reader, static_cast<std::size_t>(last) + 1);
    EXPECT_EQ(reader.reports().size(), static_cast<std::size_t>(10 * last));
    const auto checkpoint = reader.checkpoint();
    ASSERT_TRUE(checkpoint);
    EXPECT_EQ(checkpoint->bytes, checkpoint_bytes(last - last % 2));
}

TEST(BackgroundWriter, writes_what_a_writer_in_place_writes) {
    expect_same_run<2>(9);
    expect_same_run<3>(40);
}

TEST(BackgroundWriter, writes_what_waits_when_it_ends_without_being_finished) {
    const TemporaryFolder folder;
    const std::string path = folder.file("run.h5");
    {
        BackgroundWriter<3> writer(create<3>(path));
        write_run(writer, 0, 5);
        writer.write_report(report(51), walls(51));
    }
    const RunReader reader(path);
    expect_written_run<3>(reader, 6);
    EXPECT_EQ(reader.reports().size(), 51U);
    EXPECT_EQ(reader.info().state, kRunning);
}

TEST(BackgroundWriter, writes_checkpoints_that_are_too_large_to_wait_in_one_piece) {
    const TemporaryFolder folder;
    const std::string path = folder.file("run.h5");
    std::vector<std::byte> bytes(30'000'000);
    for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<std::byte>(i * 2654435761U >> 24U);
    {
        BackgroundWriter<3> writer(create<3>(path));
        write_run(writer, 0, 2);
        writer.write_checkpoint(7, 0.7, [&](const ByteSink& sink) {
            for (std::size_t at = 0, n = 1; at < bytes.size(); at += n, n = 3 * n) sink(std::span(bytes).subspan(at, std::min(n, bytes.size() - at)));
        });
        write_run(writer, 3, 3);
    }
    const RunReader reader(path);
    expect_written_run<3>(reader, 4);
    const auto checkpoint = reader.checkpoint();
    ASSERT_TRUE(checkpoint);
    EXPECT_EQ(checkpoint->step, 7);
    EXPECT_TRUE(checkpoint->bytes == bytes);
}

TEST(BackgroundWriter, goes_on_where_a_run_was_resumed) {
    const TemporaryFolder folder;
    const std::string path = folder.file("run.h5");
    {
        BackgroundWriter<3> writer(create<3>(path));
        write_run(writer, 0, 4);
    }
    Checkpoint checkpoint;
    BackgroundWriter<3> writer(RunWriter<3>::resume(path, checkpoint));
    EXPECT_EQ(writer.frames(), 5U);
    write_run(writer, 5, 8);
    writer.finish(kFinished, 4.0, "", "{}");
    expect_written_run<3>(RunReader(path), 9);
}

TEST(BackgroundWriter, tells_of_a_full_disk_and_takes_nothing_more) {
    const TemporaryFolder folder;
    const std::string path = folder.file("run.h5");
    const pid_t child = fork();
    if (child == 0) {
        signal(SIGXFSZ, SIG_IGN);
        const rlimit limit{1200000, 1200000};
        setrlimit(RLIMIT_FSIZE, &limit);
        int code = 6;
        try {
            BackgroundWriter<3> writer(create<3>(path));
            try {
                write_run(writer, 0, 100000);
            } catch (const IoError& error) {
                code = std::string(error.what()).find("File too large") != std::string::npos ? 4 : 5;
            }
            try {
                writer.finish(kFailed, 0.0, "", "");
                code = 7;
            } catch (const IoError&) {
            }
        } catch (...) {
            code = 8;
        }
        _exit(code);
    }
    int status = 0;
    waitpid(child, &status, 0);
    ASSERT_TRUE(WIFEXITED(status));
    ASSERT_EQ(WEXITSTATUS(status), 4);
    const RunReader reader(path);
    EXPECT_GT(reader.info().frames.size(), 2U);
    expect_written_run<3>(reader, reader.info().frames.size());
    EXPECT_TRUE(reader.checkpoint());
}

}  // namespace
}  // namespace talus::record::testing
