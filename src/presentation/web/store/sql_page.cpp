#include "presentation/web/store/sql_page.h"

#include <duckdb.h>
#include <fmt/format.h>

#include <condition_variable>
#include <thread>

#include "presentation/web/store/web_store.h"
#include "records/store/database/utf8_path.h"
#include "records/store/database/views.h"

namespace opbench {
namespace {

/// Interrupts the connection when the time is over.
class Watchdog {
 public:
  Watchdog(void* connection, std::chrono::milliseconds time)
      : thread_([this, connection, time] {
          std::unique_lock lock(mutex_);
          if (done_.wait_for(lock, time, [this] { return is_done_; })) return;
          has_barked_ = true;
          duckdb_interrupt(static_cast<duckdb_connection>(connection));
        }) {}
  Watchdog(const Watchdog&) = delete;
  Watchdog& operator=(const Watchdog&) = delete;
  ~Watchdog() { stop(); }

  /// Whether it had to interrupt.
  bool stop() {
    {
      const std::lock_guard lock(mutex_);
      is_done_ = true;
    }
    done_.notify_all();
    if (thread_.joinable()) thread_.join();
    return has_barked_;
  }

 private:
  std::mutex mutex_;
  std::condition_variable done_;
  bool is_done_ = false, has_barked_ = false;
  std::thread thread_;
};

Result<std::vector<std::string>> part_files(StoreFolder& store) {
  std::vector<std::string> files;
  for (const RecordKind kind :
       {RecordKind::kTrial, RecordKind::kBenchmark, RecordKind::kSource, RecordKind::kPrediction}) {
    OPBENCH_TRY(const std::vector<StorePart> parts, store.live_parts(kind));
    for (const StorePart& part : parts) files.push_back(utf8_path(part.path));
  }
  return files;
}

/// The store's views, and no way to anything else.
Result<Database> locked_database(const std::filesystem::path& folder, const SqlLimits& limits) {
  OPBENCH_TRY(StoreFolder store, StoreFolder::open_to_read(folder));
  OPBENCH_TRY(Database database,
              Database::open({.threads = limits.threads, .memory_limit = limits.memory_limit}));
  OPBENCH_CHECK(create_views(database, store));
  OPBENCH_TRY(const std::vector<std::string> files, part_files(store));
  OPBENCH_CHECK(database.run("SET allowed_paths = " + sql_list(files)));
  OPBENCH_CHECK(database.run("SET enable_external_access = false"));
  OPBENCH_CHECK(database.run("SET lock_configuration = true"));
  return database;
}

Result<void> check_reads(Database& database, const std::string& sql) {
  OPBENCH_CHECK(database.check_single(sql));
  duckdb_prepared_statement statement = nullptr;
  const auto prepared = duckdb_prepare(static_cast<duckdb_connection>(database.connection()),
                                       sql.c_str(), &statement);
  const char* const words = duckdb_prepare_error(statement);
  const std::string fault = words == nullptr ? "" : words;
  const duckdb_statement_type type = prepared == DuckDBSuccess
                                         ? duckdb_prepared_statement_type(statement)
                                         : DUCKDB_STATEMENT_TYPE_INVALID;
  duckdb_destroy_prepare(&statement);
  if (fault.find("Permission Error") != std::string::npos) {
    return invalid_input("this statement reads or writes files")
        .with("valid", "the tables of the store");
  }
  // Wrong SQL fails when it runs, with the place in it.
  if (prepared != DuckDBSuccess || type == DUCKDB_STATEMENT_TYPE_SELECT ||
      type == DUCKDB_STATEMENT_TYPE_EXPLAIN) {
    return {};
  }
  return invalid_input("only statements that read are run here")
      .with("valid", "SELECT, WITH … SELECT, DESCRIBE, SUMMARIZE, EXPLAIN")
      .with("to change the store", "opbench records import, merge, compact");
}

Error clear_fault(Error error, const SqlLimits& limits, bool is_late) {
  if (is_late) {
    return Error{ErrorCode::kTimeBudget,
                 fmt::format("the statement takes longer than {:.0f} s",
                             std::chrono::duration<double>(limits.time).count())}
        .with("try", "opbench records query, which waits");
  }
  if (error.message.find("Permission Error") != std::string::npos) {
    return invalid_input("this statement reads or writes files")
        .with("valid", "the tables of the store");
  }
  return error;
}

/// Rows beyond the limit, so that it shows whether there are any.
std::string limited(const std::string& sql, int64_t rows) {
  std::string plain = sql;
  while (!plain.empty() &&
         (plain.back() == ';' || std::isspace(static_cast<unsigned char>(plain.back())) != 0)) {
    plain.pop_back();
  }
  return fmt::format("SELECT * FROM ({}\n) LIMIT {}", plain, rows + 1);
}

}  // namespace

Result<SqlRows> run_statement(const std::filesystem::path& store, const std::string& sql,
                              const SqlLimits& limits) {
  OPBENCH_TRY(Database database, locked_database(store, limits));
  OPBENCH_CHECK(check_reads(database, sql));
  Watchdog watchdog(database.connection(), limits.time);
  auto found = database.query(limited(sql, limits.rows));
  // DESCRIBE and EXPLAIN stand in no SELECT.
  if (!found && found.error().message.find("Parser Error") != std::string::npos) {
    found = database.query(sql);
  }
  const bool is_late = watchdog.stop();
  if (!found) return clear_fault(found.error(), limits, is_late);
  SqlRows rows{.result = std::move(*found)};
  rows.is_cut = std::ssize(rows.result.rows) > limits.rows;
  if (rows.is_cut) rows.result.rows.resize(static_cast<size_t>(limits.rows));
  return rows;
}

}  // namespace opbench
