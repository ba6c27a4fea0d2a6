#pragma once

#include <string_view>

#include "base/json/json.h"

namespace opbench {

/// The value as a column of this type of DuckDB's takes it (`BIGINT`, `DOUBLE[]`, `MAP(VARCHAR,
/// DOUBLE)`, `STRUCT(name VARCHAR, …)[]`), so that no cast fails and takes other rows with it. What
/// the type cannot hold is null: the column `record` has it as it was. A `VARCHAR` takes any value,
/// as JSON; a `TIMESTAMPTZ` any form that parse_timestamp reads.
Json fitted_value(const Json& value, std::string_view type);

}  // namespace opbench
