#pragma once
/// \file
/// An array whose elements all have one value, as a rule: it takes memory from the first on that has another.

#include <cstddef>
#include <vector>

namespace talus {

template <class T>
class UniformArray {
public:
    explicit UniformArray(const T& usual) : usual_(usual) {}

    [[nodiscard]] std::size_t size() const { return size_; }
    [[nodiscard]] std::size_t capacity() const { return all_.capacity(); }
    [[nodiscard]] const T& operator[](std::size_t i) const { return all_.empty() ? usual_ : all_[i]; }

    void set(std::size_t i, const T& value) {
        if (all_.empty() && value == usual_) return;
        spread();
        all_[i] = value;
    }
    void push_back(const T& value) {
        resize(size_ + 1);
        set(size_ - 1, value);
    }
    void resize(std::size_t n) {
        if (!all_.empty()) all_.resize(n, usual_);
        size_ = n;
    }
    void clear() {
        all_.clear();
        size_ = 0;
    }
    void reserve(std::size_t n) {
        if (!all_.empty()) all_.reserve(n);
    }

private:
    void spread() {
        if (all_.empty()) all_.assign(size_, usual_);
    }

    T usual_;
    std::size_t size_ = 0;
    std::vector<T> all_;   ///< empty while all are usual
};

}  // namespace talus
