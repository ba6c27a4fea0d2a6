#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "base/errors/error.h"
#include "base/json/json.h"

namespace opbench {

struct DatabaseOptions {
  int threads = 0;                          ///< 0: as many as there are CPUs
  std::string memory_limit;                 ///< `192MB`; empty: DuckDB's own
  std::filesystem::path spill_folder = {};  ///< for what does not fit; empty: none is used
  bool keeps_order = true;  ///< of inserted rows; false lets several threads write one file
};

/// Names and DuckDB types of a result's columns.
struct ResultColumn {
  std::string name;
  std::string type;  ///< BIGINT, VARCHAR, DOUBLE[], …
  bool operator==(const ResultColumn&) const = default;
};

struct QueryResult {
  std::vector<ResultColumn> columns;
  std::vector<std::vector<Json>> rows;
};

/// A DuckDB database in memory with one connection; never reaches for the network.
class Database {
 public:
  /// `kEnvironment` if the library cannot be loaded.
  static Result<Database> open(const DatabaseOptions& options = {});

  /// Runs statements without looking at their rows. `kInvalidInput` with DuckDB's words when the
  /// SQL is wrong, `kSystem` when reading or writing fails.
  Result<void> run(const std::string& sql);

  /// Rows of the last statement, as JSON: lists are arrays, structs and maps objects, times and
  /// identifiers text, numbers beyond 64 bits text, NaN and infinities null.
  Result<QueryResult> query(const std::string& sql);

  /// Nothing for exactly one statement. `kInvalidInput` for none, several, or what cannot be
  /// parsed.
  Result<void> check_single(const std::string& sql);

  /// Hands every chunk (a duckdb_data_chunk) of a result to `take`, without holding the result.
  Result<void> for_each_chunk(const std::string& sql,
                              const std::function<Result<void>(void* chunk)>& take);

  /// A duckdb_connection, for what the functions above do not cover.
  void* connection() const;

 private:
  struct Handles;
  struct Close {
    void operator()(Handles* handles) const;
  };
  std::unique_ptr<Handles, Close> handles_;
};

/// `'it''s'`: the text as an SQL string.
std::string sql_text(std::string_view text);

/// The name of a file as an SQL string, whatever bytes its folder's name has.
std::string sql_path(const std::filesystem::path& file);

/// `['a', 'b']`: a list of SQL strings.
std::string sql_list(const std::vector<std::string>& texts);

}  // namespace opbench
