#pragma once

#include <chrono>
#include <filesystem>
#include <memory>
#include <mutex>
#include <string>

#include "base/errors/error.h"
#include "records/store/database/database.h"
#include "records/store/store_folder.h"

namespace opbench {

/// What a statement of a person may use.
struct SqlLimits {
  std::chrono::milliseconds time{10'000};
  int64_t rows = 500;
  int threads = 2;
  std::string memory_limit = "512MB";
};

struct SqlRows {
  QueryResult result;
  bool is_cut = false;  ///< there are more rows
};

/// Runs one statement that reads over the views of a store. The database is a fresh one in memory
/// that may open the parts of the store and nothing else, whose settings are locked.
/// `kInvalidInput` for what is not one SELECT, for what would write or read files, and with
/// DuckDB's words for wrong SQL; `kTimeBudget` for a statement that takes too long; `kSystem` for
/// one that needs too much memory.
Result<SqlRows> run_statement(const std::filesystem::path& store, const std::string& sql,
                              const SqlLimits& limits);

}  // namespace opbench
