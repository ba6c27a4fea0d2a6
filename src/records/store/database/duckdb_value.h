#pragma once

#include <cstdint>
#include <string>

#include "base/json/json.h"

/// Values of DuckDB's vectors; `vector` is a duckdb_vector, `type` a duckdb_logical_type.
namespace opbench {

/// `BIGINT`, `VARCHAR[]`, `STRUCT(a BIGINT)`
std::string type_text(void* type);

/// The value of a row, as Database::query describes it.
Json value_json(void* vector, void* type, uint64_t row);

}  // namespace opbench
