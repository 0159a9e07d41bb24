#pragma once
/// \file
/// The arrays of a frame and where they live in a Snapshot: one table each for bodies, contacts and
/// contact sums. Writer, reader and exporters all go through these tables, so that a new array is one
/// new line.

#include <cstring>
#include <type_traits>
#include <vector>

#include "record/series.h"
#include "step/snapshot.h"

namespace talus::record {

/// An array with one row per body, kept as such in a Snapshot.
template <int Dim>
struct BodyColumn {
    const char* name;
    RowType type;
    bool required;                                           ///< every frame has it
    const void* (*data)(const Snapshot<Dim>&);
    void* (*resize)(Snapshot<Dim>&, std::size_t);            ///< filled with neutral values
};

/// One member of a record (contact, contact sum), to be gathered into an array.
template <class Record>
struct RecordColumn {
    const char* name;
    RowType type;
    void (*gather)(const std::vector<Record>&, std::byte*);
    void (*scatter)(std::vector<Record>&, const std::byte*);
    bool required = true;                                    ///< false: files of before it was added lack it
};

template <int Dim>
[[nodiscard]] const std::vector<BodyColumn<Dim>>& body_columns();
template <int Dim>
[[nodiscard]] const std::vector<RecordColumn<Contact<Dim>>>& contact_columns();
template <int Dim>
[[nodiscard]] const std::vector<RecordColumn<ContactSum<Dim>>>& sum_columns();

}  // namespace talus::record
