#pragma once

#include <cstdint>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "records/store/database/database.h"
#include "records/store/import/occurrences.h"
#include "records/store/import/trial_source.h"

namespace opbench {

/// A source as a table `trial_scan()` of a database, read once by one statement.
class TrialTable {
 public:
  TrialTable(TrialSource& source, int64_t expected_records)
      : source_(source), occurrences_(expected_records) {}

  /// The table must outlive the statement.
  Result<void> add_to(Database& database);

  /// After the statement.
  const FileCounts& counts() const { return counts_; }
  const std::optional<Error>& error() const { return error_; }
  /// The sum of all identities: equal for equal sets of rows, whatever their order.
  Id128 sum() const { return sum_; }
  int64_t rows() const { return rows_; }

  /// One thread's part; used by the functions that DuckDB calls.
  class Worker;
  std::unique_ptr<Worker> make_worker();
  int most_threads() const { return source_.most_threads(); }

 private:
  TrialSource& source_;
  Occurrences occurrences_;
  std::mutex mutex_;
  FileCounts counts_;
  std::optional<Error> error_;
  Id128 sum_;
  int64_t rows_ = 0;
};

}  // namespace opbench
