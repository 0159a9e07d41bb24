#pragma once
/// \file
/// Frames as the viewer in the browser reads them: columns of numbers, packed.
///
/// A block is a few frames one after the other. Every column states how its numbers are written:
/// - `real`: 32-bit floats, as they are (what the server sends);
/// - `linear`: whole multiples of a step, off by half a step at most; whole numbers with a step of 1;
/// - `brief`: the upper half of a 32-bit float, off by 1/256 of the value at most.
/// The last two give 32-bit whole numbers k. What is stored is k minus a prediction, folded so that small
/// differences of both signs are small (zigzag), its four bytes in four separate planes: of grains at
/// rest nothing is left for deflate to store. Predictions: nothing (`none`), the number before it in the
/// column (`along`), the same body's number k' in the frame before (`before`), or k' + (k' - k'') where k'' is
/// its number in the frame before that, k' without one (`onward`, for what moves on), in 32 bits that wrap.
/// The first frame of a block predicts nothing from before, so a block can be read alone. Not-a-number survives in every encoding; infinity in `linear`
/// becomes the largest number there is.
///
/// Layout, little endian: "TLF1", u32 frames; a frame: u32 number, u32 bodies, u32 contacts, u32 sums,
/// u16 columns; a column: u8 length of name, name, u8 owner, u8 components, u8 encoding, u8 prediction,
/// f64 step, then component by component its floats, or four planes of bytes.

#include <cstdint>
#include <string>
#include <vector>

namespace talus::view {

enum class Owner : std::uint8_t { bodies = 0, contacts = 1, sums = 2 };
enum class Encoding : std::uint8_t { real = 0, linear = 1, brief = 2 };
enum class Prediction : std::uint8_t { none = 0, along = 1, before = 2, onward = 3 };

/// How the numbers of a column are written; the same in all frames of a block.
struct Form {
    Encoding encoding = Encoding::real;
    Prediction prediction = Prediction::none;
    double step = 1.0;   ///< of `linear`, in the column's unit
};

/// One quantity of all bodies, or of all contacts, of a frame.
struct Column {
    std::string name;
    Owner owner = Owner::bodies;
    int components = 1;
    Form form;
    std::vector<double> values;   ///< those of one body together
};

struct FrameColumns {
    std::uint32_t number = 0;                        ///< of the frame in the run
    std::uint32_t bodies = 0, contacts = 0, sums = 0;
    std::vector<std::int64_t> ids;                   ///< of the bodies: what predictions from before go by
    std::vector<Column> columns;
};

/// The bytes of a block, not compressed.
[[nodiscard]] std::string encode_block(const std::vector<FrameColumns>& frames);

/// zlib's format, which a browser's DecompressionStream('deflate') reads. Only runs of equal bytes are looked for: planes of
/// differences are such runs or noise, and what else could be found takes three times as long and saves nothing.
[[nodiscard]] std::string deflate(const std::string& bytes);

[[nodiscard]] std::string to_base64(const std::string& bytes);

}  // namespace talus::view
