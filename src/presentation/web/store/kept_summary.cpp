#include "presentation/web/store/kept_summary.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <set>

#include "base/files/file.h"
#include "base/numbers/hash.h"
#include "presentation/web/store/summary_sql.h"
#include "presentation/web/store/task_sql.h"
#include "records/store/parts/part_columns.h"

namespace opbench {
namespace {

/// To be raised when a table of the summary means something else under the same statements.
constexpr int kSummaryVersion = 1;

constexpr std::array kTables = {"points", "series",     "failures",   "run_parts", "machine_parts",
                                "runs",   "entries",    "entry_runs", "stats",     "machines",
                                "noise",  "task_parts", "tasks"};

/// Changes with every statement that makes a table, and with the folder: `runs` names files.
std::string schema_of(const std::filesystem::path& store) {
  std::set<std::string> columns;
  for (const ResultColumn& column : part_columns(RecordKind::kBenchmark)) {
    columns.insert(column.name);
  }
  std::string text = fmt::format("{}\n{}\n", kSummaryVersion, store.string());
  for (const auto& statements :
       {summary_tables(), summary_additions("parts", columns), summary_conclusions(), task_tables(),
        std::vector{task_addition("parts"), task_conclusion()}}) {
    for (const std::string& statement : statements) text += statement + '\n';
  }
  return sha256(text);
}

Result<void> run_statements(const RunStatement& run, const std::vector<std::string>& statements) {
  for (const std::string& statement : statements) OPBENCH_CHECK(run(statement));
  return {};
}

std::string values_of(const SummarizedParts& parts) {
  std::string values;
  for (const auto& [kind, names] :
       {std::pair("benchmark", &parts.benchmarks), std::pair("trial", &parts.trials)}) {
    for (const auto& [name, bytes] : *names) {
      values +=
          fmt::format("{}('{}', {}, {})", values.empty() ? "" : ", ", kind, sql_text(name), bytes);
    }
  }
  return values;
}

Result<void> write_summary(const RunStatement& run, const std::filesystem::path& file,
                           const std::filesystem::path& store, const SummarizedParts& parts) {
  std::vector<std::string> statements;
  for (const char* table : kTables) {
    statements.push_back(fmt::format("CREATE TABLE kept.{0} AS SELECT * FROM memory.{0}", table));
  }
  statements.emplace_back(
      "CREATE TABLE kept.kept_parts (kind VARCHAR, name VARCHAR, bytes BIGINT)");
  if (const std::string values = values_of(parts); !values.empty()) {
    statements.push_back("INSERT INTO kept.kept_parts VALUES " + values);
  }
  // Last: a file without it is not whole.
  statements.push_back(
      fmt::format("CREATE TABLE kept.kept_schema AS SELECT '{}' AS schema", schema_of(store)));
  statements.emplace_back("CHECKPOINT kept");
  OPBENCH_CHECK(run(fmt::format("ATTACH {} AS kept", sql_path(file))));
  const Result<void> written = run_statements(run, statements);
  OPBENCH_CHECK(run("DETACH kept"));
  return written;
}

Result<SummarizedParts> copy_tables(Database& database, const std::filesystem::path& store) {
  OPBENCH_TRY(const QueryResult schema, database.query("SELECT schema FROM kept.kept_schema"));
  if (schema.rows.size() != 1 || schema.rows[0][0] != schema_of(store)) {
    return Error{ErrorCode::kNoMatch, "the summary is of another program or folder"};
  }
  OPBENCH_TRY(const QueryResult rows,
              database.query("SELECT kind, name, bytes FROM kept.kept_parts"));
  SummarizedParts parts;
  for (const std::vector<Json>& row : rows.rows) {
    auto& names = row[0] == "trial" ? parts.trials : parts.benchmarks;
    names.emplace(row[1].get<std::string>(), row[2].get<int64_t>());
  }
  for (const char* table : kTables) {
    OPBENCH_CHECK(database.run(
        fmt::format("CREATE OR REPLACE TABLE memory.{0} AS SELECT * FROM kept.{0}", table)));
  }
  return parts;
}

}  // namespace

std::filesystem::path kept_summary_file(const std::filesystem::path& store) {
  return store / "_web" / "summary.duckdb";
}

Result<SummarizedParts> take_kept_summary(Database& database, const std::filesystem::path& store) {
  const std::filesystem::path file = kept_summary_file(store);
  std::error_code fault;
  if (!std::filesystem::is_regular_file(file, fault)) {
    return Error{ErrorCode::kNoMatch, "no summary is kept"};
  }
  OPBENCH_CHECK(database.run(fmt::format("ATTACH {} AS kept (READ_ONLY)", sql_path(file))));
  auto parts = copy_tables(database, store);
  OPBENCH_CHECK(database.run("DETACH kept"));
  return parts;
}

Result<void> keep_summary(const RunStatement& run, const std::filesystem::path& store,
                          const SummarizedParts& parts) {
  const std::filesystem::path place = kept_summary_file(store);
  OPBENCH_CHECK(make_writable_folder(place.parent_path()));
  OPBENCH_CHECK(make_writable_folder(store / "_tmp"));
  OPBENCH_TRY(const TemporaryFolder folder, TemporaryFolder::make_in(store / "_tmp"));
  const std::filesystem::path file = folder.path() / "summary.duckdb";
  OPBENCH_CHECK(write_summary(run, file, store, parts));
  OPBENCH_CHECK(sync_file(file));
  if (std::rename(file.c_str(), place.c_str()) == 0) return {};
  return Error{ErrorCode::kSystem,
               fmt::format("cannot write \"{}\": {}", place.string(), std::strerror(errno))};
}

}  // namespace opbench
