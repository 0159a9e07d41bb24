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

/// Writes blocks; remembers the whole numbers of the frame before, and what they were heading for.
class Encoder {
public:
    void frame(std::string& out, const FrameColumns& frame) {
        const auto places = places_before(frame, before_);
        put(out, frame.number);
        put(out, frame.bodies);
        put(out, frame.contacts);
        put(out, frame.sums);
        put(out, static_cast<std::uint16_t>(frame.columns.size()));
        std::map<std::string, Past> stored;
        for (const Column& column : frame.columns) {
            head(out, column);
            if (column.form.encoding == Encoding::real) reals(out, column);
            else stored[column.name] = planes(out, column, places);
        }
        before_ = &frame;
        past_ = std::move(stored);
    }

private:
    /// What a column predicts the next frame from: its numbers, and where they are heading.
    struct Past {
        std::vector<Whole> wholes, onward;
    };

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

    Past planes(std::string& out, const Column& column, const std::vector<std::ptrdiff_t>& places) const {
        const auto wholes = wholes_of(column);
        const auto n = static_cast<std::size_t>(column.components), rows = wholes.size() / n;
        const Prediction prediction = column.form.prediction;
        const auto known = past_.find(column.name);
        const Past* past = known == past_.end() ? nullptr : &known->second;
        Past now{wholes, prediction == Prediction::onward ? wholes : std::vector<Whole>{}};
        std::vector<std::uint32_t> folded(rows);
        for (std::size_t c = 0; c < n; ++c) {
            for (std::size_t i = 0; i < rows; ++i) {
                const std::size_t at = i * n + c;
                Whole guess = 0;
                if (prediction == Prediction::along && i > 0) guess = wholes[at - n];
                if (prediction >= Prediction::before && past && places[i] >= 0) {
                    const std::size_t old = static_cast<std::size_t>(places[i]) * n + c;
                    guess = prediction == Prediction::onward ? past->onward[old] : past->wholes[old];
                    if (prediction == Prediction::onward) now.onward[at] = minus(wholes[at], minus(past->wholes[old], wholes[at]));
                }
                folded[i] = zigzag(minus(wholes[at], guess));
            }
            put_planes(out, folded);
        }
        return now;
    }

    static void put_planes(std::string& out, const std::vector<std::uint32_t>& words) {
        std::size_t at = out.size();
        out.resize(at + 4 * words.size());
        for (int plane = 0; plane < 4; ++plane)
            for (const std::uint32_t word : words) out[at++] = static_cast<char>((word >> (8 * plane)) & 0xffu);
    }

    const FrameColumns* before_ = nullptr;
    std::map<std::string, Past> past_;
};

}  // namespace

std::string encode_block(const std::vector<FrameColumns>& frames) {
    std::string out = "TLF1";
    put(out, static_cast<std::uint32_t>(frames.size()));
    Encoder encoder;
    for (const FrameColumns& frame : frames) encoder.frame(out, frame);
    return out;
}

std::string deflate(const std::string& bytes) {
    constexpr int kLevel = 6, kWindow = 15, kMemory = 8;   // zlib's own defaults
    z_stream stream{};
    if (deflateInit2(&stream, kLevel, Z_DEFLATED, kWindow, kMemory, Z_RLE) != Z_OK) throw std::bad_alloc();
    std::string out(deflateBound(&stream, bytes.size()), '\0');
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));   // zlib only reads it
    stream.avail_in = static_cast<uInt>(bytes.size());
    stream.next_out = reinterpret_cast<Bytef*>(out.data());
    stream.avail_out = static_cast<uInt>(out.size());
    const int status = ::deflate(&stream, Z_FINISH);
    out.resize(stream.total_out);
    deflateEnd(&stream);
    if (status != Z_STREAM_END) throw std::bad_alloc();   // the only way it fails with room enough
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
