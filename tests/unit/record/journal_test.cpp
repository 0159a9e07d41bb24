// A write that was begun is completed by its journal, and by nothing but its journal.

#include "record/journal.h"

#include <fstream>

#include "synthetic_run.h"
#include "talus/error.h"

namespace talus::record::testing {
namespace {

std::string content_of(const std::string& path) {
    std::ifstream in(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}

void put(const std::string& path, const std::string& content) {
    std::ofstream(path, std::ios::binary).write(content.data(), static_cast<std::streamsize>(content.size()));
}

/// A file of 30 bytes in which those from 10 on are to be replaced, and the journal of that as a kill leaves it.
class BegunWrite : public ::testing::Test {
public:
    BegunWrite() {
        put(path, whole(before));
        Journal journal(path);
        EXPECT_TRUE(journal.note(10, std::as_bytes(std::span(before)), std::as_bytes(std::span(after))));
        journal.keep();
    }
    [[nodiscard]] static std::string whole(const std::string& middle) { return ".........." + middle + std::string(30 - 10 - middle.size(), '.'); }

    std::string before = "old bytes", after = "NEW BYTES";
    TemporaryFolder folder;
    std::string path = folder.file("run.h5"), journal_path = path + ".journal";
};

TEST_F(BegunWrite, is_completed_wherever_it_ended) {
    for (std::size_t done = 1; done <= after.size(); ++done) {
        put(path, whole(after.substr(0, done) + before.substr(done)));
        mend(path);
        EXPECT_EQ(content_of(path), whole(after)) << done;
    }
}

TEST_F(BegunWrite, that_wrote_nothing_stays_undone) {
    mend(path);
    EXPECT_EQ(content_of(path), whole(before));
}

TEST_F(BegunWrite, beyond_the_end_of_the_file_is_completed) {
    {
        Journal journal(path);
        const std::string nothing("e..\0\0\0", 6), more = "E..END";
        EXPECT_TRUE(journal.note(27, std::as_bytes(std::span(nothing)), std::as_bytes(std::span(more))));
        journal.keep();
    }
    put(path, std::string(27, '.') + "E..E");
    mend(path);
    EXPECT_EQ(content_of(path), std::string(27, '.') + "E..END");
}

TEST_F(BegunWrite, is_left_alone_by_a_journal_that_was_cut_short) {
    const std::string torn = whole("NEW bytes"), journal = content_of(journal_path);
    put(path, torn);
    for (std::size_t size = 0; size < journal.size(); ++size) {
        put(journal_path, journal.substr(0, size));
        mend(path);
        EXPECT_EQ(content_of(path), torn) << size;
    }
    put(journal_path, journal);
    mend(path);
    EXPECT_EQ(content_of(path), whole(after));
}

TEST_F(BegunWrite, is_not_seen_in_another_file) {
    for (const std::string& other : {whole("another.."), whole("NEW other"), whole("old BYTES"), std::string("short"), std::string()}) {
        put(path, other);
        mend(path);
        EXPECT_EQ(content_of(path), other);
    }
}

TEST_F(BegunWrite, waits_while_the_writer_is_at_work_and_is_completed_by_the_next_one) {
    {
        Journal journal(path);
        EXPECT_TRUE(journal.note(10, std::as_bytes(std::span(before)), std::as_bytes(std::span(after))));
        put(path, whole("NEW bytes"));
        mend(path);
        EXPECT_EQ(content_of(path), whole("NEW bytes"));
        EXPECT_THROW(Journal{path}, IoError);
        journal.keep();
    }
    { const Journal next(path); }
    EXPECT_EQ(content_of(path), whole(after));
    EXPECT_FALSE(std::filesystem::exists(journal_path));
}

}  // namespace
}  // namespace talus::record::testing
