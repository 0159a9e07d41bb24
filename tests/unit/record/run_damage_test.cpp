// A damaged or foreign file gives an IoError that starts with its name: never a crash, never made-up data.

#include <fstream>

#include "synthetic_run.h"
#include "talus/error.h"

namespace talus::record::testing {
namespace {

void write_bytes(const std::string& path, const std::string& bytes) {
    std::ofstream(path, std::ios::binary).write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
}

std::string read_bytes(const std::string& path) {
    std::ifstream in(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}

/// The message of the IoError that opening gives; empty: it opened.
std::string refusal(const std::string& path) {
    try {
        const RunReader reader(path);
        return "";
    } catch (const IoError& error) {
        return error.what();
    }
}

TEST(RunDamage, a_missing_file_an_empty_one_a_text_and_a_folder_are_named) {
    const TemporaryFolder folder;
    const std::string path = folder.file("run.h5");
    EXPECT_EQ(refusal(path), path + ": cannot open the run file: No such file or directory");
    write_bytes(path, "");
    EXPECT_EQ(refusal(path).find(path + ": "), 0U) << refusal(path);
    write_bytes(path, "title: this is a scene, not a run\n");
    EXPECT_EQ(refusal(path), path + ": cannot open the run file: not a talus run file (not HDF5, or damaged)");
    EXPECT_EQ(refusal(folder.file("")).find(folder.file("")), 0U);
}

TEST(RunDamage, a_truncated_file_is_refused_or_gives_only_whole_frames) {
    const TemporaryFolder folder;
    const std::string path = folder.file("run.h5"), cut = folder.file("cut.h5");
    {
        auto writer = create<2>(path);
        write_run(writer, 0, 5);
        writer.finish(kFinished, 2.5, "", "{}");
    }
    const std::string whole = read_bytes(path);
    for (int part = 0; part < 40; ++part) {
        write_bytes(cut, whole.substr(0, whole.size() * static_cast<std::size_t>(part) / 40));
        try {
            const RunReader reader(cut);
            for (std::size_t k = 0; k < reader.info().frames.size(); ++k) {
                expect_same(reader.read_frame<2>(static_cast<std::int64_t>(k)), snapshot<2>(static_cast<int>(k)));
            }
            (void)reader.reports();
            (void)reader.checkpoint();
        } catch (const IoError& error) {
            EXPECT_EQ(std::string(error.what()).find(cut), 0U) << error.what();
        }
    }
}

TEST(RunDamage, a_run_of_the_other_dimension_is_refused) {
    const TemporaryFolder folder;
    const std::string path = folder.file("run.h5");
    auto writer = create<2>(path);
    write_run(writer, 0, 0);
    const RunReader reader(path);
    try {
        (void)reader.read_frame<3>(0);
        FAIL() << "accepted";
    } catch (const IoError& error) {
        EXPECT_EQ(std::string(error.what()), path + ": is a 2D run, asked for a 3D frame");
    }
}

TEST(RunDamage, a_damaged_checkpoint_falls_back_to_the_one_before) {
    const TemporaryFolder folder;
    const std::string path = folder.file("run.h5");
    {
        auto writer = create<2>(path);
        writer.write_checkpoint(1, 0.1, checkpoint_bytes(1));
        writer.write_checkpoint(2, 0.2, checkpoint_bytes(2));
        writer.finish(kFinished, 0.2, "", "");
    }
    // Find the second one's bytes in the file and spoil one of them.
    std::string whole = read_bytes(path);
    const auto bytes = checkpoint_bytes(2);
    const auto at = whole.find(std::string(reinterpret_cast<const char*>(bytes.data()), bytes.size()));
    ASSERT_NE(at, std::string::npos);
    whole[at + 100] = static_cast<char>(whole[at + 100] ^ 1);
    write_bytes(path, whole);
    const auto found = RunReader(path).checkpoint();
    ASSERT_TRUE(found);
    EXPECT_EQ(found->sequence, 1U);
    EXPECT_EQ(found->bytes, checkpoint_bytes(1));
}

}  // namespace
}  // namespace talus::record::testing
