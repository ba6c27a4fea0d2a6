#include "presentation/report/tune/space_report.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/errors/suggestion.h"
#include "base/json/json.h"
#include "kernels/space/entity_match.h"
#include "records/json/python_json.h"

namespace opbench {
namespace {

constexpr const char* kSpaceSchema = "opbench.space/1";
constexpr const char* kPointSchema = "opbench.point/1";

constexpr int kSpaceReportIndent = 2;

std::string space_report_arguments_text(const Task& task) {
  return python_json(Argument::of_tuple(task.arguments));
}

/// Every argument has a form in JSON.
Json space_report_json_of(const std::string& text) { return Json::parse(text); }

Json knob_json(const Knob& knob) {
  const bool is_split = knob.kind == KnobKind::kSplit;
  Json json;
  json["name"] = knob.name;
  json["kind"] = tag_of(knob.kind);
  json["policy"] = knob.policy.empty() ? Json(nullptr) : Json(knob.policy);
  json["product"] = is_split ? Json(knob.product) : Json(nullptr);
  json["num_outputs"] = is_split ? Json(knob.num_outputs) : Json(nullptr);
  json["size"] = knob.entities.size();
  return json;
}

/// As Python writes the value: words of annotations in quotes, other words without.
std::string value_text(const KnobValue& knob) {
  if (knob.kind != tag_of(KnobKind::kAnnotate)) return python_text(knob.value);
  std::vector<std::string> words;
  for (const Argument& word : knob.value.items) {
    words.push_back(word.kind == ArgumentKind::kString ? "'" + word.text + "'" : python_text(word));
  }
  return "[" + join(words) + "]";
}

Json space_report_task_json(const TaskSpace& space) {
  Json json;
  json["task"] = space.task.name;
  json["args"] = space_report_json_of(space_report_arguments_text(space.task));
  json["size"] = space.size;
  json["knobs"] = Json::array();
  for (const Knob& knob : space.space.knobs) json["knobs"].push_back(knob_json(knob));
  return json;
}

}  // namespace

std::string space_text(const std::vector<TaskSpace>& spaces) {
  std::string text;
  for (const TaskSpace& space : spaces) {
    text += fmt::format("{}  {} {}\n{}\n\n", space.number, space.task.name,
                        space_report_arguments_text(space.task), printed(space.space));
  }
  return text;
}

std::string printed_spaces(const std::vector<TaskSpace>& spaces) {
  std::string text;
  for (const TaskSpace& space : spaces) text += printed(space.space);
  return text;
}

TextTable space_table(const std::vector<TaskSpace>& spaces) {
  TextTable table{.columns = {{.header = "number", .is_right_aligned = true},
                              {.header = "task"},
                              {.header = "args"},
                              {.header = "size", .is_right_aligned = true},
                              {.header = "knobs"}}};
  for (const TaskSpace& space : spaces) {
    std::vector<std::string> knobs;
    for (const Knob& knob : space.space.knobs) {
      knobs.push_back(fmt::format("{} {}", knob.name, knob.entities.size()));
    }
    table.rows.push_back(
        {{std::to_string(space.number), space.task.name, space_report_arguments_text(space.task),
          std::to_string(space.size), join(knobs)}});
  }
  return table;
}

std::string space_json(const std::string& model, const Target& target,
                       const std::vector<TaskSpace>& spaces) {
  Json json;
  json["schema"] = kSpaceSchema;
  json["model"] = model;
  json["target"] = display_text(target);
  json["tasks"] = Json::array();
  for (const TaskSpace& space : spaces) json["tasks"].push_back(space_report_task_json(space));
  return json.dump(kSpaceReportIndent, ' ', false, Json::error_handler_t::replace) + "\n";
}

std::string config_text(const KnobConfig& config) {
  std::vector<std::string> knobs;
  for (const KnobValue& knob : config.knobs) {
    knobs.push_back(fmt::format("('{}', {})", knob.name, value_text(knob)));
  }
  return fmt::format("[{}],None,{}", join(knobs), config.index);
}

TextTable config_table(const KnobConfig& config) {
  TextTable table{.columns = {{.header = "knob"}, {.header = "kind"}, {.header = "value"}}};
  for (const KnobValue& knob : config.knobs) {
    table.rows.push_back({{knob.name, knob.kind, python_json(knob.value)}});
  }
  return table;
}

std::string config_json(const std::string& model, const TaskSpace& space,
                        const KnobConfig& config) {
  Json json;
  json["schema"] = kPointSchema;
  json["model"] = model;
  json["target"] = display_text(space.task.target);
  json["task"] = space.task.name;
  json["args"] = space_report_json_of(space_report_arguments_text(space.task));
  json["index"] = config.index;
  json["entity"] = Json::array();
  for (const KnobValue& knob : config.knobs) {
    json["entity"].push_back({knob.name, knob.kind, space_report_json_of(python_json(knob.value))});
  }
  return json.dump(kSpaceReportIndent, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace opbench
