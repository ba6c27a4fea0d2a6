#include "presentation/report/records/best_report.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "records/json/python_json.h"

namespace opbench {
namespace {

constexpr const char* kRecordsBestSchema = "opbench.records.best/1";

/// What texts a log holds as JSON; as a string if it is none.
Json parsed(const std::string& text) {
  Json json = Json::parse(text, nullptr, false);
  return json.is_discarded() ? Json(text) : json;
}

std::string best_report_arguments_text(const TuningRecord& record) {
  std::vector<Argument> items;
  for (const NamedArgument& named : record.arguments) items.push_back(named.value);
  return python_json(Argument::of_tuple(std::move(items)));
}

Json best_report_config_json(const TuningRecord& record) {
  Json json;
  if (const auto* ansor = std::get_if<AnsorConfig>(&record.config)) {
    json["workload_key"] = ansor->workload_key;
    Json steps = Json::array();
    for (const AnsorStep& step : ansor->steps) {
      Json entry = parsed(python_json(Argument::of_tuple(step.items)));
      entry.insert(entry.begin(), step.kind);
      steps.push_back(std::move(entry));
    }
    json["steps"] = std::move(steps);
    return json;
  }
  if (const auto* trace = std::get_if<TraceConfig>(&record.config)) {
    json["workload_index"] = trace->workload_index;
    json["trace"] = parsed(trace->trace_json);
    return json;
  }
  const KnobConfig& config = std::get<KnobConfig>(record.config);
  json["index"] = config.index;
  json["code_hash"] = config.code_hash ? Json(*config.code_hash) : Json();
  json["entity"] = Json::array();
  for (const KnobValue& knob : config.knobs) {
    json["entity"].push_back({knob.name, knob.kind, parsed(python_json(knob.value))});
  }
  return json;
}

std::string best_report_config_text(const TuningRecord& record) {
  if (const auto* config = std::get_if<KnobConfig>(&record.config)) {
    return std::to_string(config->index);
  }
  if (const auto* ansor = std::get_if<AnsorConfig>(&record.config)) {
    return fmt::format("{} steps", ansor->steps.size());
  }
  return "trace";
}

std::string number_text(double value) {
  std::string text;
  append_python_number(text, value);
  return text;
}

/// `1x64x56x56`, `1x512:float16`, `1,1`; a dash for none.
std::string short_text(const Argument& argument) {
  const auto joined = [](const std::vector<Argument>& items, const char* between) {
    std::string text;
    for (const Argument& item : items) text += (text.empty() ? "" : between) + short_text(item);
    return text;
  };
  if (argument.kind == ArgumentKind::kTensor) {
    return joined(argument.items, "x") + (argument.text == "float32" ? "" : ":" + argument.text);
  }
  if (argument.kind == ArgumentKind::kTuple) return joined(argument.items, ",");
  if (argument.kind == ArgumentKind::kString) return argument.text;
  if (argument.kind == ArgumentKind::kNull) return "-";
  return python_json(argument);
}

std::string short_arguments(const TuningRecord& record) {
  std::string text;
  for (const NamedArgument& named : record.arguments) {
    text += (text.empty() ? "" : " ") + short_text(named.value);
  }
  return text;
}

/// Three digits: `36.7 µs`.
std::string best_report_time_text(double seconds) {
  for (const auto& [unit, name] :
       {std::pair(1.0, "s"), std::pair(1e-3, "ms"), std::pair(1e-6, "µs")}) {
    if (seconds >= unit) return fmt::format("{:.3g} {}", seconds / unit, name);
  }
  return fmt::format("{:.3g} ns", seconds * 1e9);
}

}  // namespace

Json best_json(const std::vector<BestRow>& rows, size_t total) {
  Json list = Json::array();
  for (const BestRow& row : rows) {
    const TuningRecord& record = row.record;
    const bool is_ok = record.result.error_no == 0;
    list.push_back({{"target", record.target},
                    {"task", record.task},
                    {"args", parsed(best_report_arguments_text(record))},
                    {"config", best_report_config_json(record)},
                    {"mean_s", is_ok ? Json(mean_cost(record.result.costs_s)) : Json()},
                    {"error_no", record.result.error_no},
                    {"file", record.origin.file},
                    {"line", record.origin.line},
                    {"provenance", row.provenance}});
  }
  return Json{{"schema", kRecordsBestSchema}, {"total", total}, {"rows", std::move(list)}};
}

TextTable best_data_table(const std::vector<BestRow>& rows) {
  TextTable table{.columns = {{.header = "target", .shrinks_to = 12},
                              {.header = "task", .shrinks_to = 12},
                              {.header = "args", .shrinks_to = 16},
                              {.header = "config", .is_right_aligned = true},
                              {.header = "mean_s", .is_right_aligned = true},
                              {.header = "error_no", .is_right_aligned = true, .drop_order = 3},
                              {.header = "file", .shrinks_to = 12, .drop_order = 2},
                              {.header = "line", .is_right_aligned = true, .drop_order = 1},
                              {.header = "provenance"}}};
  for (const BestRow& row : rows) {
    const TuningRecord& record = row.record;
    const bool is_ok = record.result.error_no == 0;
    table.rows.push_back({{record.target, record.task, best_report_arguments_text(record),
                           best_report_config_text(record),
                           is_ok ? number_text(mean_cost(record.result.costs_s)) : "-",
                           std::to_string(record.result.error_no), record.origin.file,
                           std::to_string(record.origin.line), row.provenance}});
  }
  return table;
}

TextTable best_table(const std::vector<BestRow>& rows) {
  TextTable table{.columns = {{.header = "task", .shrinks_to = 20},
                              {.header = "args", .shrinks_to = 36},
                              {.header = "time", .is_right_aligned = true},
                              {.header = "provenance"},
                              {.header = "config", .is_right_aligned = true, .drop_order = 3},
                              {.header = "target", .shrinks_to = 16, .drop_order = 2},
                              {.header = "from", .shrinks_to = 12, .drop_order = 1}}};
  for (const BestRow& row : rows) {
    const TuningRecord& record = row.record;
    const int error_no = record.result.error_no;
    table.rows.push_back({{record.task, short_arguments(record),
                           error_no == 0 ? best_report_time_text(mean_cost(record.result.costs_s))
                                         : fmt::format("error {}", error_no),
                           row.provenance, best_report_config_text(record), record.target,
                           fmt::format("{}:{}", record.origin.file, record.origin.line)}});
  }
  return table;
}

}  // namespace opbench
