#include "detect/broad/number_pages.h"

namespace talus {

void NumberPages::open(std::span<std::byte> memory, std::span<std::byte> more) {
    taken_ = 0;
    const auto pages_of = [](std::span<std::byte> m) { return Part{reinterpret_cast<NumberPage*>(m.data()), m.size() / sizeof(NumberPage)}; };
    parts_[0] = pages_of(memory);
    parts_[1] = pages_of(more);
}

void NumberPages::close() {
    last_ = taken_;
    parts_[0] = parts_[1] = {};
    slabs_.clear();
    used_of_last_ = 0;
}

NumberPage* NumberPages::take() {
    std::size_t k = taken_.fetch_add(1, std::memory_order_relaxed);
    for (const Part& part : parts_) {
        if (k < part.size) return part.first + k;
        k -= part.size;
    }
    const std::lock_guard lock(asking_);
    if (slabs_.empty() || used_of_last_ == slab) {
        slabs_.push_back(std::make_unique_for_overwrite<NumberPage[]>(slab));
        used_of_last_ = 0;
    }
    return slabs_.back().get() + used_of_last_++;
}

void NumberStream::turn(NumberPages& pages) {
    NumberPage* const page = pages.take();
    page->next = nullptr;
    (last != nullptr ? last->next : first) = page;
    last = page;
    in_last = 0;
}

}  // namespace talus
