#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "base/errors/error.h"
#include "records/store/database/database.h"
#include "records/store/rows/trial_row.h"
#include "records/store/store_folder.h"

namespace opbench {

/// Settings under which parts are written: 256 MiB at most, order not kept.
DatabaseOptions writing_options(const std::filesystem::path& spill_folder, int threads);

/// `COPY (select) TO 'file' (…)` as every part is written; `replaces` goes into its metadata.
std::string copy_statement(const std::string& select, const std::filesystem::path& file,
                           RecordKind kind, const std::vector<std::string>& replaces = {});

/// `read_parquet([…])` over the parts.
std::string scan_of(const std::vector<StorePart>& parts);

/// The same for whole rows of a kind: parts of benchmarks that an earlier version wrote have counts
/// of 32 bits, which are widened.
std::string scan_of(const std::vector<StorePart>& parts, RecordKind kind);

/// Whether a read ended because a part was merged away after it was listed.
bool is_missing_part(const Error& error);

/// `part-<32 hex digits>`, from any content, or from the rows that a part holds: the same rows, the
/// same name.
std::string part_name(const void* content, size_t bytes);
std::string part_name(RecordKind kind, const Id128& sum_of_ids, int64_t rows);

/// `part-c<32 hex digits>`, of a part that is made of others, from what says how.
std::string made_part_name(const std::string& how);

}  // namespace opbench
