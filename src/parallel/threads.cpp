#include "parallel/threads.h"

#include <sched.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <exception>
#include <limits>
#include <mutex>
#include <string>
#include <thread>

#include <oneapi/tbb/global_control.h>
#include <oneapi/tbb/task_arena.h>

#include "talus/error.h"

namespace talus {
namespace {

constexpr std::size_t most_threads = 4096;

/// One call of `run`: chunks by the thread that should do them, and the first failure.
///
/// Each thread has a run of chunks of its own, the same one in every call over the same range in chunks of the same size, so that it finds in its cache what it
/// worked on before. Who has done its own takes from the ends of those of others.
class Share {
public:
    Share(std::size_t n, std::size_t chunk, int threads, RangeRef f)
        : n_(n), chunk_(chunk), chunks_((n + chunk - 1) / chunk),
          runs_(std::min({chunks_, static_cast<std::size_t>(threads), most_runs})), f_(f) {
        for (std::size_t r = 0; r < runs_; ++r)
            left_[r].store({static_cast<std::uint32_t>(r * chunks_ / runs_), static_cast<std::uint32_t>((r + 1) * chunks_ / runs_)},
                           std::memory_order_relaxed);
    }

    [[nodiscard]] std::size_t chunks() const { return chunks_; }

    /// Takes chunks until none is left; `thread` has a number of its own. \returns whether there was one to take.
    bool work(int thread) noexcept {
        const std::size_t own = static_cast<std::size_t>(thread) % runs_;
        bool worked = false;
        for (std::size_t k = 0; k < runs_; ++k)
            for (std::size_t taken; take((own + k) % runs_, k == 0, taken);) {
                worked = true;
                do_chunk(taken);
            }
        return worked;
    }

    void rethrow() const {
        if (failure_) std::rethrow_exception(failure_);
    }

private:
    static constexpr std::size_t most_runs = 16;
    struct Left {
        std::uint32_t begin = 0, end = 0;
    };

    bool take(std::size_t run, bool from_the_front, std::size_t& taken) {
        Left left = left_[run].load(std::memory_order_relaxed), then;
        do {
            if (left.begin == left.end) return false;
            then = from_the_front ? Left{left.begin + 1, left.end} : Left{left.begin, left.end - 1};
        } while (!left_[run].compare_exchange_weak(left, then, std::memory_order_relaxed));
        taken = from_the_front ? left.begin : left.end - 1;
        return true;
    }

    /// After a failure only chunks before it are done, so that the failure that is kept is that of the lowest chunk, whatever the timing.
    void do_chunk(std::size_t k) noexcept {
        if (k > failed_.load(std::memory_order_relaxed)) return;
        try {
            f_(k * chunk_, std::min(n_, (k + 1) * chunk_));
        } catch (...) {
            const std::lock_guard lock(mutex_);
            if (k < failed_.load(std::memory_order_relaxed)) {
                failed_.store(k, std::memory_order_relaxed);
                failure_ = std::current_exception();
            }
        }
    }

    struct alignas(64) Run : std::atomic<Left> {};
    std::size_t n_, chunk_, chunks_, runs_;
    RangeRef f_;
    std::array<Run, most_runs> left_;
    std::atomic<std::size_t> failed_{std::numeric_limits<std::size_t>::max()};
    std::mutex mutex_;
    std::exception_ptr failure_;
};

}  // namespace

/// The helpers of a caller. One that has worked looks out for the next call for a while before it goes back to oneTBB,
/// so that calls in close succession, as the phases of a sweep are, cost far less than waking a thread.
struct Threads::Team {
    explicit Team(int count) : helpers(count - 1), patience(count <= available_processors() ? 1 << 16 : 1 << 8), arena(count) {
        // oneTBB starts no more threads than there are processors unless told to; of several limits the lowest holds.
        if (count > tbb::this_task_arena::max_concurrency())
            static const tbb::global_control more(tbb::global_control::max_allowed_parallelism, most_threads);
    }
    ~Team() {
        stop = true;
        while (present.load() > 0) std::this_thread::yield();
    }

    void run(Share& share) {
        // A call from within a call, or from a second thread: the helpers are taken.
        if (busy.exchange(true, std::memory_order_acquire)) {
            share.work(0);
            return;
        }
        job.store(&share);
        const int wanted = static_cast<int>(std::min<std::size_t>(static_cast<std::size_t>(helpers), share.chunks() - 1));
        for (int here = present.load(std::memory_order_relaxed); here < wanted; ++here) {
            present.fetch_add(1);
            arena.enqueue([this] { help(); });
        }
        share.work(0);
        job.store(nullptr);
        // Helpers that have entered hold a chunk or are about to find that none is left.
        for (int turn = 0; active.load() > 0; ++turn) pause(turn);
        busy.store(false, std::memory_order_release);
    }

private:
    /// Both sides use the order that all threads agree on: either the caller sees the helper as active and waits, or the
    /// helper sees that the job is gone.
    void help() noexcept {
        using Clock = std::chrono::steady_clock;
        auto until = Clock::now() + look_out;
        const int number = tbb::this_task_arena::current_thread_index();   // 1 and more: the caller's place stays free
        for (int turn = 0; !stop.load(std::memory_order_relaxed); ++turn) {
            if (job.load(std::memory_order_relaxed) != nullptr) {
                active.fetch_add(1);
                Share* share = job.load();
                const bool worked = share != nullptr && share->work(number);
                active.fetch_sub(1);
                if (worked) {
                    until = Clock::now() + look_out;
                    turn = 0;
                    continue;
                }
            }
            if (turn % 16 == 15 && Clock::now() > until) break;
            pause(turn);
        }
        present.fetch_sub(1);
    }

    /// Waits a moment; gives the processor away once it has taken long. With a processor for every thread that is some
    /// milliseconds: on a busy machine whoever gets it keeps it for as long.
    void pause(int turn) const {
        if (turn >= patience) return std::this_thread::yield();
#ifdef __x86_64__
        __builtin_ia32_pause();
#endif
    }

    static constexpr std::chrono::microseconds look_out{1000};

    int helpers;
    int patience;   ///< turns before a thread gives its processor away
    std::atomic<bool> busy{false}, stop{false};
    std::atomic<int> present{0};  ///< helpers asked for and not gone yet
    alignas(64) std::atomic<Share*> job{nullptr};
    alignas(64) std::atomic<int> active{0};
    tbb::task_arena arena;
};

Threads::Threads(int count) : count_(count) {
    if (count < 1) throw InputError("the number of threads must be at least 1, not " + std::to_string(count));
    if (count > 1) team_ = std::make_shared<Team>(count);
}

void Threads::run(std::size_t n, std::size_t chunk, RangeRef f) const {
    Share share(n, chunk, count_, f);
    team_->run(share);
    share.rethrow();
}

const Threads& one_thread() {
    static const Threads one(1);
    return one;
}

int available_processors() {
    cpu_set_t mask;
    CPU_ZERO(&mask);
    if (sched_getaffinity(0, sizeof mask, &mask) != 0) return 1;
    return std::max(1, CPU_COUNT(&mask));
}

}  // namespace talus
