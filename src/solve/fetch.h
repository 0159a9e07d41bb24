#pragma once
/// \file
/// Asking for what a kernel will work on soon.

#include <cstddef>
#include <cstdint>

namespace talus {
namespace {

/// An element that may lie beyond the end: nothing is read.
template <class Element>
[[gnu::always_inline]] inline void fetch_element(const Element* first, std::size_t k) {
    constexpr std::size_t line = 64;
    const auto at = reinterpret_cast<std::uintptr_t>(first) + k * sizeof(Element);
    for (std::size_t x = 0; x < sizeof(Element); x += line) __builtin_prefetch(reinterpret_cast<const void*>(at + x), 1);
}

}  // namespace
}  // namespace talus
