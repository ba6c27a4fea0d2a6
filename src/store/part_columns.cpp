#include "opbench/store/part_columns.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

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

}  // namespace

const std::vector<ResultColumn>& part_columns(RecordKind kind) {
  static const std::vector<ResultColumn> trials = trial_columns();
  static const std::vector<ResultColumn> benchmarks = trial_columns();
  return kind == RecordKind::kTrial ? trials : benchmarks;
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
