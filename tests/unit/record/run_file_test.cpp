// What is written into a run file comes back, bit for bit.

#include "synthetic_run.h"

#include "record/crc32.h"
#include "talus/error.h"

namespace talus::record::testing {
namespace {

template <class T>
class RunFile : public ::testing::Test {
public:
    static constexpr int dimension = T::value;
    TemporaryFolder folder;
    std::string path = folder.file("run.h5");
};
using Dimensions = ::testing::Types<std::integral_constant<int, 2>, std::integral_constant<int, 3>>;
TYPED_TEST_SUITE(RunFile, Dimensions);

TYPED_TEST(RunFile, ragged_frames_reports_and_observables_come_back) {
    constexpr int dim = TestFixture::dimension;
    auto writer = create<dim>(this->path);
    write_run(writer, 0, 9);
    writer.finish(kFinished, 4.5, R"({"final":1})", R"({"time":4.5})");
    const RunReader reader(this->path);
    expect_written_run<dim>(reader, 10);
    EXPECT_EQ(reader.reports().size(), 90U);
    EXPECT_EQ(reader.observables().size(), 11U);
    EXPECT_EQ(reader.observables().back().frame, -1);
    EXPECT_EQ(reader.observables().back().json, R"({"final":1})");
    EXPECT_EQ(reader.summary_json(), R"({"time":4.5})");
}

TYPED_TEST(RunFile, says_where_it_comes_from) {
    constexpr int dim = TestFixture::dimension;
    auto writer = create<dim>(this->path);
    write_run(writer, 0, 2);
    writer.finish(kInterrupted, 1.0, "", "");
    const RunReader reader(this->path);
    const RunInfo& info = reader.info();
    EXPECT_EQ(info.dimension, dim);
    EXPECT_EQ(info.scene_name, "synthetic");
    EXPECT_EQ(info.scene_text, header().scene_text);
    EXPECT_EQ(info.provenance.command, "talus run x.yaml");
    EXPECT_EQ(info.provenance.seed, 42U);
    EXPECT_EQ(info.state, kInterrupted);
    EXPECT_EQ(info.materials, (std::vector<std::string>{"grain", "µ-wall"}));
    ASSERT_EQ(info.shapes.size(), 3U);
    EXPECT_EQ(info.shapes[2].name, "ball_inside");
    EXPECT_EQ(info.shapes[2].sizes, std::vector<double>{3.0});
}

TYPED_TEST(RunFile, negative_frame_numbers_count_from_the_end) {
    constexpr int dim = TestFixture::dimension;
    auto writer = create<dim>(this->path);
    write_run(writer, 0, 4);
    writer.finish(kFinished, 2.0, "", "");
    const RunReader reader(this->path);
    expect_same(reader.read_frame<dim>(-1), snapshot<dim>(4));
    expect_same(reader.read_frame<dim>(-5), snapshot<dim>(0));
    EXPECT_THROW((void)reader.read_frame<dim>(5), IoError);
    EXPECT_THROW((void)reader.read_frame<dim>(-6), IoError);
}

TYPED_TEST(RunFile, arrays_left_out_of_the_plan_read_as_zero) {
    constexpr int dim = TestFixture::dimension;
    {
        auto writer = RunWriter<dim>::create(this->path, header(), {{"mass"}, false, false, 40}, snapshot<dim>(0));
        writer.write_frame(snapshot<dim>(1));
    }
    const RunReader reader(this->path);
    const auto frame = reader.read_frame<dim>(0), written = snapshot<dim>(1);
    expect_same_bits(frame.mass, written.mass, "mass");
    expect_same_bits(frame.position, written.position, "position");
    ASSERT_EQ(frame.velocity.size(), written.size());
    for (const auto& v : frame.velocity) EXPECT_EQ(v.norm(), 0.0);
    EXPECT_TRUE(frame.contacts.empty());
    EXPECT_FALSE(reader.info().has_contacts);
    EXPECT_EQ(reader.info().arrays, (std::vector<std::string>{"id", "position", "radius", "material", "wall", "shape", "driven", "image", "mass"}));
}

TYPED_TEST(RunFile, an_unknown_array_is_refused_with_the_known_ones) {
    constexpr int dim = TestFixture::dimension;
    try {
        (void)RunWriter<dim>::create(this->path, header(), {{"colour"}, true, false, 40}, snapshot<dim>(0));
        FAIL() << "accepted";
    } catch (const InputError& error) {
        EXPECT_NE(std::string(error.what()).find("'colour'"), std::string::npos);
        EXPECT_NE(std::string(error.what()).find("velocity"), std::string::npos);
    }
}

TYPED_TEST(RunFile, the_newest_of_two_checkpoints_comes_back) {
    constexpr int dim = TestFixture::dimension;
    auto writer = create<dim>(this->path);
    EXPECT_FALSE(RunReader(this->path).checkpoint());
    for (int k = 1; k <= 5; ++k) {
        writer.write_checkpoint(k, 0.1 * k, checkpoint_bytes(6 - k));  // each shorter than the one before
        const auto found = RunReader(this->path).checkpoint();
        ASSERT_TRUE(found);
        EXPECT_EQ(found->sequence, static_cast<std::uint64_t>(k));
        EXPECT_EQ(found->step, k);
        EXPECT_EQ(found->bytes, checkpoint_bytes(6 - k));
    }
}

TYPED_TEST(RunFile, an_empty_frame_and_a_run_without_frames_are_fine) {
    constexpr int dim = TestFixture::dimension;
    {
        auto writer = create<dim>(this->path);
        writer.finish(kFinished, 0.0, "", "");
        EXPECT_TRUE(RunReader(this->path).info().frames.empty());
    }
    auto writer = create<dim>(this->path);
    writer.write_frame(snapshot<dim>(3));
    EXPECT_EQ(RunReader(this->path).read_frame<dim>(0).size(), 0U);
}

TYPED_TEST(RunFile, a_reader_follows_a_run_that_is_still_going) {
    constexpr int dim = TestFixture::dimension;
    auto writer = create<dim>(this->path);
    for (int k = 0; k < 6; ++k) {
        write_run(writer, k, k);
        const RunReader reader(this->path);
        EXPECT_EQ(reader.info().state, kRunning);
        expect_written_run<dim>(reader, static_cast<std::size_t>(k) + 1);
    }
}

TEST(Crc32, agrees_with_the_published_check_value) {
    // "123456789" -> CBF43926: the check value of CRC-32/ISO-HDLC in the CRC catalogues.
    const std::string text = "123456789";
    EXPECT_EQ(crc32({reinterpret_cast<const std::byte*>(text.data()), text.size()}), 0xCBF43926U);
    EXPECT_EQ(crc32({}), 0U);
    EXPECT_EQ(crc32({}, 0xCBF43926U), 0xCBF43926U);
}

}  // namespace
}  // namespace talus::record::testing
