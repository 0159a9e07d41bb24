#pragma once
/// \file
/// HDF5's driver of plain files with a journal (`journal.h`) in front of whatever is written over.
///
/// Which bytes of a file count is HDF5's affair; the driver takes all below the end of what was ever written for such. What goes beyond is
/// written as it comes, and a replacement is cut down to the bytes that differ, which are often few.
///
/// Only `src/record/h5.cpp` includes this header.

#include <hdf5.h>

#include <memory>
#include <optional>

#include "record/journal.h"

namespace talus::record::h5 {

/// How a file is to be written; the driver looks at it with every write.
struct WriteRules {
    std::optional<Journal> journal;   ///< none: nobody reads the file yet
    bool data_too = true;             ///< false: only HDF5's own blocks go through the journal
    bool is_given_up = false;         ///< nothing is written any more
};

/// Makes files that are opened with these access properties obey `rules`.
void set_journal_driver(hid_t access_properties, const std::shared_ptr<WriteRules>& rules);

}  // namespace talus::record::h5
