#pragma once
/// \file
/// A dataset that grows by rows: the one kind of changing data in a run file. A row is a number, a
/// few numbers (a vector), or a record of named fields.
///
/// Rows are written behind those that count and become visible through an index written after them;
/// so a series may hold more rows than the index knows when a writer was killed in between.

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "record/h5.h"

namespace talus::record {

enum class Kind : std::uint8_t { f64, i64, u64, i32, u32, u8, text32 };  ///< text32: 32 bytes of UTF-8

/// A named number or small vector inside a record; `offset` in the C++ struct [byte].
struct Field {
    const char* name;
    std::size_t offset;
    Kind kind;
    int width = 1;
};

/// Type of the rows of a series, as the program holds them.
struct RowType {
    std::vector<Field> fields;   ///< empty: plain numbers of `kind` and `width`
    std::size_t size = 0;        ///< of a row [byte]
    Kind kind = Kind::f64;
    int width = 1;
};

[[nodiscard]] RowType plain(Kind kind, int width = 1);
[[nodiscard]] RowType record_of(std::size_t size, std::vector<Field> fields);

class Series {
public:
    struct Storage {
        std::uint64_t chunk_rows = 256;
        bool compress = false;   ///< shuffle + deflate(1)
    };
    static Series create(const h5::File& file, const std::string& name, const RowType& type, Storage storage);
    /// \throws IoError when the dataset is missing or has another shape.
    static Series open(const h5::File& file, const std::string& name, const RowType& type);

    [[nodiscard]] std::uint64_t rows() const;
    /// Writes `count` rows at `begin`, growing the series to hold them.
    void write(std::uint64_t begin, std::uint64_t count, const void* data) const;
    /// \throws IoError when the series ends before `begin + count`.
    void read(std::uint64_t begin, std::uint64_t count, void* data) const;
    void truncate(std::uint64_t rows) const;
    [[nodiscard]] const std::string& name() const { return name_; }

private:
    Series(const h5::File& file, std::string name, const RowType& type);
    [[nodiscard]] h5::Handle select(std::uint64_t begin, std::uint64_t count) const;
    [[nodiscard]] h5::Handle room_for(std::uint64_t count) const;

    const h5::File* file_;
    std::string name_;
    int width_;
    bool is_record_;
    h5::Handle type_;    ///< in memory
    h5::Handle set_;
};

}  // namespace talus::record
