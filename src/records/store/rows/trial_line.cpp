#include "records/store/rows/trial_line.h"

#include <duckdb.h>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "records/formats/logs/tuning_codec.h"
#include "records/json/python_json.h"
#include "records/store/database/database.h"
#include "records/store/database/duckdb_value.h"
#include "records/store/parts/part_writer.h"

namespace opbench {
namespace {

constexpr const char* kTrialLineSentinel = "[1000000000.0]";

enum TrialLineColumn : idx_t {
  kTrialLineTarget,
  kTrialLineTask,
  kTrialLineArgs,
  kTrialLineKnobs,
  kTrialLineKnobValues,
  kTrialLineConfigIndex,
  kTrialLineCosts,
  kTrialLineAllCost,
  kTrialLineTimestamp,
  kTrialLineNumberForms,
  kTrialLineErrorNo,
  kTrialLineTvmVersion,
  kTrialLineFormat,
  kTrialLineSource,
  kFile,
  kTrialLineLine,
  kTrialLineColumnCount
};
constexpr const char* kTrialLineColumns =
    "target, task, args, knobs, knob_values, config_index, costs_s, all_cost_s, timestamp_unix, "
    "number_forms, error_no, tvm_version, format, source, file, line";

std::string number_text(const Json& value, bool is_int) {
  if (value.is_null()) return "0";
  if (is_int) return fmt::to_string(static_cast<int64_t>(std::llround(value.get<double>())));
  std::string text;
  append_python_number(text, value.get<double>());
  return text;
}

std::string string_of(const Json& value) {
  return value.is_string() ? value.get<std::string>() : std::string();
}

/// `%20` is a space.
std::string unescaped(std::string_view name) {
  std::string text;
  for (size_t i = 0; i < name.size(); ++i) {
    const std::string_view digits = name.substr(i + 1, 2);
    const char* const end = digits.data() + digits.size();
    constexpr int kHex = 16;
    unsigned char code = 0;
    if (name[i] != '%' || digits.size() < 2 ||
        std::from_chars(digits.data(), end, code, kHex).ptr != end) {
      text += name[i];
      continue;
    }
    text += static_cast<char>(code);
    i += 2;
  }
  return text;
}

/// `[["tile_y", "sp", [-1, 4]], …]` from the columns knobs and knob_values.
std::string entity_text(std::string_view knobs, const std::string& values) {
  const Json items = Json::parse(values, nullptr, false);
  Json entity = Json::array();
  for (size_t i = 0; items.is_array() && i < items.size(); ++i) {
    const NamedKnob knob = take_knob(knobs);
    entity.push_back({knob.name, knob.kind, items[i]});
  }
  return entity.dump();
}

TrialTexts texts_of(const std::vector<Json>& row) {
  const auto forms =
      row[kTrialLineNumberForms].is_null() ? 0 : row[kTrialLineNumberForms].get<int>();
  std::string costs = "[";
  for (const Json& cost : row[kTrialLineCosts]) {
    if (costs.size() > 1) costs += ", ";
    append_python_number(costs, cost.get<double>());
  }
  return {.target = string_of(row[kTrialLineTarget]),
          .task = string_of(row[kTrialLineTask]),
          .args = string_of(row[kTrialLineArgs]),
          .knobs = string_of(row[kTrialLineKnobs]),
          .knob_values = string_of(row[kTrialLineKnobValues]),
          .config_index =
              row[kTrialLineConfigIndex].is_null() ? 0 : row[kTrialLineConfigIndex].get<uint64_t>(),
          .costs = row[kTrialLineErrorNo] == 0 ? costs + "]" : kTrialLineSentinel,
          .all_cost = number_text(row[kTrialLineAllCost], (forms & 1) != 0),
          .timestamp = number_text(row[kTrialLineTimestamp], (forms & 2) != 0),
          .error_no = row[kTrialLineErrorNo].get<int>(),
          .tvm_version = string_of(row[kTrialLineTvmVersion])};
}

DecodedLine decode_source(const std::string& format, const std::string& source) {
  const bool is_log_line = format.starts_with("autotvm") && !source.starts_with("{\"target\"");
  return is_log_line ? decode_autotvm(source) : decode_protobuf_json(source);
}

Result<void> hand_over(
    const std::vector<Json>& row,
    const std::function<Result<void>(const TuningRecord&, std::string_view)>& take) {
  const std::string source = string_of(row[kTrialLineSource]);
  const std::string line = source.empty() ? trial_line(texts_of(row)) : source;
  DecodedLine decoded = source.empty() ? decode_autotvm(line)
                                       : decode_source(string_of(row[kTrialLineFormat]), source);
  if (!decoded.record) return {};
  decoded.record->origin.file = string_of(row[kFile]);
  decoded.record->origin.line = row[kTrialLineLine].get<int64_t>();
  if (!source.empty()) return take(*decoded.record, source);
  const Result<std::string> text = encode_autotvm(*decoded.record);
  return take(*decoded.record, text ? *text : line);
}

}  // namespace

std::string trial_line(const TrialTexts& texts) {
  const auto quoted = [](const std::string& text) {
    std::string result;
    append_python_string(result, text);
    return result;
  };
  return fmt::format(
      R"({{"input": [{}, {}, {}, {{}}], "config": {{"index": {}, "code_hash": null, "entity": {}}}, )"
      R"("result": [{}, {}, {}, {}], "version": 0.2, "tvm_version": {}}})",
      quoted(texts.target), quoted(texts.task), texts.args, texts.config_index,
      entity_text(texts.knobs, texts.knob_values), texts.costs, texts.error_no, texts.all_cost,
      texts.timestamp, quoted(texts.tvm_version));
}

NamedKnob take_knob(std::string_view& knobs) {
  const std::string_view knob = knobs.substr(0, knobs.find(' '));
  knobs.remove_prefix(std::min(knob.size() + 1, knobs.size()));
  const size_t colon = std::min(knob.rfind(':'), knob.size());
  const std::string_view kind = knob.substr(std::min(colon + 1, knob.size()));
  return {unescaped(knob.substr(0, colon)), std::string(kind)};
}

Result<TuningRecord> record_of(const BestTrial& trial, const std::string& target,
                               const std::string& task, const std::string& args) {
  TrialTexts texts{.target = target,
                   .task = task,
                   .args = args,
                   .knobs = trial.knobs,
                   .knob_values = trial.knob_values.empty() ? "[]" : trial.knob_values,
                   .config_index = trial.config_index,
                   .costs = "[",
                   .all_cost = "0"};
  append_python_number(texts.costs, trial.mean_s);
  texts.costs += "]";
  append_python_number(texts.timestamp, trial.timestamp);
  DecodedLine decoded = decode_autotvm(trial_line(texts));
  if (!decoded.record) {
    return Error{ErrorCode::kSystem, "the best index holds an entry that is no trial"};
  }
  decoded.record->origin.file = trial.file;
  decoded.record->origin.line = trial.line;
  return std::move(*decoded.record);
}

Result<void> for_each_trial(
    StoreFolder& store, const std::string& where,
    const std::function<Result<void>(const TuningRecord&, std::string_view)>& take) {
  OPBENCH_TRY(const std::vector<StorePart> parts, store.live_parts(RecordKind::kTrial));
  if (parts.empty()) return {};
  OPBENCH_TRY(Database database, Database::open());
  const std::string sql =
      fmt::format("SELECT {} FROM {} WHERE {} ORDER BY file, line", kTrialLineColumns,
                  scan_of(parts), where.empty() ? "true" : where);
  return database.for_each_chunk(sql, [&](void* handle) -> Result<void> {
    auto* const chunk = static_cast<duckdb_data_chunk>(handle);
    std::vector<duckdb_vector> vectors;
    std::vector<duckdb_logical_type> types;
    for (idx_t i = 0; i < kTrialLineColumnCount; ++i) {
      vectors.push_back(duckdb_data_chunk_get_vector(chunk, i));
      types.push_back(duckdb_vector_get_column_type(vectors.back()));
    }
    Result<void> done;
    for (idx_t row = 0; done && row < duckdb_data_chunk_get_size(chunk); ++row) {
      std::vector<Json> values;
      for (idx_t i = 0; i < kTrialLineColumnCount; ++i) {
        values.push_back(value_json(vectors[i], types[i], row));
      }
      done = hand_over(values, take);
    }
    for (duckdb_logical_type& type : types) duckdb_destroy_logical_type(&type);
    return done;
  });
}

}  // namespace opbench
