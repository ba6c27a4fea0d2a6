#pragma once

#include <string>

#include "base/errors/error.h"
#include "records/store/database/database.h"
#include "records/store/store_folder.h"

namespace opbench {

/// Keeps from which files and lines trials came that the store held already, so that none of their
/// sources is lost: of `rows` (SQL with the columns id, file, line) those whose id the store has,
/// but not from that file. Writes nothing if there are none. `temporary` is a folder of the
/// caller's.
Result<void> add_sources(StoreFolder& store, Database& database, const std::string& rows,
                         const std::filesystem::path& temporary);

}  // namespace opbench
