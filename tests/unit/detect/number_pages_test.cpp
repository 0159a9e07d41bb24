// What tasks write into common pages comes out in the order in which each wrote it, whether the memory that was lent does or not; memory of the
// size that the last time needed does.
#include "detect/broad/number_pages.h"

#include <gtest/gtest.h>

#include "parallel/threads.h"

namespace talus::test {
namespace {

void write_and_read(NumberPages& pages, const Threads& threads) {
    constexpr std::size_t tasks = 50;
    std::vector<NumberStream> streams(tasks);
    const auto length = [](std::size_t task) { return static_cast<std::int32_t>(task * task); };
    threads.for_tasks(tasks, [&](std::size_t t) {
        for (std::int32_t k = 0; k < length(t); ++k) streams[t].add(pages, 1000 * static_cast<std::int32_t>(t) + k);
    });
    for (std::size_t t = 0; t < tasks; ++t) {
        std::int32_t k = 0;
        streams[t].for_each([&](std::int32_t x) { ASSERT_EQ(x, 1000 * static_cast<std::int32_t>(t) + k++); });
        EXPECT_EQ(k, length(t));
    }
}

TEST(NumberPages, GiveBackWhatEachTaskWrote) {
    for (const int count : {1, 4}) {
        const Threads threads(count);
        NumberPages pages;
        std::vector<NumberPage> one(7), other(3);
        pages.open(std::as_writable_bytes(std::span(one)), std::as_writable_bytes(std::span(other)));
        write_and_read(pages, threads);
        pages.close();
        std::vector<NumberPage> enough(pages.expected_bytes() / sizeof(NumberPage));
        EXPECT_GT(enough.size(), 150u);   // 40 425 numbers
        EXPECT_LT(enough.size(), 250u);
        pages.open(std::as_writable_bytes(std::span(enough)));
        write_and_read(pages, threads);
        pages.close();
    }
}

}  // namespace
}  // namespace talus::test
