#include "experiments/devices/place_graph.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

namespace opbench {
namespace {

constexpr const char* kPlaceGraphSchema = "opbench.place/1";

Json to_json(const PlaceDevice& device) {
  return {{"name", device.name},
          {"cpus", device.cpus},
          {"variant", device.variant},
          {"target", device.target},
          {"kind", device.kind},
          {"source", device.source},
          {"common_error", device.common_error}};
}

Json to_json(const PlaceControl& control) {
  return {{"device", control.device}, {"ratio", control.ratio},   {"low", control.low},
          {"high", control.high},     {"rounds", control.rounds}, {"times_ms", control.times_ms}};
}

Json unit_json(const PlaceGraph& graph, size_t number) {
  const GraphUnit& unit = graph.graph.units[number];
  Json needs = Json::array();
  for (const UnitNeed& need : unit.needs) {
    needs.push_back({{"unit", need.unit}, {"bytes", static_cast<double>(need.bytes.value())}});
  }
  return {{"name", unit.name},
          {"operators", unit.kind},
          {"workload", graph.workloads[number]},
          {"needs", std::move(needs)},
          {"times_ms", graph.times_ms[number]},
          {"errors_ms", graph.errors_ms[number]}};
}

PlaceDevice device_of(const Json& json) {
  return {json.at("name"),
          json.at("cpus"),
          json.at("variant"),
          json.at("target"),
          json.at("kind"),
          json.at("source"),
          json.value("common_error", 0.0)};
}

PlaceControl control_of(const Json& json) {
  return {json.at("device"), json.at("ratio"),  json.at("low"),
          json.at("high"),   json.at("rounds"), json.at("times_ms")};
}

/// Nothing for a number that is no count of bytes.
std::optional<int64_t> bytes_of(double number) {
  constexpr double kMost = 1LL << 53;  // whole numbers up to here are exact
  const bool is_count = number >= 0 && number <= kMost && std::trunc(number) == number;
  return is_count ? std::optional(static_cast<int64_t>(number)) : std::nullopt;
}

void add_unit(const Json& json, PlaceGraph& graph) {
  GraphUnit unit{.name = json.at("name"), .kind = json.at("operators")};
  for (const Json& need : json.at("needs")) {
    unit.needs.push_back({need.at("unit"), bytes_of(need.at("bytes"))});
  }
  graph.add(std::move(unit), json.at("workload"), json.at("times_ms"), json.at("errors_ms"));
}

PlaceGraph graph_of(const Json& json) {
  PlaceGraph graph{.model = json.at("model"), .sha256 = json.at("sha256")};
  for (const Json& device : json.at("devices")) graph.devices.push_back(device_of(device));
  for (const Json& unit : json.at("units")) add_unit(unit, graph);
  const Json& transfer = json.at("transfer");
  graph.transfer = {transfer.at("latency_ms"), transfer.at("ms_per_byte"), transfer.at("source")};
  if (json.contains("control")) graph.control = control_of(json.at("control"));
  graph.noise = json.value("noise", "");
  graph.disturbance = json.value("disturbance", "");
  return graph;
}

bool are_at_least_0(const std::vector<double>& numbers, size_t count) {
  return numbers.size() == count && std::ranges::all_of(numbers, [](double number) {
           return std::isfinite(number) && number >= 0;
         });
}

/// Times and needs are checked with the problem (check_problem).
Result<void> check(const PlaceGraph& graph) {
  if (graph.devices.size() < 2) return invalid_input("there are fewer than two devices");
  if (graph.size() == 0) return invalid_input("there are no units");
  const TransferCost& transfer = graph.transfer;
  if (!are_at_least_0({transfer.latency_ms, transfer.ms_per_byte}, 2)) {
    return invalid_input("\"transfer\" holds a number below 0");
  }
  if (const auto& control = graph.control; control) {
    const bool is_right = are_at_least_0({control->ratio, control->low, control->high}, 3) &&
                          control->low > 0 && control->low <= control->high &&
                          are_at_least_0(control->times_ms, graph.size());
    if (!is_right) return invalid_input("\"control\" holds times that cannot be");
  }
  for (const PlaceDevice& device : graph.devices) {
    if (are_at_least_0({device.common_error}, 1)) continue;
    return invalid_input(fmt::format("\"common_error\" of device \"{}\" is below 0", device.name));
  }
  for (size_t i = 0; i < graph.size(); ++i) {
    const GraphUnit& unit = graph.graph.units[i];
    const bool has_errors = are_at_least_0(graph.errors_ms[i], graph.devices.size());
    const bool has_bytes = std::ranges::all_of(
        unit.needs, [](const UnitNeed& need) { return need.bytes.has_value(); });
    if (has_errors && has_bytes) continue;
    return invalid_input(
        fmt::format("\"errors_ms\" or \"bytes\" of unit \"{}\" are not one number of at "
                    "least 0 each, whole ones of bytes",
                    unit.name));
  }
  return {};
}

}  // namespace

void PlaceGraph::add(GraphUnit unit, std::string workload, std::vector<double> unit_ms,
                     std::vector<double> unit_errors_ms) {
  graph.units.push_back(std::move(unit));
  workloads.push_back(std::move(workload));
  times_ms.push_back(std::move(unit_ms));
  errors_ms.push_back(std::move(unit_errors_ms));
}

Json to_json(const PlaceGraph& graph) {
  Json json = {{"schema", kPlaceGraphSchema}, {"model", graph.model}, {"sha256", graph.sha256}};
  json["devices"] = Json::array();
  for (const PlaceDevice& device : graph.devices) json["devices"].push_back(to_json(device));
  json["transfer"] = {{"latency_ms", graph.transfer.latency_ms},
                      {"ms_per_byte", graph.transfer.ms_per_byte},
                      {"source", graph.transfer.source}};
  if (graph.control) json["control"] = to_json(*graph.control);
  if (!graph.noise.empty()) json["noise"] = graph.noise;
  if (!graph.disturbance.empty()) json["disturbance"] = graph.disturbance;
  json["units"] = Json::array();
  for (size_t i = 0; i < graph.size(); ++i) json["units"].push_back(unit_json(graph, i));
  return json;
}

Result<PlaceGraph> parse_place_graph(const std::string& text, const std::string& what) {
  OPBENCH_TRY(const Json json, parse_json(text, what));
  if (!json.is_object() || json.value("schema", Json()) != kPlaceGraphSchema) {
    return invalid_input(fmt::format("\"{}\" is no report of placements", what))
        .with("known", kPlaceGraphSchema)
        .with("to make one", "opbench place MODEL --devices cpu0,cpu1:avx2 --format json -o FILE");
  }
  PlaceGraph graph;
  try {
    graph = graph_of(json);
  } catch (const Json::exception& error) {
    return invalid_input(fmt::format("\"{}\" lacks a member, or one is of another type", what))
        .with("reason", error.what());
  }
  if (const auto checked = check(graph); !checked) return Error(checked.error()).with("in", what);
  return graph;
}

}  // namespace opbench
