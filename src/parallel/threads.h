#pragma once
/// \file
/// Work shared among threads, with results that do not depend on how many there are.
///
/// Work comes in tasks or in chunks of a range. What a chunk is depends on the range and on the size asked for,
/// never on the number of threads. A thread begins with those that it had in other calls over such a range, which its
/// cache may still hold, and then helps others out, so that a slow thread holds up no other. Whoever writes only where
/// its chunk says, and sums through `reduce`, gets the same bits from any number of threads. The threads are those of
/// oneTBB, which no header shows.
///
/// The caller works as well and does not wait for threads that have not woken up: on a busy machine a call costs
/// little more than doing the work alone. A call from within a call works alone.

#include <array>
#include <cstddef>
#include <memory>
#include <type_traits>
#include <utility>

namespace talus {

/// Refers to a callable f(begin, end) without owning or allocating.
class RangeRef {
public:
    template <class F>
        requires(!std::is_same_v<std::remove_cv_t<F>, RangeRef>)
    explicit RangeRef(F& f)
        : object_(const_cast<void*>(static_cast<const void*>(&f))),
          call_([](void* object, std::size_t begin, std::size_t end) { (*static_cast<F*>(object))(begin, end); }) {}
    void operator()(std::size_t begin, std::size_t end) const { call_(object_, begin, end); }

private:
    void* object_;
    void (*call_)(void*, std::size_t, std::size_t);
};

class Threads {
public:
    /// \throws InputError when `count` < 1.
    explicit Threads(int count = 1);

    [[nodiscard]] int count() const { return count_; }

    /// f(begin, end) for consecutive chunks of [0, n), each but the last of `chunk` elements. With one thread or one
    /// chunk they are called here, in order. An exception in f comes out: that of the first chunk that throws.
    template <class F>
    void for_chunks(std::size_t n, std::size_t chunk, F&& f) const {
        if (count_ > 1 && n > chunk) return run(n, chunk, RangeRef(f));
        for (std::size_t begin = 0; begin < n; begin += chunk) f(begin, n - begin < chunk ? n : begin + chunk);
    }

    /// f(k) for k in [0, n); each should be worth some microseconds.
    template <class F>
    void for_tasks(std::size_t n, F&& f) const {
        for_chunks(n, 1, [&f](std::size_t k, std::size_t) { f(k); });
    }

    /// combine(... combine(combine(start, f(chunk 0)), f(chunk 1)) ...), f(begin, end) giving a T: the same bits for
    /// any number of threads.
    template <class T, class F, class Combine>
    [[nodiscard]] T reduce(std::size_t n, std::size_t chunk, T start, F&& f, Combine&& combine) const {
        std::array<T, reduce_batch> part;
        const std::size_t stride = chunk * reduce_batch;
        for (std::size_t first = 0; first < n; first += stride) {
            const std::size_t size = n - first < stride ? n - first : stride;
            for_chunks(size, chunk, [&](std::size_t begin, std::size_t end) { part[begin / chunk] = f(first + begin, first + end); });
            for (std::size_t k = 0; k * chunk < size; ++k) start = combine(std::move(start), part[k]);
        }
        return start;
    }

private:
    struct Team;
    static constexpr std::size_t reduce_batch = 64;  ///< partial results held at a time, on the stack

    void run(std::size_t n, std::size_t chunk, RangeRef f) const;

    int count_ = 1;
    std::shared_ptr<Team> team_;   ///< none for one thread
};

/// Where nothing says otherwise: one thread.
[[nodiscard]] const Threads& one_thread();

/// The threads pointed to, or one.
[[nodiscard]] inline const Threads& or_one(const Threads* threads) { return threads ? *threads : one_thread(); }

/// Processors that this process may run on: those of its affinity mask, at least one.
[[nodiscard]] int available_processors();

}  // namespace talus
