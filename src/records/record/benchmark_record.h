#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/errors/error.h"
#include "base/json/json.h"
#include "records/record/benchmark_fields.h"

namespace opbench {

/// Whether its time was predicted: it is no measurement, and nothing that reads times may take it
/// for one.
bool is_predicted(const BenchmarkRecord& record);

/// The names of all fields of the schema, in order.
std::vector<std::string> record_fields();

Json to_json(const BenchmarkRecord& record);

/// The reverse; keeps unknown fields. `kInvalidInput` with the field and its value when a type is
/// wrong. Nothing else is checked: see validate_record.
Result<BenchmarkRecord> record_from_json(const Json& json);

/// One line with a newline at its end.
std::string to_line(const BenchmarkRecord& record);

/// 64 hex digits: SHA-256 of the record as sorted compact JSON without record_id, a line break and
/// `occurrence`, the number of identical records before it in one file.
std::string record_id_of(const Json& record, int64_t occurrence);

/// Gives every record its id, as the lines of one file.
void assign_record_ids(std::vector<BenchmarkRecord>& records);

/// The records of a file of lines; empty lines are skipped. `kInvalidInput` with the number of the
/// line when one cannot be read, or when there is none.
Result<std::vector<BenchmarkRecord>> parse_record_lines(std::string_view lines);

}  // namespace opbench
