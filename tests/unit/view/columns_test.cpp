// Frames packed for the browser come back: within half a step, within 1/256, or to the bit, as their form says.

#include "view/columns.h"

#include <gtest/gtest.h>
#include <zlib.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <map>

namespace talus::view {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr double infinity = std::numeric_limits<double>::infinity();

/// A reader of its own, written from the layout in columns.h as the page's was.
class Reader {
public:
    explicit Reader(const std::string& bytes) : bytes_(bytes) {}
    template <class T>
    T get() {
        T value{};
        std::memcpy(&value, bytes_.data() + at_, sizeof(T));
        at_ += sizeof(T);
        return value;
    }
    std::string text(std::size_t size) {
        at_ += size;
        return bytes_.substr(at_ - size, size);
    }
    [[nodiscard]] bool is_at_end() const { return at_ == bytes_.size(); }

private:
    const std::string& bytes_;
    std::size_t at_ = 0;
};

struct Read {
    std::vector<double> values;         // those of one row together
    std::vector<std::int32_t> wholes;
    std::size_t rows = 0;
};
using ReadFrame = std::map<std::string, Read>;

double from_brief(std::int32_t k) {
    const std::uint32_t upper = k < 0 ? static_cast<std::uint32_t>(-k - 1) | 0x8000u : static_cast<std::uint32_t>(k);
    return std::bit_cast<float>(upper << 16);
}

/// The whole numbers of a body in the frames before frame f, newest first, as long as it was there without a break.
std::vector<std::uint32_t> numbers_before(const std::vector<ReadFrame>& frames, std::size_t f, const std::string& name, double id, std::size_t component, std::size_t size) {
    std::vector<std::uint32_t> numbers;
    while (f-- > 0) {
        const auto& ids = frames[f].at("id").values;
        const auto found = std::find(ids.begin(), ids.end(), id);
        if (found == ids.end()) break;
        numbers.push_back(static_cast<std::uint32_t>(frames[f].at(name).wholes[static_cast<std::size_t>(found - ids.begin()) * size + component]));
    }
    return numbers;
}

std::vector<ReadFrame> read_block(const std::string& bytes) {
    Reader in(bytes);
    EXPECT_EQ(in.text(4), "TLF1");
    std::vector<ReadFrame> frames(in.get<std::uint32_t>());
    for (std::size_t f = 0; f < frames.size(); ++f) {
        in.get<std::uint32_t>();
        const std::uint32_t counts[3] = {in.get<std::uint32_t>(), in.get<std::uint32_t>(), in.get<std::uint32_t>()};
        const auto columns = in.get<std::uint16_t>();
        for (int c = 0; c < columns; ++c) {
            const std::string name = in.text(in.get<std::uint8_t>());
            Read column;
            const std::size_t n = column.rows = counts[in.get<std::uint8_t>()];
            const std::size_t size = in.get<std::uint8_t>();
            const auto encoding = in.get<Encoding>();
            const auto prediction = in.get<Prediction>();
            const double step = in.get<double>();
            column.values.resize(n * size);
            column.wholes.resize(n * size);
            for (std::size_t k = 0; k < size; ++k) {
                if (encoding == Encoding::real) {
                    for (std::size_t i = 0; i < n; ++i) column.values[i * size + k] = in.get<float>();
                    continue;
                }
                const std::string planes = in.text(4 * n);
                for (std::size_t i = 0; i < n; ++i) {
                    std::uint32_t folded = 0;
                    for (std::size_t p = 0; p < 4; ++p) folded |= static_cast<std::uint32_t>(static_cast<unsigned char>(planes[p * n + i])) << (8 * p);
                    std::uint32_t guess = 0;
                    if (prediction == Prediction::along && i > 0) guess = static_cast<std::uint32_t>(column.wholes[(i - 1) * size + k]);
                    if (prediction >= Prediction::before) {
                        const auto past = numbers_before(frames, f, name, frames[f].at("id").values[i], k, size);
                        if (!past.empty()) guess = past[0];
                        if (prediction == Prediction::onward && past.size() > 1) guess = 2 * past[0] - past[1];
                    }
                    const std::uint32_t difference = (folded >> 1) ^ (0u - (folded & 1u));
                    const auto whole = static_cast<std::int32_t>(difference + guess);
                    column.wholes[i * size + k] = whole;
                    const bool is_nan = encoding == Encoding::linear && whole == std::numeric_limits<std::int32_t>::min();
                    column.values[i * size + k] = is_nan ? nan : encoding == Encoding::linear ? whole * step : from_brief(whole);
                }
            }
            frames[f][name] = column;
        }
    }
    EXPECT_TRUE(in.is_at_end());
    return frames;
}

FrameColumns frame_of(std::vector<std::int64_t> ids, const Form& form, std::vector<double> values, int components = 1) {
    FrameColumns frame;
    frame.bodies = static_cast<std::uint32_t>(ids.size());
    frame.ids = ids;
    frame.columns.push_back({"id", Owner::bodies, 1, {Encoding::linear, Prediction::along, 1.0}, std::vector<double>(ids.begin(), ids.end())});
    frame.columns.push_back({"x", Owner::bodies, components, form, std::move(values)});
    return frame;
}

TEST(Columns, LinearIsWithinHalfAStep) {
    const Form form{Encoding::linear, Prediction::along, 1e-3};
    const std::vector<double> values{0.0, 1.0, -1.0, 0.12345, -17.0004999, 1e5};
    const auto read = read_block(encode_block({frame_of({1, 2, 3, 4, 5, 6}, form, values)})).at(0).at("x").values;
    for (std::size_t i = 0; i < values.size(); ++i) EXPECT_LE(std::abs(read[i] - values[i]), 0.5 * form.step * (1.0 + 1e-9)) << i;
}

TEST(Columns, BriefIsWithinA256thAndKeepsWhatIsNoNumber) {
    const Form form{Encoding::brief, Prediction::none, 1.0};
    const std::vector<double> values{0.0, 1.0, -1.0, 3.14159, -2.7e-12, 9.9e22, nan, infinity, -infinity};
    const auto read = read_block(encode_block({frame_of({1, 2, 3, 4, 5, 6, 7, 8, 9}, form, values)})).at(0).at("x").values;
    for (std::size_t i = 0; i < 6; ++i) EXPECT_LE(std::abs(read[i] - values[i]), std::abs(values[i]) / 256.0) << i;
    EXPECT_TRUE(std::isnan(read[6]));
    EXPECT_EQ(read[7], infinity);
    EXPECT_EQ(read[8], -infinity);
}

TEST(Columns, LinearKeepsNotANumberAndBoundsTheRest) {
    const auto read = read_block(encode_block({frame_of({1, 2, 3}, {Encoding::linear, Prediction::before, 1.0}, {nan, infinity, -infinity})})).at(0).at("x").values;
    EXPECT_TRUE(std::isnan(read[0]));
    EXPECT_GT(read[1], 1e9);
    EXPECT_LT(read[2], -1e9);
}

TEST(Columns, RealIsTheFloatItself) {
    const auto read = read_block(encode_block({frame_of({4, 9}, Form{}, {0.1, -7e-30, 3e30, 5, 6, 7}, 3)})).at(0).at("x").values;
    EXPECT_EQ(read, (std::vector<double>{0.1f, -7e-30f, 3e30f, 5, 6, 7}));
}

TEST(Columns, BodiesThatComeAndGoAreFoundByTheirIds) {
    const Form form{Encoding::linear, Prediction::before, 0.5};
    const auto read = read_block(encode_block({frame_of({1, 2, 5}, form, {10, 20, 50, 11, 21, 51}, 2), frame_of({2, 3, 5, 8}, form, {20.5, 21, 30, 31, 50, 51, -80, 81}, 2)}));
    EXPECT_EQ(read.at(1).at("x").values, (std::vector<double>{20.5, 21, 30, 31, 50, 51, -80, 81}));
    EXPECT_EQ(read.at(1).at("id").values, (std::vector<double>{2, 3, 5, 8}));
}

TEST(Columns, WhatMovesOnComesBackToo) {
    const Form form{Encoding::linear, Prediction::onward, 0.5};
    const std::vector<std::vector<double>> x{{1, 50, -8}, {2, 50, nan}, {3.5, 7, infinity}, {5, 7, -8}};   // the second body is another one from the third frame on
    std::vector<FrameColumns> frames;
    for (std::size_t k = 0; k < x.size(); ++k) frames.push_back(frame_of({1, k < 2 ? 2 : 3, 9}, form, x[k]));
    const auto read = read_block(encode_block(frames));
    for (std::size_t k = 0; k < x.size(); ++k) {
        const auto& back = read.at(k).at("x").values;
        EXPECT_EQ(back[0], x[k][0]) << k;
        EXPECT_EQ(back[1], x[k][1]) << k;
        if (std::isfinite(x[k][2])) { EXPECT_EQ(back[2], x[k][2]) << k; }
    }
    EXPECT_TRUE(std::isnan(read.at(1).at("x").values[2]));
    EXPECT_GT(read.at(2).at("x").values[2], 1e8);
}

TEST(Columns, WhatMovesEvenlyCostsNothingFromTheThirdFrameOn) {
    std::vector<FrameColumns> frames;
    for (int k = 0; k < 4; ++k) {
        std::vector<std::int64_t> ids;
        std::vector<double> values;
        for (int i = 0; i < 10000; ++i) {
            ids.push_back(i);
            const double speed = std::round(std::sin(78.233 * i) * 1000.0);
            values.push_back(std::round(std::sin(12.9898 * i) * 43758.5453) + k * speed);
        }
        frames.push_back(frame_of(ids, {Encoding::linear, Prediction::onward, 1.0}, values));
    }
    const auto size = [&](std::size_t n) { return deflate(encode_block({frames.begin(), frames.begin() + static_cast<std::ptrdiff_t>(n)})).size(); };
    EXPECT_GT(size(2) - size(1), 10000u);   // the speeds have some ten bits each
    EXPECT_LT(size(3) - size(2), 600u);     // as what does not move
    EXPECT_LT(size(4) - size(3), 600u);
}

TEST(Columns, ABlockCanBeReadAlone) {
    const Form form{Encoding::linear, Prediction::before, 1.0};
    const auto second = frame_of({1, 2}, form, {3, 4});
    EXPECT_EQ(read_block(encode_block({second})).at(0).at("x").values, (std::vector<double>{3, 4}));
}

TEST(Columns, WhatDoesNotMoveCostsNothing) {
    std::vector<std::int64_t> ids;
    std::vector<double> values;
    for (int i = 0; i < 10000; ++i) {
        ids.push_back(i);
        values.push_back(std::sin(12.9898 * i) * 43758.5453);
    }
    const auto frame = frame_of(ids, {Encoding::linear, Prediction::before, 1e-3}, values);
    const auto one = deflate(encode_block({frame})).size(), two = deflate(encode_block({frame, frame})).size();
    // deflate writes a run at about 1/200 of its length or less: eight planes of 10 000 bytes each, of ids and of numbers
    EXPECT_LT(two - one, 600u);
}

TEST(Columns, DeflateIsWhatZlibReads) {
    const std::string bytes(100000, 'x');
    const std::string packed = deflate(bytes);
    std::string back(bytes.size(), '\0');
    uLongf size = back.size();
    ASSERT_EQ(uncompress(reinterpret_cast<Bytef*>(back.data()), &size, reinterpret_cast<const Bytef*>(packed.data()), packed.size()), Z_OK);
    EXPECT_EQ(back, bytes);
}

TEST(Columns, Base64OfRfc4648) {
    const std::pair<const char*, const char*> known[] = {{"", ""}, {"f", "Zg=="}, {"fo", "Zm8="}, {"foo", "Zm9v"}, {"foob", "Zm9vYg=="}, {"fooba", "Zm9vYmE="}, {"foobar", "Zm9vYmFy"}};
    for (const auto& [plain, coded] : known) EXPECT_EQ(to_base64(plain), coded);
    EXPECT_EQ(to_base64(std::string("\xff\x00\xfe", 3)), "/wD+");
}

}  // namespace
}  // namespace talus::view
