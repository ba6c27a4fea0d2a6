#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

#include "base/errors/error.h"
#include "records/store/parts/add_part.h"
#include "records/store/parts/part_writer.h"
#include "records/store/store_folder.h"

namespace opbench {

/// Adds what another store has and this one has not, part by part. Errors as import_file().
Result<Addition> merge_store(StoreFolder& store, StoreFolder& other, RecordKind kind);

/// Writes a view, a table or `(SELECT …)` to a Parquet (`is_csv` false) or CSV file. The file is
/// there as a whole or not at all; a device or pipe is written into. `kInvalidInput` for wrong SQL,
/// `kSystem` if it cannot be written.
Result<int64_t> export_rows(StoreFolder& store, const std::string& rows,
                            const std::filesystem::path& file, bool is_csv);

}  // namespace opbench
