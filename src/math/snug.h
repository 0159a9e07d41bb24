#pragma once
/// \file
/// Large arrays whose size changes a little from step to step.

#include <algorithm>
#include <vector>

namespace talus {

/// Resizes with a little to spare where the array must grow; a vector by itself would double its memory for one more element. Small numbers
/// fluctuate more.
template <class T>
void resize_snugly(std::vector<T>& array, std::size_t n) {
    if (n > array.capacity()) {
        std::vector<T>().swap(array);
        array.reserve(n + n / 64 + std::min<std::size_t>(n / 2, 256));
    }
    array.resize(n);
}

}  // namespace talus
