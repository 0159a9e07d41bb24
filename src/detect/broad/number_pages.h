#pragma once
/// \file
/// Numbers that tasks find side by side, each task as many as there are: they write them into pages of common memory, so that nobody has to
/// know beforehand how many there will be, nor to hold room for twice as many.
///
/// Which task gets which page depends on the threads; what a task has written, and in which order, does not.

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

namespace talus {

struct NumberPage {
    static constexpr std::int32_t size = 254;   ///< with the link: a kilobyte
    NumberPage* next;
    std::int32_t number[size];
};

class NumberPages {
public:
    NumberPages() = default;
    /// A copy starts empty: pages last as long as a search.
    NumberPages(const NumberPages&) {}
    NumberPages& operator=(const NumberPages&) { return *this; }

    /// Memory that is there for pages until they are closed.
    void open(std::span<std::byte> memory, std::span<std::byte> more = {});
    /// Gives back what was asked for beyond that memory.
    void close();
    /// A page; may be called by several threads at the same time.
    [[nodiscard]] NumberPage* take();

    /// Memory for as many numbers as the last time that pages were opened and closed, and some more [byte].
    [[nodiscard]] std::size_t expected_bytes() const { return (last_ + last_ / 64 + 2) * sizeof(NumberPage); }

private:
    static constexpr std::size_t slab = 256;    ///< pages asked for at a time where memory does not do
    struct Part {
        NumberPage* first = nullptr;
        std::size_t size = 0;
    };
    Part parts_[2];
    std::atomic<std::size_t> taken_ = 0;
    std::size_t last_ = 0;
    std::mutex asking_;
    std::vector<std::unique_ptr<NumberPage[]>> slabs_;
    std::size_t used_of_last_ = 0;              ///< pages of the last slab
};

/// What one task writes. Plain, so that it may lie in arrays that are used again; the pages hold the numbers.
struct NumberStream {
    NumberPage* first = nullptr;
    NumberPage* last = nullptr;
    std::int32_t in_last = NumberPage::size;

    void add(NumberPages& pages, std::int32_t x) {
        if (in_last == NumberPage::size) turn(pages);
        last->number[in_last++] = x;
    }
    template <class F>
    void for_each(F&& f) const {
        for (const NumberPage* page = first; page != nullptr; page = page->next) {
            const std::int32_t end = page == last ? in_last : NumberPage::size;
            for (std::int32_t k = 0; k < end; ++k) f(page->number[k]);
        }
    }

private:
    void turn(NumberPages& pages);
};

}  // namespace talus
