#pragma once
/// \file
/// Large arrays whose size changes a little from step to step.

#include <vector>

namespace talus {

/// Resizes with an eighth to spare where the array must grow; a vector by itself would double its memory for one more element.
template <class T>
void resize_snugly(std::vector<T>& array, std::size_t n) {
    if (n > array.capacity()) {
        std::vector<T>().swap(array);
        array.reserve(n + n / 8);
    }
    array.resize(n);
}

}  // namespace talus
