#include "presentation/web/store/web_store.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <iterator>
#include <limits>
#include <utility>

#include "presentation/web/store/kept_summary.h"
#include "presentation/web/store/summary_sql.h"
#include "presentation/web/store/task_sql.h"
#include "records/store/database/views.h"
#include "records/store/parts/compact.h"
#include "records/store/parts/part_writer.h"

namespace opbench {
namespace {

/// read_parquet(…) over the parts, with the name of each row's file.
std::string named_scan_of(const std::vector<StorePart>& parts) {
  std::string scan = scan_of(parts, RecordKind::kBenchmark);
  scan.insert(scan.size() - 1, ", filename = true");
  return scan;
}

/// Whether a part of that name is another one.
bool has_other_size(const std::map<std::string, int64_t>& kept,
                    const std::vector<StorePart>& parts) {
  return std::ranges::any_of(parts, [&](const StorePart& part) {
    const auto found = kept.find(part.name);
    return found != kept.end() && found->second >= 0 && found->second != part.bytes;
  });
}

std::set<std::string> part_names(const std::map<std::string, int64_t>& kept) {
  std::set<std::string> names;
  for (const auto& [name, bytes] : kept) names.insert(name);
  return names;
}

/// The names, with the bytes of those that are there.
std::map<std::string, int64_t> sized_parts(const std::set<std::string>& names,
                                           const std::vector<StorePart>& parts) {
  std::map<std::string, int64_t> sized;
  for (const std::string& name : names) sized.emplace(name, -1);
  for (const StorePart& part : parts) {
    if (const auto found = sized.find(part.name); found != sized.end()) found->second = part.bytes;
  }
  return sized;
}

Result<void> run_all(Database& database, const std::vector<std::string>& statements) {
  for (const std::string& statement : statements) OPBENCH_CHECK(database.run(statement));
  return {};
}

}  // namespace

Result<std::unique_ptr<WebStore>> WebStore::open(const std::filesystem::path& folder,
                                                 const WebStoreOptions& options) {
  OPBENCH_TRY(StoreFolder store, StoreFolder::open_to_read(folder));
  return std::unique_ptr<WebStore>(new WebStore(folder, std::move(store), options));
}

Result<void> WebStore::start_over() {
  OPBENCH_TRY(Database database,
              Database::open({.threads = options_.threads, .memory_limit = options_.memory_limit}));
  // Where the rows of a part lie is read once: of large parts that takes longer than most answers.
  // What was read of a part is not kept in memory: the system does that.
  OPBENCH_CHECK(run_all(
      database, {"SET parquet_metadata_cache = true", "SET enable_external_file_cache = false"}));
  OPBENCH_CHECK(run_all(database, summary_tables()));
  OPBENCH_CHECK(run_all(database, summary_conclusions()));
  OPBENCH_CHECK(run_all(database, task_tables()));
  OPBENCH_CHECK(database.run(task_conclusion()));
  // Statements are made here; nothing of a request stands in them but as an SQL text. What the
  // database may read all the same is the store.
  OPBENCH_CHECK(database.run(
      fmt::format("SET allowed_directories = {}", sql_list({(folder_ / "").string()}))));
  OPBENCH_CHECK(database.run("SET enable_external_access = false"));
  database_ = std::make_unique<Database>(std::move(database));
  known_.clear();
  known_trials_.clear();
  views_of_.clear();
  return {};
}

/// Starts from the summary that is kept in the store, where that is of use.
Result<void> WebStore::take_kept(const std::vector<StorePart>& parts,
                                 const std::vector<StorePart>& trials) {
  std::error_code fault;
  if (!std::filesystem::exists(kept_summary_file(folder_), fault)) return {};
  const auto kept = take_kept_summary(*database_, folder_);
  if (!kept || has_other_size(kept->benchmarks, parts) || has_other_size(kept->trials, trials)) {
    return start_over();
  }
  known_ = part_names(kept->benchmarks);
  known_trials_ = part_names(kept->trials);
  return {};
}

/// Requests are answered between the statements. Where the store cannot be written to, the summary
/// in memory is all there is.
void WebStore::keep(const std::vector<StorePart>& parts, const std::vector<StorePart>& trials) {
  const auto run = [this](const std::string& sql) {
    const std::lock_guard lock(mutex_);
    return database_->run(sql);
  };
  const auto done = keep_summary(
      run, folder_,
      {.benchmarks = sized_parts(known_, parts), .trials = sized_parts(known_trials_, trials)});
  unkept_ = {};
  static_cast<void>(done);
}

/// Whether rows of the tables are gone from the store, or stand in a new part as well. Of a merged
/// part whose rows the tables hold all, only the name is new: it counts as known from here on.
Result<bool> WebStore::is_outdated(const std::vector<StorePart>& parts) {
  std::set<std::string> live, gone;
  for (const StorePart& part : parts) {
    live.insert(part.name);
    if (known_.contains(part.name) || !part.name.starts_with("part-c")) continue;
    bool is_gone = false;
    OPBENCH_TRY(const std::vector<std::string> replaced, read_replaced(part.path, is_gone));
    const auto held = std::ranges::count_if(
        replaced, [&](const std::string& name) { return known_.contains(name); });
    if (held == 0) continue;
    if (held < std::ssize(replaced)) return true;
    known_.insert(part.name);
  }
  std::ranges::set_difference(known_, live, std::inserter(gone, gone.end()));
  if (gone.empty()) return false;
  OPBENCH_TRY(const std::set<std::string> superseded,
              store_.superseded_names(RecordKind::kBenchmark));
  return !std::ranges::includes(superseded, gone);
}

Result<std::set<std::string>> WebStore::columns_of_parts(const std::vector<StorePart>& parts) {
  OPBENCH_TRY(const QueryResult rows,
              database_->query("DESCRIBE SELECT * FROM " + named_scan_of(parts)));
  std::set<std::string> columns;
  for (const std::vector<Json>& row : rows.rows) columns.insert(row[0].get<std::string>());
  return columns;
}

Result<void> WebStore::take_parts(const std::vector<StorePart>& parts) {
  std::vector<StorePart> fresh;
  for (const StorePart& part : parts) {
    if (!known_.contains(part.name)) fresh.push_back(part);
  }
  if (fresh.empty()) return {};
  OPBENCH_TRY(const std::vector<std::string> names, names_of_parts(fresh));
  OPBENCH_TRY(const std::set<std::string> columns, columns_of_parts(fresh));
  OPBENCH_CHECK(database_->run("BEGIN TRANSACTION"));
  auto added = run_all(*database_, summary_additions(named_scan_of(fresh), columns));
  if (added) added = run_all(*database_, summary_conclusions());
  if (!added) {
    OPBENCH_CHECK(database_->run("ROLLBACK"));
    return added;
  }
  OPBENCH_CHECK(database_->run("COMMIT"));
  known_.insert(names.begin(), names.end());
  return {};
}

/// Tasks are summed anew when parts were merged: that takes seconds for ten million trials.
Result<void> WebStore::take_trials(const std::vector<StorePart>& parts) {
  std::set<std::string> live;
  for (const StorePart& part : parts) live.insert(part.name);
  if (live == known_trials_) return {};
  const bool is_anew = !std::ranges::includes(live, known_trials_);
  std::vector<StorePart> fresh;
  for (const StorePart& part : parts) {
    if (is_anew || !known_trials_.contains(part.name)) fresh.push_back(part);
  }
  OPBENCH_CHECK(database_->run("BEGIN TRANSACTION"));
  std::vector<std::string> statements;
  if (is_anew) statements.emplace_back("DELETE FROM task_parts");
  if (!fresh.empty()) statements.push_back(task_addition(scan_of(fresh, RecordKind::kTrial)));
  statements.push_back(task_conclusion());
  if (auto added = run_all(*database_, statements); !added) {
    OPBENCH_CHECK(database_->run("ROLLBACK"));
    return added;
  }
  OPBENCH_CHECK(database_->run("COMMIT"));
  known_trials_ = std::move(live);
  return {};
}

Result<void> WebStore::refresh() {
  const std::lock_guard one(refreshing_);
  std::vector<StorePart> parts, trials;
  std::set<std::string> all;
  for (const RecordKind kind :
       {RecordKind::kTrial, RecordKind::kBenchmark, RecordKind::kSource, RecordKind::kPrediction}) {
    OPBENCH_TRY(std::vector<StorePart> of_kind, store_.live_parts(kind));
    for (const StorePart& part : of_kind) all.insert(part.path.string());
    if (kind == RecordKind::kBenchmark) parts = std::move(of_kind);
    if (kind == RecordKind::kTrial) trials = std::move(of_kind);
  }
  {
    const std::lock_guard lock(mutex_);
    if (is_ready_ && all == views_of_) return {};
    if (database_ == nullptr) {
      OPBENCH_CHECK(start_over());
      OPBENCH_CHECK(take_kept(parts, trials));
    }
    OPBENCH_TRY(const bool is_old, is_outdated(parts));
    if (is_old) OPBENCH_CHECK(start_over());
    const auto begin = std::chrono::steady_clock::now();
    OPBENCH_CHECK(take_parts(parts));
    OPBENCH_CHECK(take_trials(trials));
    unkept_ += std::chrono::steady_clock::now() - begin;
    OPBENCH_CHECK(create_views(*database_, store_));
    views_of_ = std::move(all);
    ++changes_;
    is_ready_ = true;
  }
  if (unkept_ > options_.keep_after) keep(parts, trials);
  return {};
}

std::string WebStore::state() const {
  std::string state = std::to_string(changes_);
  for (const char* name : {"watch", "reports"}) {
    std::error_code fault;
    for (std::filesystem::recursive_directory_iterator entry(folder_ / name, fault), end;
         !fault && entry != end; entry.increment(fault)) {
      std::error_code inner;
      const auto bytes = entry->file_size(inner);
      const auto time = entry->last_write_time(inner).time_since_epoch().count();
      state += fmt::format(" {}:{}:{}", entry->path().string(), inner ? 0 : bytes, time);
    }
  }
  return state;
}

Result<QueryResult> WebStore::query(const std::string& sql) {
  const std::lock_guard lock(mutex_);
  if (database_ == nullptr) return Error{ErrorCode::kSystem, "the store is not read yet"};
  return database_->query(sql);
}

Result<std::string> WebStore::records_of_entry(int64_t entry) {
  OPBENCH_TRY(
      const QueryResult found,
      query(fmt::format("SELECT r.run_id, r.side, r.began_ms, r.ended_ms, er.files FROM entry_runs "
                        "er JOIN runs r USING (run_key) WHERE er.entry = {}",
                        entry)));
  std::set<std::string> files, runs;
  std::string side;
  bool has_times = !found.rows.empty();
  int64_t began_ms = std::numeric_limits<int64_t>::max();
  int64_t ended_ms = std::numeric_limits<int64_t>::min();
  for (const std::vector<Json>& row : found.rows) {
    if (row[0].is_string()) runs.insert(row[0].get<std::string>());
    if (row[1].is_string()) side = row[1].get<std::string>();
    has_times = has_times && row[2].is_number() && row[3].is_number();
    if (has_times) {
      began_ms = std::min(began_ms, row[2].get<int64_t>());
      ended_ms = std::max(ended_ms, row[3].get<int64_t>());
    }
    for (const Json& file : row[4]) files.insert(file.get<std::string>());
  }
  // Parts that were merged meanwhile are not there any more.
  const bool is_there = std::ranges::all_of(
      files, [](const std::string& file) { return std::filesystem::exists(file); });
  const std::string from =
      is_there && !files.empty()
          ? fmt::format("read_parquet({}, hive_partitioning = false, union_by_name = true)",
                        sql_list({files.begin(), files.end()}))
          : "benchmarks";
  const std::string of_side =
      side.empty() ? "" : " AND map_extract(labels, 'side')[1] = " + sql_text(side);
  constexpr int64_t kSecondMs = 1000;
  // The time of the runs leaves most row groups of large parts unread.
  const std::string of_time =
      has_times ? fmt::format("\"timestamp\" BETWEEN to_timestamp({}) AND to_timestamp({}) AND ",
                              began_ms / kSecondMs - 1, ended_ms / kSecondMs + 1)
                : "";
  return fmt::format(
      "(SELECT * FROM {} WHERE {}coalesce(run_id, source_form) IN (SELECT "
      "unnest({})){})",
      from, of_time, sql_list({runs.begin(), runs.end()}), of_side);
}

Json rows_json(const QueryResult& result) {
  Json list = Json::array();
  for (const std::vector<Json>& row : result.rows) {
    Json object = Json::object();
    for (size_t column = 0; column < row.size(); ++column) {
      object[result.columns[column].name] = row[column];
    }
    list.push_back(std::move(object));
  }
  return list;
}

Json row_json(const QueryResult& result) {
  const Json rows = rows_json(result);
  return rows.empty() ? Json() : rows.front();
}

}  // namespace opbench
