#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <utility>

#include "experiments/analysis/sweep_readers.h"

namespace opbench {
namespace {

constexpr const char* kSchema = "opbench.sweep/1";

std::string text_of(const Json& value) {
  return value.is_string() ? value.get<std::string>() : value.dump();
}

std::string member(const Json& json, const char* name) {
  const auto found = json.find(name);
  return found != json.end() && found->is_string() ? found->get<std::string>() : "";
}

/// The median; nothing for a point that failed.
std::optional<double> time_of(const Json& point) {
  const auto failure = point.find("failure");
  if (failure != point.end() && failure->is_string()) return {};
  const auto time = point.find("time_ms");
  if (time == point.end() || !time->is_object()) return {};
  const auto median = time->find("median");
  if (median == time->end() || !median->is_number()) return {};
  return median->get<double>();
}

}  // namespace

Result<SweptTimes> read_json_sweep(const Json& json, const std::string& path) {
  const auto refuse = [&](const std::string& what) {
    return Error{ErrorCode::kInvalidInput, fmt::format("\"{}\" {}", path, what)}.with(
        "valid", "what opbench sweep --format json prints");
  };
  const std::string schema = member(json, "schema");
  if (schema != kSchema) return refuse("has the schema \"" + schema + "\", not " + kSchema);
  SweptTimes table{.source = path, .time_name = "time_ms", .unit = "ms"};
  table.subject = member(json, "workload");
  if (table.subject.empty()) table.subject = member(json, "model");
  const auto over = json.find("over");
  if (over == json.end() || !over->is_array()) return refuse("does not say what it is over");
  for (const Json& key : *over) table.keys.push_back({member(key, "key"), {}, {}});
  if (!json.at("points").is_array()) return refuse("has no list of points");
  for (const Json& point : json.at("points")) {
    const auto values = point.find("values");
    if (values == point.end() || !values->is_object()) return refuse("has a point without values");
    std::vector<std::string> texts;
    for (const SweptKey& key : table.keys) {
      const auto value = values->find(key.name);
      if (value == values->end()) return refuse("has a point without " + key.name);
      texts.push_back(text_of(*value));
    }
    add_row(table, texts, time_of(point));
  }
  return finished(std::move(table));
}

}  // namespace opbench
