#pragma once
/// \file
/// Balls laid side by side, component by component, of which those near a ball are wanted: a loop without branches that compilers make into
/// vector instructions.

#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#include <vector>

namespace talus {

template <int Dim>
class Surroundings {
public:
    void clear() { size_ = 0; }
    /// Where `more` balls that are added are to be written.
    struct Added {
        std::array<float*, Dim> x;
        float* r;
        std::int32_t* name;
    };
    Added add(std::size_t more) {
        const std::size_t at = size_;
        size_ += more;
        if (size_ + at_a_time > r_.size()) grow(2 * size_ + at_a_time);
        Added added{{}, r_.data() + at, name_.data() + at};
        for (int k = 0; k < Dim; ++k) added.x[k] = x_[k].data() + at;
        return added;
    }
    [[nodiscard]] std::int32_t name(std::size_t k) const { return name_[k]; }
    /// Marks the balls that overlap one, from `first` or a few before it on.
    void compare(const std::array<float, Dim>& x, float r, std::size_t first);
    /// All are marked.
    void mark_all();
    /// Calls f(k) for the marked balls from `first` or a few before it on.
    template <class F>
    void for_each_near(std::size_t first, F&& f) const {
        constexpr std::size_t bytes = sizeof(std::uint64_t);
        for (std::size_t k = first / at_a_time * at_a_time; k < size_; k += bytes) {
            std::uint64_t word;
            std::memcpy(&word, is_near_.data() + k, bytes);
            while (word != 0) {
                const int zeros = std::endian::native == std::endian::little ? std::countr_zero(word) : std::countl_zero(word);
                f(k + static_cast<std::size_t>(zeros) / 8);
                word &= ~(std::uint64_t{0xff} << (std::endian::native == std::endian::little ? zeros / 8 * 8 : 56 - zeros / 8 * 8));
            }
        }
    }

private:
    static constexpr std::size_t at_a_time = 16;
    void grow(std::size_t n);

    std::array<std::vector<float>, Dim> x_;
    std::vector<float> r_;
    std::vector<std::int32_t> name_;
    std::vector<std::uint8_t> is_near_;   ///< 1 or 0
    std::size_t size_ = 0;
};

}  // namespace talus
