/// Work shared among threads: every piece once, the same bits for any number of threads.
#include "parallel/threads.h"

#include <gtest/gtest.h>

#include <atomic>
#include <mutex>
#include <set>
#include <stdexcept>
#include <thread>
#include <vector>

#include "talus/error.h"

namespace talus {
namespace {

class ThreadsTest : public testing::TestWithParam<int> {};

TEST_P(ThreadsTest, EveryElementIsVisitedOnceWhateverTheChunk) {
    const Threads threads(GetParam());
    for (const std::size_t n : {0u, 1u, 2u, 99u, 100u, 101u, 5000u})
        for (const std::size_t chunk : {1u, 7u, 100u}) {
            std::vector<int> visits(n, 0);
            threads.for_chunks(n, chunk, [&](std::size_t begin, std::size_t end) {
                for (std::size_t k = begin; k < end; ++k) ++visits[k];
            });
            EXPECT_EQ(visits, std::vector<int>(n, 1)) << n << " by " << chunk;
        }
}

TEST_P(ThreadsTest, ChunksAreThoseOfOneThread) {
    std::mutex mutex;
    std::set<std::pair<std::size_t, std::size_t>> alone, shared;
    const auto keep = [&mutex](auto& chunks) {
        return [&](std::size_t begin, std::size_t end) {
            const std::lock_guard lock(mutex);
            chunks.emplace(begin, end);
        };
    };
    Threads(1).for_chunks(1003, 10, keep(alone));
    Threads(GetParam()).for_chunks(1003, 10, keep(shared));
    EXPECT_EQ(alone, shared);
    EXPECT_EQ(alone.size(), 101u);
    EXPECT_TRUE(alone.contains({1000, 1003}));
}

TEST_P(ThreadsTest, TasksAreCalledOnceEach) {
    std::vector<std::atomic<int>> calls(300);
    Threads(GetParam()).for_tasks(calls.size(), [&](std::size_t k) { ++calls[k]; });
    for (const auto& c : calls) EXPECT_EQ(c, 1);
}

/// A sum of numbers of very different sizes: any other order gives other last bits.
TEST_P(ThreadsTest, ASumHasTheSameBits) {
    std::vector<double> x(100000);
    double value = 0.3;
    for (double& v : x) {
        value = 3.99 * value * (1.0 - value);
        v = value * value * value * 1e3 - 1e-7 / (value + 1e-3);
    }
    const auto sum = [&](const Threads& threads, std::size_t chunk) {
        return threads.reduce(
            x.size(), chunk, 0.0,
            [&](std::size_t begin, std::size_t end) {
                double s = 0.0;
                for (std::size_t k = begin; k < end; ++k) s += x[k];
                return s;
            },
            [](double a, double b) { return a + b; });
    };
    // 10: more chunks than are held at a time.
    for (const std::size_t chunk : {10u, 1000u, 1000000u}) EXPECT_EQ(sum(Threads(GetParam()), chunk), sum(one_thread(), chunk)) << chunk;
    EXPECT_NE(sum(one_thread(), 10), sum(one_thread(), 1000)) << "a sum that no order changes shows nothing";
}

TEST_P(ThreadsTest, AReductionKeepsTheOrderOfTheChunks) {
    const auto join = [](std::vector<std::size_t> a, const std::vector<std::size_t>& b) {
        a.insert(a.end(), b.begin(), b.end());
        return a;
    };
    const auto begins = Threads(GetParam()).reduce(
        1000, 3, std::vector<std::size_t>{},
        [](std::size_t begin, std::size_t) { return std::vector<std::size_t>{begin}; }, join);
    ASSERT_EQ(begins.size(), 334u);
    for (std::size_t k = 0; k < begins.size(); ++k) EXPECT_EQ(begins[k], 3 * k);
}

TEST_P(ThreadsTest, TheFirstExceptionComesOut) {
    const Threads threads(GetParam());
    for (int repeat = 0; repeat < 50; ++repeat) {
        try {
            threads.for_tasks(64, [](std::size_t k) {
                if (k >= 17) throw std::runtime_error(std::to_string(k));
            });
            FAIL() << "nothing was thrown";
        } catch (const std::runtime_error& e) {
            EXPECT_STREQ(e.what(), "17");
        }
    }
    std::atomic<int> calls = 0;
    threads.for_tasks(10, [&](std::size_t) { ++calls; });
    EXPECT_EQ(calls, 10) << "the threads work on after an exception";
}

TEST_P(ThreadsTest, CallsNest) {
    const Threads threads(GetParam());
    std::vector<std::atomic<int>> calls(8 * 50);
    threads.for_tasks(8, [&](std::size_t i) { threads.for_tasks(50, [&, i](std::size_t j) { ++calls[50 * i + j]; }); });
    for (const auto& c : calls) EXPECT_EQ(c, 1);
}

INSTANTIATE_TEST_SUITE_P(Counts, ThreadsTest, testing::Values(1, 2, 3, 8));

TEST(Threads, OneThreadWorksWhereItIsCalled) {
    const Threads threads;
    EXPECT_EQ(threads.count(), 1);
    std::vector<std::size_t> order;
    threads.for_tasks(5, [&, here = std::this_thread::get_id()](std::size_t k) {
        EXPECT_EQ(std::this_thread::get_id(), here);
        order.push_back(k);
    });
    EXPECT_EQ(order, (std::vector<std::size_t>{0, 1, 2, 3, 4}));
}

/// Tasks that wait for each other end only if as many run at once as there are threads, more than processors included.
TEST(Threads, AsManyRunAtOnceAsAskedFor) {
    constexpr int count = 8;
    std::atomic<int> arrived = 0;
    Threads(count).for_tasks(count, [&](std::size_t) {
        ++arrived;
        while (arrived < count) std::this_thread::yield();
    });
    EXPECT_EQ(arrived, count);
}

TEST(Threads, FewerThanOneAreRefused) {
    EXPECT_THROW(Threads(0), InputError);
    EXPECT_THROW(Threads(-2), InputError);
}

TEST(Threads, ThereIsAProcessor) { EXPECT_GE(available_processors(), 1); }

}  // namespace
}  // namespace talus
