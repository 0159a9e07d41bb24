#include "parallel/threads.h"

#include <sched.h>

#include <algorithm>
#include <atomic>
#include <exception>
#include <limits>
#include <mutex>
#include <optional>
#include <string>

#include <oneapi/tbb/global_control.h>
#include <oneapi/tbb/parallel_for.h>
#include <oneapi/tbb/task_arena.h>

#include "talus/error.h"

namespace talus {
namespace {

/// One call of `run`: the counter that chunks are taken from, and the first failure.
class Share {
public:
    Share(std::size_t n, std::size_t chunk, RangeRef f) : n_(n), chunk_(chunk), chunks_((n + chunk - 1) / chunk), f_(f) {}

    [[nodiscard]] std::size_t chunks() const { return chunks_; }

    /// Takes chunks until none is left. Chunks before a failed one have all been taken, so the failure that is kept is
    /// that of the lowest chunk, whatever the timing.
    void work() noexcept {
        for (std::size_t k = next_.fetch_add(1, std::memory_order_relaxed); k < chunks_;
             k = next_.fetch_add(1, std::memory_order_relaxed)) {
            try {
                f_(k * chunk_, std::min(n_, (k + 1) * chunk_));
            } catch (...) {
                const std::lock_guard lock(mutex_);
                if (k < failed_) {
                    failed_ = k;
                    failure_ = std::current_exception();
                }
                next_.store(chunks_, std::memory_order_relaxed);
            }
        }
    }

    void rethrow() const {
        if (failure_) std::rethrow_exception(failure_);
    }

private:
    std::size_t n_, chunk_, chunks_;
    RangeRef f_;
    alignas(64) std::atomic<std::size_t> next_{0};
    alignas(64) std::mutex mutex_;
    std::size_t failed_ = std::numeric_limits<std::size_t>::max();
    std::exception_ptr failure_;
};

}  // namespace

struct Threads::Arena {
    explicit Arena(int count) : arena(count) {
        // oneTBB starts no more threads than there are processors unless told to.
        if (count > tbb::this_task_arena::max_concurrency())
            more.emplace(tbb::global_control::max_allowed_parallelism, static_cast<std::size_t>(count));
    }
    std::optional<tbb::global_control> more;
    tbb::task_arena arena;
};

Threads::Threads(int count) : count_(count) {
    if (count < 1) throw InputError("the number of threads must be at least 1, not " + std::to_string(count));
    if (count > 1) arena_ = std::make_shared<Arena>(count);
}

void Threads::run(std::size_t n, std::size_t chunk, RangeRef f) const {
    Share share(n, chunk, f);
    const int workers = static_cast<int>(std::min<std::size_t>(static_cast<std::size_t>(count_), share.chunks()));
    arena_->arena.execute([&] {
        tbb::parallel_for(0, workers, [&](int) { share.work(); }, tbb::static_partitioner{});
    });
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
