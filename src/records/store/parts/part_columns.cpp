#include "records/store/parts/part_columns.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "records/record/benchmark_field_table.h"

namespace opbench {
namespace {

std::vector<ResultColumn> trial_columns() {
  return {{"id", "UUID"},
          {"workload_key", "UBIGINT"},
          {"target", "VARCHAR"},
          {"task", "VARCHAR"},
          {"args", "VARCHAR"},
          {"config_index", "UBIGINT"},
          {"knobs", "VARCHAR"},
          {"knob_values", "VARCHAR"},
          {"costs_s", "DOUBLE[]"},
          {"mean_s", "DOUBLE"},
          {"error_no", "TINYINT"},
          {"error_message", "VARCHAR"},
          {"all_cost_s", "DOUBLE"},
          {"timestamp_unix", "DOUBLE"},
          {"number_forms", "UTINYINT"},
          {"tvm_version", "VARCHAR"},
          {"format", "VARCHAR"},
          {"line", "BIGINT"},
          {"source", "VARCHAR"},
          {"file", "VARCHAR"}};
}

/// The columns of records whose own group is this one (records/record/benchmark_fields.inc).
std::vector<ResultColumn> record_columns(ColumnGroup own) {
  std::vector<ResultColumn> columns = {{"id", "BLOB"}};
  for (const ColumnGroup group : {ColumnGroup::kIdentity, own, ColumnGroup::kEnvironment}) {
    for (const NamedColumn& column : columns_of(group)) {
      columns.push_back({column.name, column.type});
    }
  }
  columns.push_back({"record", "VARCHAR"});
  return columns;
}

}  // namespace

const std::vector<ResultColumn>& part_columns(RecordKind kind) {
  static const std::vector<ResultColumn> kTrials = trial_columns();
  static const std::vector<ResultColumn> kBenchmarks = record_columns(ColumnGroup::kTime);
  static const std::vector<ResultColumn> kSources = {
      {"id", "UUID"}, {"file", "VARCHAR"}, {"line", "BIGINT"}};
  static const std::vector<ResultColumn> kPredictions = record_columns(ColumnGroup::kPrediction);
  if (kind == RecordKind::kSource) return kSources;
  if (kind == RecordKind::kPrediction) return kPredictions;
  return kind == RecordKind::kTrial ? kTrials : kBenchmarks;
}

std::string no_values(RecordKind kind) {
  std::string text;
  for (const ResultColumn& column : part_columns(kind)) {
    if (!text.empty()) text += ", ";
    text += fmt::format("NULL::{} AS \"{}\"", column.type, column.name);
  }
  return text;
}

}  // namespace opbench
