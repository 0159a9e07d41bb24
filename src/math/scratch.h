#pragma once
/// \file
/// Memory that parts of a step use one after the other, each for arrays of its own.

#include <algorithm>
#include <cstddef>
#include <memory>
#include <new>
#include <span>
#include <tuple>

namespace talus {

/// Holds plain values only: nothing is constructed or destroyed. A copy starts empty, as what is in it matters to nobody but the part
/// that put it there.
class Scratch {
public:
    Scratch() = default;
    Scratch(const Scratch&) {}
    Scratch& operator=(const Scratch&) { return *this; }
    Scratch(Scratch&&) noexcept = default;
    Scratch& operator=(Scratch&&) noexcept = default;
    ~Scratch() = default;

    /// An array in place of all that was there; its values are whatever the memory holds.
    template <class T>
    std::span<T> take(std::size_t n) {
        make_room(n * sizeof(T));
        return first<T>(n);
    }
    /// Several of the same length, to be named by decreasing alignment.
    template <class... T>
    std::tuple<std::span<T>...> take_several(std::size_t n) {
        make_room(n * (sizeof(T) + ...));
        std::byte* next = memory_.get();
        const auto one = [&]<class Each>(Each*) {
            std::byte* at = next;
            next += n * sizeof(Each);
            return std::span<Each>(reinterpret_cast<Each*>(at), n);
        };
        return std::tuple<std::span<T>...>{one(static_cast<T*>(nullptr))...};
    }
    /// The array that was taken last, once more.
    template <class T>
    [[nodiscard]] std::span<T> first(std::size_t n) const { return {reinterpret_cast<T*>(memory_.get()), n}; }

    [[nodiscard]] std::size_t bytes() const { return size_; }
    /// All of the memory, that which was not asked for included.
    [[nodiscard]] std::span<std::byte> whole() const { return {memory_.get(), size_}; }

private:
    static constexpr std::size_t line = 64;
    struct Free {
        void operator()(std::byte* p) const { ::operator delete[](p, std::align_val_t{line}); }
    };

    /// With a little to spare, as `resize_snugly`.
    void make_room(std::size_t bytes) {
        if (bytes <= size_) return;
        memory_.reset();
        size_ = 0;
        const std::size_t more = bytes + bytes / 64 + std::min<std::size_t>(bytes / 2, 8192);
        memory_.reset(static_cast<std::byte*>(::operator new[](more, std::align_val_t{line})));
        size_ = more;
    }

    std::unique_ptr<std::byte[], Free> memory_;
    std::size_t size_ = 0;
};

/// Arrays of several lengths and kinds of plain values, cut one after the other from memory that has room for them.
class Pieces {
public:
    explicit Pieces(std::span<std::byte> memory) : left_(memory) {}

    /// What an array of n takes, wherever it begins.
    template <class T>
    [[nodiscard]] static constexpr std::size_t bytes(std::size_t n) { return (n * sizeof(T) + line - 1) / line * line; }
    template <class T>
    std::span<T> cut(std::size_t n) {
        const std::span<T> piece(reinterpret_cast<T*>(left_.data()), n);
        left_ = left_.subspan(std::min(left_.size(), bytes<T>(n)));
        return piece;
    }
    /// What nobody has taken.
    [[nodiscard]] std::span<std::byte> left() const { return left_; }

private:
    static constexpr std::size_t line = 64;
    std::span<std::byte> left_;
};

}  // namespace talus
