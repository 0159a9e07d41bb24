#include "detect/broad/surroundings.h"

#include <algorithm>

namespace talus {

template <int Dim>
void Surroundings<Dim>::grow(std::size_t n) {
    for (auto& component : x_) component.resize(n);
    r_.resize(n);
    name_.resize(n);
    is_near_.resize(n);
}

template <int Dim>
void Surroundings<Dim>::compare(const std::array<float, Dim>& x, float r, std::size_t first) {
    std::array<const float*, Dim> other;
    for (int k = 0; k < Dim; ++k) other[k] = x_[k].data();
    const float* const radius = r_.data();
    for (std::size_t block = first / at_a_time * at_a_time; block < size_; block += at_a_time) {
        std::array<std::uint8_t, at_a_time> is_near;   // of its own: the compiler knows that nothing else is there
        for (std::size_t e = 0; e < at_a_time; ++e) {
            float square = (other[0][block + e] - x[0]) * (other[0][block + e] - x[0]);
            for (int k = 1; k < Dim; ++k) square += (other[k][block + e] - x[k]) * (other[k][block + e] - x[k]);
            is_near[e] = square <= (radius[block + e] + r) * (radius[block + e] + r);
        }
        std::memcpy(is_near_.data() + block, is_near.data(), at_a_time);
    }
    const std::size_t end = (size_ + at_a_time - 1) / at_a_time * at_a_time;
    std::fill(is_near_.data() + size_, is_near_.data() + end, std::uint8_t{0});
}

template <int Dim>
void Surroundings<Dim>::mark_all() {
    std::fill_n(is_near_.begin(), size_, std::uint8_t{1});
    std::fill_n(is_near_.begin() + static_cast<std::ptrdiff_t>(size_), at_a_time, std::uint8_t{0});
}

template class Surroundings<2>;
template class Surroundings<3>;

}  // namespace talus
