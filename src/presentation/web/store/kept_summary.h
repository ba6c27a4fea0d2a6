#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "base/errors/error.h"
#include "records/store/database/database.h"
#include "records/store/store_folder.h"

/// The summary of a store, kept in the store: `_web/summary.duckdb`. It holds the tables of a
/// WebStore and the parts that they were made from. Whatever is wrong with the file, the summary is
/// made again from the parts.
namespace opbench {

/// `_web/summary.duckdb` of a store.
std::filesystem::path kept_summary_file(const std::filesystem::path& store);

/// Names of parts that a summary was made from, with the bytes of those that were there; -1 for
/// those that a merged part has replaced.
struct SummarizedParts {
  std::map<std::string, int64_t> benchmarks, trials;
  bool operator==(const SummarizedParts&) const = default;
};

/// Runs a statement on the database of a summary.
using RunStatement = std::function<Result<void>(const std::string& sql)>;

/// Copies the tables of the kept summary into the database, in place of what it has, and tells the
/// parts that they were made from. Errors where there is no file, or one that is damaged, of
/// another schema, or of a store in another folder: then the database may hold some tables.
Result<SummarizedParts> take_kept_summary(Database& database, const std::filesystem::path& store);

/// Writes the tables of a database to the file, through `run`, which runs a statement on it. The
/// file is made elsewhere, synced and renamed into place: a reader sees the old or the new one.
/// `kSystem` or `kInvalidInput` where the store cannot be written to.
Result<void> keep_summary(const RunStatement& run, const std::filesystem::path& store,
                          const SummarizedParts& parts);

}  // namespace opbench
