#include "view/columns.h"

#include <zlib.h>

#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <map>
#include <stdexcept>

namespace talus::view {

namespace {

using Whole = std::int32_t;

// Whole numbers that stand for what a multiple of a step cannot say.
constexpr Whole kNaN = std::numeric_limits<Whole>::min();
constexpr Whole kMost = std::numeric_limits<Whole>::max() / 2;   // differences of two of these still fit

template <class T>
void put(std::string& out, T value) {
    char bytes[sizeof(T)];
    std::memcpy(bytes, &value, sizeof(T));
    out.append(bytes, sizeof(T));
}

Whole linear(double value, double step) {
    if (std::isnan(value)) return kNaN;
    const double k = std::nearbyint(value / step);
    if (k >= kMost) return kMost;
    return k <= -kMost ? -kMost : static_cast<Whole>(k);
}

/// Upper half of the float nearest to the value, rounded to nearest.
Whole brief(double value) {
    const auto bits = std::bit_cast<std::uint32_t>(static_cast<float>(value));
    const bool is_special = (bits & 0x7f800000u) == 0x7f800000u;
    const std::uint32_t upper = is_special ? (bits >> 16) | ((bits & 0x7fffffu) ? 0x40u : 0u) : (bits + 0x8000u) >> 16;
    // Sign apart, so that numbers near zero on both sides are near each other.
    const auto magnitude = static_cast<Whole>(upper & 0x7fffu);
    return (upper & 0x8000u) ? -magnitude - 1 : magnitude;
}

std::uint32_t zigzag(Whole value) {
    const auto bits = static_cast<std::uint32_t>(value);
    return (bits << 1) ^ (value < 0 ? 0xffffffffu : 0u);
}

/// For every body of a frame, its place in the frame before; -1: it is new.
std::vector<std::ptrdiff_t> places_before(const FrameColumns& now, const FrameColumns* before) {
    std::vector<std::ptrdiff_t> places(now.ids.size(), -1);
    if (!before) return places;
    std::size_t j = 0;
    for (std::size_t i = 0; i < now.ids.size(); ++i) {   // ids increase in both
        while (j < before->ids.size() && before->ids[j] < now.ids[i]) ++j;
        if (j < before->ids.size() && before->ids[j] == now.ids[i]) places[i] = static_cast<std::ptrdiff_t>(j);
    }
    return places;
}

std::vector<Whole> wholes_of(const Column& column) {
    std::vector<Whole> wholes(column.values.size());
    for (std::size_t i = 0; i < wholes.size(); ++i)
        wholes[i] = column.form.encoding == Encoding::linear ? linear(column.values[i], column.form.step) : brief(column.values[i]);
    return wholes;
}

/// Differences wrap around: the reader adds in the same 32 bits.
Whole minus(Whole a, Whole b) { return static_cast<Whole>(static_cast<std::uint32_t>(a) - static_cast<std::uint32_t>(b)); }

/// Writes blocks; remembers the whole numbers of the frame before.
class Encoder {
public:
    void frame(std::string& out, const FrameColumns& frame) {
        const auto places = places_before(frame, before_);
        put(out, frame.number);
        put(out, frame.bodies);
        put(out, frame.contacts);
        put(out, frame.sums);
        put(out, static_cast<std::uint16_t>(frame.columns.size()));
        std::map<std::string, std::vector<Whole>> stored;
        for (const Column& column : frame.columns) {
            head(out, column);
            if (column.form.encoding == Encoding::real) reals(out, column);
            else stored[column.name] = planes(out, column, places);
        }
        before_ = &frame;
        wholes_ = std::move(stored);
    }

private:
    static void head(std::string& out, const Column& column) {
        put(out, static_cast<std::uint8_t>(column.name.size()));
        out += column.name;
        put(out, column.owner);
        put(out, static_cast<std::uint8_t>(column.components));
        put(out, column.form.encoding);
        put(out, column.form.prediction);
        put(out, column.form.step);
    }

    static void reals(std::string& out, const Column& column) {
        const auto n = static_cast<std::size_t>(column.components);
        for (std::size_t c = 0; c < n; ++c)
            for (std::size_t i = c; i < column.values.size(); i += n) put(out, static_cast<float>(column.values[i]));
    }

    std::vector<Whole> planes(std::string& out, const Column& column, const std::vector<std::ptrdiff_t>& places) const {
        auto wholes = wholes_of(column);
        const auto n = static_cast<std::size_t>(column.components), rows = wholes.size() / n;
        const auto known = wholes_.find(column.name);
        const std::vector<Whole>* past = known == wholes_.end() ? nullptr : &known->second;
        std::vector<std::uint32_t> folded(rows);
        for (std::size_t c = 0; c < n; ++c) {
            for (std::size_t i = 0; i < rows; ++i) {
                Whole guess = 0;
                if (column.form.prediction == Prediction::along && i > 0) guess = wholes[(i - 1) * n + c];
                if (column.form.prediction == Prediction::before && past && places[i] >= 0)
                    guess = (*past)[static_cast<std::size_t>(places[i]) * n + c];
                folded[i] = zigzag(minus(wholes[i * n + c], guess));
            }
            for (int plane = 0; plane < 4; ++plane)
                for (const std::uint32_t value : folded) out += static_cast<char>((value >> (8 * plane)) & 0xffu);
        }
        return wholes;
    }

    const FrameColumns* before_ = nullptr;
    std::map<std::string, std::vector<Whole>> wholes_;
};

}  // namespace

std::string encode_block(const std::vector<FrameColumns>& frames) {
    std::string out = "TLF1";
    put(out, static_cast<std::uint32_t>(frames.size()));
    Encoder encoder;
    for (const FrameColumns& frame : frames) encoder.frame(out, frame);
    return out;
}

std::string deflate(const std::string& bytes, int level) {
    uLongf size = compressBound(bytes.size());
    std::string out(size, '\0');
    if (compress2(reinterpret_cast<Bytef*>(out.data()), &size, reinterpret_cast<const Bytef*>(bytes.data()), bytes.size(), level) != Z_OK)
        throw std::bad_alloc();   // the only way it fails with room enough
    out.resize(size);
    return out;
}

std::string to_base64(const std::string& bytes) {
    static constexpr char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    std::string out;
    out.reserve((bytes.size() + 2) / 3 * 4);
    for (std::size_t i = 0; i < bytes.size(); i += 3) {
        const std::size_t left = bytes.size() - i;
        const auto at = [&](std::size_t k) { return k < left ? static_cast<unsigned char>(bytes[i + k]) : 0u; };
        const unsigned word = (at(0) << 16) | (at(1) << 8) | at(2);
        out += digits[word >> 18];
        out += digits[(word >> 12) & 63u];
        out += left > 1 ? digits[(word >> 6) & 63u] : '=';
        out += left > 2 ? digits[word & 63u] : '=';
    }
    return out;
}

}  // namespace talus::view
