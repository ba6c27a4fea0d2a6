#include "records/record/benchmark_field_table.h"

#include <algorithm>

namespace opbench {
namespace {

using R = BenchmarkRecord;

// One function for each kind of member, so that a new kind without its SQL type does not compile.
const char* sql_type(R::Word R::*) { return "VARCHAR"; }
const char* sql_type(R::Text R::*) { return "VARCHAR"; }
const char* sql_type(R::Whole R::*) { return "BIGINT"; }
const char* sql_type(R::Number R::*) { return "DOUBLE"; }
const char* sql_type(R::Flag R::*) { return "BOOLEAN"; }
const char* sql_type(R::TextList R::*) { return "VARCHAR[]"; }
const char* sql_type(R::NumberList R::*) { return "DOUBLE[]"; }
const char* sql_type(R::TextMap R::*) { return "MAP(VARCHAR, VARCHAR)"; }
const char* sql_type(R::NumberMap R::*) { return "MAP(VARCHAR, DOUBLE)"; }
const char* sql_type(R::CountMap R::*) { return "MAP(VARCHAR, BIGINT)"; }
const char* sql_type(R::Object R::*) { return "VARCHAR"; }

std::vector<NamedColumn> columns_of(const BenchmarkField& field) {
  std::vector<NamedColumn> columns;
  if (field.has_own_column) columns.push_back({field.name, column_type_of(field)});
  for (const PartColumn& part : field.parts) columns.push_back({part.name, part.type});
  return columns;
}

}  // namespace

const std::vector<BenchmarkField>& benchmark_fields() {
#define OPBENCH_FIELD(kind, name_, number_, group_, ...) \
  {.name = #name_, .member = &R::name_, .number = number_, .group = group_, .meaning = __VA_ARGS__},
#define OPBENCH_FIELD_SET(kind, name_, value, ...) OPBENCH_FIELD(kind, name_, __VA_ARGS__)
  using enum ColumnGroup;
  static const std::vector<BenchmarkField> kFields = {
#include "records/record/benchmark_fields.inc"
  };
  return kFields;
}

bool is_required(const BenchmarkField& field) {
  return std::holds_alternative<R::Word R::*>(field.member);
}

std::string column_type_of(const BenchmarkField& field) {
  if (*field.column != '\0') return field.column;
  return std::visit([](auto member) { return sql_type(member); }, field.member);
}

std::vector<NamedColumn> columns_of(ColumnGroup group) {
  std::vector<NamedColumn> columns;
  for (const bool is_moved : {false, true}) {
    for (const BenchmarkField& field : benchmark_fields()) {
      if (field.group != group || is_moved != (*field.after != '\0')) continue;
      const auto before = std::ranges::find(columns, field.after, &NamedColumn::name);
      const auto own = columns_of(field);
      columns.insert(before == columns.end() ? before : before + 1, own.begin(), own.end());
    }
  }
  return columns;
}

}  // namespace opbench
