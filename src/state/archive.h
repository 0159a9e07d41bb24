#pragma once
/// \file
/// Bytes out and bytes in: the plain format of checkpoints. Native little-endian layout, checked
/// for size on the way in; a version number is the business of the caller.

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "state/uniform_array.h"
#include "talus/error.h"
#include "talus/world.h"

namespace talus {

class ByteWriter {
public:
    /// Keeps all bytes for `take`.
    ByteWriter() = default;
    /// Hands them on piece by piece, the last one by `flush`: those of a million bodies are not to be held a second time.
    explicit ByteWriter(ByteSink sink) : sink_(std::move(sink)) { bytes_.reserve(piece); }
    template <class T>
        requires std::is_trivially_copyable_v<T>
    void put(const T& value) { add(reinterpret_cast<const std::byte*>(&value), sizeof(T)); }
    /// Arrays of numbers and of fixed-size Eigen vectors: contiguous, no pointers inside.
    template <class T>
    void put_array(std::span<const T> values) {
        put(static_cast<std::uint64_t>(values.size()));
        add(reinterpret_cast<const std::byte*>(values.data()), values.size_bytes());
    }
    template <class T>
    void put_array(const std::vector<T>& values) { put_array(std::span<const T>(values)); }
    /// The same from values that are made one by one.
    template <class F>
    void put_each(std::size_t n, F&& value) {
        put(static_cast<std::uint64_t>(n));
        for (std::size_t k = 0; k < n; ++k) {
            const auto one = value(k);
            add(reinterpret_cast<const std::byte*>(&one), sizeof(one));
        }
    }
    template <class T>
    void put_array(const UniformArray<T>& values) {
        put_each(values.size(), [&](std::size_t k) { return values[k]; });
    }
    void put_string(const std::string& text) { put_array(std::span<const char>(text)); }
    [[nodiscard]] std::vector<std::byte> take() { return std::move(bytes_); }
    void flush() {
        if (sink_ && !bytes_.empty()) sink_(bytes_);
        bytes_.clear();
    }

private:
    static constexpr std::size_t piece = 1 << 18;

    void add(const std::byte* p, std::size_t n) {
        while (sink_ && bytes_.size() + n >= piece) {
            const std::size_t now = piece - bytes_.size();
            bytes_.insert(bytes_.end(), p, p + now);
            flush();
            p += now;
            n -= now;
        }
        bytes_.insert(bytes_.end(), p, p + n);
    }

    ByteSink sink_;                  ///< none: all are kept
    std::vector<std::byte> bytes_;   ///< not handed on yet
};

class ByteReader {
public:
    explicit ByteReader(std::span<const std::byte> bytes) : bytes_(bytes) {}

    template <class T>
        requires std::is_trivially_copyable_v<T>
    [[nodiscard]] T get() {
        T value;
        std::memcpy(&value, take(sizeof(T)), sizeof(T));
        return value;
    }
    template <class T>
    void get_array(std::vector<T>& out) {
        const auto n = get<std::uint64_t>();
        if (n > (bytes_.size() - at_) / sizeof(T)) throw IoError("checkpoint is damaged: an array runs past its end");
        out.resize(n);
        if (n > 0) std::memcpy(static_cast<void*>(out.data()), take(n * sizeof(T)), n * sizeof(T));
    }
    template <class T>
    void get_array(UniformArray<T>& out) {
        std::vector<T> values;
        get_array(values);
        out.clear();
        for (const T& value : values) out.push_back(value);
    }
    [[nodiscard]] std::string get_string() {
        std::vector<char> text;
        get_array(text);
        return {text.begin(), text.end()};
    }
    [[nodiscard]] bool at_end() const { return at_ == bytes_.size(); }
    [[nodiscard]] std::span<const std::byte> rest() const { return bytes_.subspan(at_); }

private:
    const std::byte* take(std::size_t n) {
        if (n > bytes_.size() - at_) throw IoError("checkpoint is damaged: it ends too early");
        const std::byte* p = bytes_.data() + at_;
        at_ += n;
        return p;
    }
    std::span<const std::byte> bytes_;
    std::size_t at_ = 0;
};

}  // namespace talus
