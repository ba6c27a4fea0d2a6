#pragma once

#include <string>

#include "base/errors/error.h"
#include "records/store/database/database.h"
#include "records/store/store_folder.h"

namespace opbench {

/// Adds to trials that the store already holds the files and lines from which they came once more,
/// so that no source is lost. `rows` is SQL with the columns id, file, line; kept are those whose
/// id the store has, but not from that file. Writes nothing if there are none. `temporary` is a
/// folder of the caller's.
Result<void> add_sources(StoreFolder& store, Database& database, const std::string& rows,
                         const std::filesystem::path& temporary);

}  // namespace opbench
