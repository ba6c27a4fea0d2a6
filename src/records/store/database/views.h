#pragma once

#include <string>

#include "base/errors/error.h"
#include "records/store/database/database.h"
#include "records/store/store_folder.h"

namespace opbench {

/// Creates the views `trials`, `benchmarks`, `best` and `environments` over the parts that count
/// now.
Result<void> create_views(Database& database, StoreFolder& store);

/// Runs SQL over the views. Starts over when parts were merged away meanwhile. Errors as
/// Database::query().
Result<QueryResult> query_store(StoreFolder& store, const std::string& sql,
                                const DatabaseOptions& options = {});

}  // namespace opbench
