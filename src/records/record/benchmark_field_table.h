#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "records/record/benchmark_fields.h"

namespace opbench {

/// Where a field's columns stand in the parts of a store. Parts of measurements have the groups
/// identity, time and environment, in this order; parts of predictions identity, prediction and
/// environment.
enum class ColumnGroup { kNoColumn, kIdentity, kTime, kPrediction, kEnvironment };

/// A further column that is made from a field.
struct PartColumn {
  const char* name = "";
  const char* type = "";         ///< as DuckDB writes it
  const char* member = nullptr;  ///< of the field's object; null: benchmark_row() computes it
};

using BenchmarkMember = std::variant<
    BenchmarkRecord::Word BenchmarkRecord::*, BenchmarkRecord::Text BenchmarkRecord::*,
    BenchmarkRecord::Whole BenchmarkRecord::*, BenchmarkRecord::Number BenchmarkRecord::*,
    BenchmarkRecord::Flag BenchmarkRecord::*, BenchmarkRecord::TextList BenchmarkRecord::*,
    BenchmarkRecord::NumberList BenchmarkRecord::*, BenchmarkRecord::TextMap BenchmarkRecord::*,
    BenchmarkRecord::NumberMap BenchmarkRecord::*, BenchmarkRecord::CountMap BenchmarkRecord::*,
    BenchmarkRecord::Object BenchmarkRecord::*>;

/// What benchmark_fields.inc declares of a field.
struct BenchmarkField {
  const char* name = "";
  BenchmarkMember member;
  int number = 0;  ///< in protobuf
  ColumnGroup group = ColumnGroup::kNoColumn;
  const char* meaning = "";
  const char* proto = "";   ///< the type in protobuf, where the member's does not give it
  const char* schema = "";  ///< the JSON schema without a description, likewise
  std::optional<int64_t> minimum{}, maximum{};
  bool is_above_zero = false;
  bool has_own_check = false;  ///< validate_record() has a rule for it instead of the type's
  bool has_own_column = true;
  const char* column = "";  ///< the column's type, where the member's does not give it
  const char* after = "";   ///< the column of the group behind which it stands, if not the field's
  std::vector<PartColumn> parts{};
};

/// All fields, in the order of a line.
const std::vector<BenchmarkField>& benchmark_fields();

/// Whether every record has the field, and not as null.
bool is_required(const BenchmarkField& field);

/// The SQL type of the field's own column.
std::string column_type_of(const BenchmarkField& field);

struct NamedColumn {
  std::string name, type;
  bool operator==(const NamedColumn&) const = default;
};

/// The columns of a group, in the order of a part.
std::vector<NamedColumn> columns_of(ColumnGroup group);

}  // namespace opbench
