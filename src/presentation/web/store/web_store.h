#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <vector>

#include "base/errors/error.h"
#include "base/json/json.h"
#include "records/store/database/database.h"
#include "records/store/store_folder.h"

namespace opbench {

struct WebStoreOptions {
  int threads = 2;
  std::string memory_limit = "1GB";
  /// The summary is kept in the store once reading what it lacks has taken so long.
  std::chrono::milliseconds keep_after{500};
};

/// A store as the pages ask for it: a summary of its records in tables of a database in memory,
/// which answers in milliseconds what the parts answer in seconds. A copy of the summary is kept in
/// the store (kept_summary.h), so that a second start need not read the parts. Any thread.
///
/// Tables: `series` (what was measured: one row a series), `points` (series_key, run_key, at_ms,
/// ms, low_ms, high_ms, in_place_ms, share, count, code: one row a record), `stats` (of each
/// series), `failures` (why a point has no time), `runs` (one row a run), `entries` (what a person
/// chooses from: runs, sides of comparisons, nights), `entry_runs` (their runs), `tasks` (one row a
/// tuning task), `machines` (their facts), `noise` (how far apart samples of a machine lay: one row
/// a day). Views: those of the store (records/store/database/views.h).
class WebStore {
 public:
  /// A store that is there; `kInvalidInput` if it is not. Reads nothing yet.
  static Result<std::unique_ptr<WebStore>> open(const std::filesystem::path& folder,
                                                const WebStoreOptions& options = {});

  /// Reads the parts that came since the last call into the tables. Starts over when parts are gone
  /// that no merged part stands for, and when a merged part holds some rows that the tables have
  /// and some that they lack.
  Result<void> refresh();

  /// Whether refresh() has ended once. Does not wait for one that runs.
  bool is_ready() const { return is_ready_; }

  /// Changes with whatever answers are made from: the tables, and what lies in `watch` and
  /// `reports` of the store.
  std::string state() const;

  /// Rows over the tables and views. Errors as Database::query().
  Result<QueryResult> query(const std::string& sql);

  /// The records of the runs of an entry, as the parts hold them, in SQL behind FROM; empty rows
  /// where it has none. `entry`: `entries.entry`.
  Result<std::string> records_of_entry(int64_t entry);

  const std::filesystem::path& folder() const { return folder_; }

 private:
  WebStore(std::filesystem::path folder, StoreFolder store, WebStoreOptions options)
      : folder_(std::move(folder)), store_(std::move(store)), options_(std::move(options)) {}
  Result<void> start_over();
  Result<void> take_kept(const std::vector<StorePart>& parts, const std::vector<StorePart>& trials);
  void keep(const std::vector<StorePart>& parts, const std::vector<StorePart>& trials);
  Result<void> take_parts(const std::vector<StorePart>& parts);
  Result<void> take_trials(const std::vector<StorePart>& parts);
  Result<bool> is_outdated(const std::vector<StorePart>& parts);
  Result<std::set<std::string>> columns_of_parts(const std::vector<StorePart>& parts);

  std::filesystem::path folder_;
  StoreFolder store_;
  WebStoreOptions options_;
  std::mutex mutex_;       ///< of the database and the two members behind it
  std::mutex refreshing_;  ///< one refresh() at a time; of `unkept_` too
  std::unique_ptr<Database> database_;
  std::set<std::string> known_;  ///< parts that the tables hold, and parts that these replaced
  std::set<std::string> known_trials_;  ///< parts of trials that `tasks` is made from
  std::set<std::string> views_of_;      ///< files of the parts that the views were made over
  std::chrono::steady_clock::duration unkept_{};  ///< spent on what the kept summary lacks
  std::atomic<bool> is_ready_ = false;
  std::atomic<int64_t> changes_ = 0;  ///< of the tables
};

/// The rows as a list of objects, members named by the columns.
Json rows_json(const QueryResult& result);

/// The only row as an object; null where there is none.
Json row_json(const QueryResult& result);

}  // namespace opbench
