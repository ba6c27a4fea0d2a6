#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

#include "base/errors/error.h"
#include "records/store/database/database.h"
#include "records/store/store_folder.h"

namespace opbench {

struct Addition {
  int64_t added = 0;    ///< rows
  int64_t present = 0;  ///< rows that the store had already
};

/// Commits a written file of `rows` rows, but for those whose id the store has. Others that add to
/// the store wait meanwhile; readers do not.
Result<Addition> add_part(StoreFolder& store, Database& database, RecordKind kind,
                          const std::filesystem::path& file, const std::string& name, int64_t rows);

}  // namespace opbench
