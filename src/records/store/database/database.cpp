#include "records/store/database/database.h"

#include <duckdb.h>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>

#include "records/store/database/duckdb_library.h"
#include "records/store/database/duckdb_value.h"
#include "records/store/database/utf8_path.h"

namespace opbench {

struct Database::Handles {
  duckdb_database database = nullptr;
  duckdb_connection connection = nullptr;
};

void Database::Close::operator()(Handles* handles) const {
  if (handles->connection != nullptr) duckdb_disconnect(&handles->connection);
  if (handles->database != nullptr) duckdb_close(&handles->database);
  delete handles;
}

namespace {

/// Frees a result at the end.
struct OwnedResult {
  duckdb_result result{};
  OwnedResult() = default;
  OwnedResult(const OwnedResult&) = delete;
  OwnedResult& operator=(const OwnedResult&) = delete;
  ~OwnedResult() { duckdb_destroy_result(&result); }
};

struct OwnedConfig {
  duckdb_config config = nullptr;
  OwnedConfig() = default;
  OwnedConfig(const OwnedConfig&) = delete;
  OwnedConfig& operator=(const OwnedConfig&) = delete;
  ~OwnedConfig() { duckdb_destroy_config(&config); }
};

bool is_systems_fault(duckdb_error_type type) {
  return type == DUCKDB_ERROR_IO || type == DUCKDB_ERROR_OUT_OF_MEMORY ||
         type == DUCKDB_ERROR_INTERNAL || type == DUCKDB_ERROR_FATAL;
}

/// The first line as message, what follows (the place in the SQL) as facts.
Error worded_error(const std::string& text, ErrorCode code) {
  const size_t end = text.find('\n');
  Error error{code, "DuckDB: " + text.substr(0, end)};
  if (end == std::string::npos) return error;
  size_t begin = end + 1;
  while (begin < text.size()) {
    const size_t next = std::min(text.find('\n', begin), text.size());
    const std::string line = text.substr(begin, next - begin);
    if (line.find_first_not_of(' ') != std::string::npos) error.facts.push_back({"at", line});
    begin = next + 1;
  }
  return error;
}

Error query_error(duckdb_result& result) {
  const char* words = duckdb_result_error(&result);
  return worded_error(words == nullptr ? "unknown error" : words,
                      is_systems_fault(duckdb_result_error_type(&result))
                          ? ErrorCode::kSystem
                          : ErrorCode::kInvalidInput);
}

Result<void> set_options(duckdb_config config, const DatabaseOptions& options) {
  std::vector<std::pair<std::string, std::string>> settings = {
      {"autoinstall_known_extensions", "false"},
      {"autoload_known_extensions", "false"},
      {"preserve_insertion_order", options.keeps_order ? "true" : "false"}};
  if (options.threads > 0) settings.emplace_back("threads", fmt::to_string(options.threads));
  if (!options.memory_limit.empty()) settings.emplace_back("memory_limit", options.memory_limit);
  settings.emplace_back("temp_directory", utf8_path(options.spill_folder));
  for (const auto& [name, value] : settings) {
    if (duckdb_set_config(config, name.c_str(), value.c_str()) != DuckDBSuccess) {
      return Error{ErrorCode::kInvalidInput,
                   fmt::format("DuckDB has no setting \"{}\" = \"{}\"", name, value)};
    }
  }
  return {};
}

QueryResult database_rows_of(duckdb_result& result) {
  QueryResult rows;
  const idx_t columns = duckdb_column_count(&result);
  std::vector<duckdb_logical_type> types;
  for (idx_t i = 0; i < columns; ++i) {
    types.push_back(duckdb_column_logical_type(&result, i));
    rows.columns.push_back({duckdb_column_name(&result, i), type_text(types.back())});
  }
  while (duckdb_data_chunk chunk = duckdb_fetch_chunk(result)) {
    const idx_t size = duckdb_data_chunk_get_size(chunk);
    const size_t before = rows.rows.size();
    rows.rows.resize(before + size);
    for (idx_t column = 0; column < columns; ++column) {
      duckdb_vector vector = duckdb_data_chunk_get_vector(chunk, column);
      for (idx_t row = 0; row < size; ++row) {
        rows.rows[before + row].push_back(value_json(vector, types[column], row));
      }
    }
    duckdb_destroy_data_chunk(&chunk);
  }
  for (duckdb_logical_type& type : types) duckdb_destroy_logical_type(&type);
  return rows;
}

}  // namespace

Result<Database> Database::open(const DatabaseOptions& options) {
  OPBENCH_CHECK(load_duckdb());
  Database database;
  database.handles_.reset(new Handles);
  OwnedConfig config;
  if (duckdb_create_config(&config.config) != DuckDBSuccess) {
    return Error{ErrorCode::kSystem, "DuckDB has no memory for its settings"};
  }
  OPBENCH_CHECK(set_options(config.config, options));
  char* words = nullptr;
  if (duckdb_open_ext(nullptr, &database.handles_->database, config.config, &words) !=
      DuckDBSuccess) {
    const std::string reason = words == nullptr ? "unknown error" : words;
    duckdb_free(words);
    return Error{ErrorCode::kSystem, "DuckDB does not start: " + reason};
  }
  if (duckdb_connect(database.handles_->database, &database.handles_->connection) !=
      DuckDBSuccess) {
    return Error{ErrorCode::kSystem, "DuckDB gives no connection"};
  }
  return database;
}

void* Database::connection() const { return handles_->connection; }

Result<void> Database::run(const std::string& sql) {
  OwnedResult owned;
  if (duckdb_query(handles_->connection, sql.c_str(), &owned.result) != DuckDBSuccess) {
    return query_error(owned.result);
  }
  return {};
}

Result<QueryResult> Database::query(const std::string& sql) {
  OwnedResult owned;
  if (duckdb_query(handles_->connection, sql.c_str(), &owned.result) != DuckDBSuccess) {
    return query_error(owned.result);
  }
  return database_rows_of(owned.result);
}

Result<void> Database::check_single(const std::string& sql) {
  duckdb_extracted_statements statements = nullptr;
  const idx_t count = duckdb_extract_statements(handles_->connection, sql.c_str(), &statements);
  const char* words = count == 0 ? duckdb_extract_statements_error(statements) : nullptr;
  const std::string text = words == nullptr ? "" : words;
  duckdb_destroy_extracted(&statements);
  if (count == 1) return {};
  if (!text.empty()) return worded_error(text, ErrorCode::kInvalidInput);
  if (count == 0) {
    return Error{ErrorCode::kInvalidInput, fmt::format("no statement in \"{}\"", sql)};
  }
  return Error{ErrorCode::kInvalidInput,
               fmt::format("{} statements in \"{}\", where one is taken", count, sql)};
}

Result<void> Database::for_each_chunk(const std::string& sql,
                                      const std::function<Result<void>(void*)>& take) {
  duckdb_prepared_statement statement = nullptr;
  if (duckdb_prepare(handles_->connection, sql.c_str(), &statement) != DuckDBSuccess) {
    const char* words = duckdb_prepare_error(statement);
    Error error{ErrorCode::kInvalidInput,
                fmt::format("DuckDB: {}", words ? words : "not prepared")};
    duckdb_destroy_prepare(&statement);
    return error;
  }
  OwnedResult owned;
  const duckdb_state state = duckdb_execute_prepared_streaming(statement, &owned.result);
  duckdb_destroy_prepare(&statement);
  if (state != DuckDBSuccess) return query_error(owned.result);
  while (duckdb_data_chunk chunk = duckdb_fetch_chunk(owned.result)) {
    Result<void> taken = take(chunk);
    duckdb_destroy_data_chunk(&chunk);
    if (!taken) return taken;
  }
  const char* words = duckdb_result_error(&owned.result);
  if (words != nullptr && *words != '\0') return query_error(owned.result);
  return {};
}

std::string sql_text(std::string_view text) {
  std::string quoted = "'";
  for (const char c : text) {
    quoted += c;
    if (c == '\'') quoted += c;
  }
  return quoted + "'";
}

std::string sql_path(const std::filesystem::path& file) { return sql_text(utf8_path(file)); }

std::string sql_list(const std::vector<std::string>& texts) {
  std::string list = "[";
  for (const std::string& text : texts) {
    if (list.size() > 1) list += ", ";
    list += sql_text(text);
  }
  return list + "]";
}

}  // namespace opbench
