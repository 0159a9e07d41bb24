// A damaged or foreign file gives an IoError that starts with its name: never a crash, never made-up data.

#include <fstream>

#include "record/h5.h"
#include "record/layout.h"
#include "record/series.h"
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

/// A finished run of three frames, and a way to spoil it.
class SpoiledRun : public ::testing::Test {
public:
    SpoiledRun() {
        auto writer = create<2>(path);
        write_run(writer, 0, 2);
        writer.finish(kFinished, 1.0, "", "");
    }
    template <class Spoil>
    void spoil(Spoil&& change) const {
        h5::File file = h5::File::open_to_edit(path);
        change(file);
        file.close();
    }
    /// The message that reading all of it gives.
    [[nodiscard]] std::string complaint() const {
        try {
            const RunReader reader(path);
            for (std::size_t k = 0; k < reader.info().frames.size(); ++k) {
                (void)reader.read_frame<2>(static_cast<std::int64_t>(k));
            }
            (void)reader.observables();
            return "";
        } catch (const IoError& error) {
            return error.what();
        }
    }
    TemporaryFolder folder;
    std::string path = folder.file("run.h5");
};

TEST_F(SpoiledRun, another_layout_is_named_with_the_one_that_is_read) {
    spoil([](const h5::File& file) {
        H5Adelete(file.id(), "layout");
        h5::write_attribute(file, "/", "layout", std::int64_t{99});
    });
    EXPECT_EQ(complaint(), path + ": has layout 99, this talus reads layout 1; use the version that wrote it");
}

TEST_F(SpoiledRun, hdf5_of_another_program_is_not_a_run) {
    spoil([](const h5::File& file) { H5Adelete(file.id(), "format"); });
    EXPECT_EQ(complaint(), path + ": not a talus run file: it is HDF5, but has no attribute 'format'");
}

TEST_F(SpoiledRun, a_missing_dataset_is_named) {
    spoil([](const h5::File& file) { H5Ldelete(file.id(), "bodies/position", H5P_DEFAULT); });
    EXPECT_EQ(complaint(), path + ": damaged run file: dataset bodies/position is missing or unreadable");
}

TEST_F(SpoiledRun, a_frame_that_points_outside_the_file_is_refused_before_memory_is_asked_for) {
    for (const std::uint64_t count : {std::uint64_t{1000}, std::uint64_t{1} << 40, ~std::uint64_t{0}}) {
        spoil([&](const h5::File& file) {
            FrameInfo frame;
            frame.bodies = count;
            Series::open(file, "frames/index", frame_row(2)).write(1, 1, &frame);
        });
        EXPECT_EQ(complaint(), path + ": damaged run file: a frame points beyond the end of its bodies");
    }
}

TEST_F(SpoiledRun, a_body_without_shape_or_material_is_refused) {
    spoil([](const h5::File& file) {
        const std::int32_t shape = 1000;
        Series::open(file, "bodies/shape", plain(Kind::i32)).write(0, 1, &shape);
    });
    EXPECT_EQ(complaint(), path + ": damaged run file: a body has no such shape");
}

TEST_F(SpoiledRun, a_text_that_points_outside_the_file_is_refused) {
    spoil([](const h5::File& file) {
        const TextRow row{0, 0.0, ~std::uint64_t{0} - 2, 10};
        Series::open(file, "observables/index", text_row()).write(0, 1, &row);
    });
    EXPECT_EQ(complaint().find(path + ": damaged run file: observables/text ends at row"), 0U) << complaint();
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
