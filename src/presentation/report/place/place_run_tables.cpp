#include "presentation/report/place/place_run_tables.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>

#include "presentation/report/text/number_text.h"

namespace opbench {
namespace {

double modelled_ms(const DevicePlan& plan, const CopyTime& copy) {
  return copy_ms(plan.costs, copy.is_to_device, copy.bytes);
}

std::string check_text(const CheckResult& check) {
  if (!is_made(check)) return "not checked";
  if (found_wrong(check)) return "wrong";
  return fmt::format("passed, {}", check.engine);
}

/// In the order in which workers begin with them.
Json steps_json(const DevicePlan& plan) {
  Json steps = Json::array();
  for (const PlanStep& step : plan.file.plan.steps) {
    const auto index = static_cast<size_t>(step.units.front());
    const UnitIdentity& facts = plan.file.facts[index];
    steps.push_back({{"operators", facts.operator_text},
                     {"nodes", facts.nodes},
                     {"schedule", facts.schedule},
                     {"worker", step.workers.front()},
                     {"predicted_ms", plan.file.timed.times.units[index].times_ms.front()},
                     {"ms", plan.step_ms[index]}});
  }
  return steps;
}

std::string direction_text(const CopyTime& copy) {
  return copy.is_to_device ? "to_device" : "to_host";
}

}  // namespace

TextTable place_run_table(const PlaceResult& result) {
  TextTable table;
  table.columns = {{.header = "placement"},
                   {.header = "predicted", .is_right_aligned = true, .unit = "ms"},
                   {.header = "measured", .is_right_aligned = true, .unit = "ms"},
                   {.header = "difference", .is_right_aligned = true}};
  for (const PlaceDevice& device : result.graph.devices) {
    table.columns.push_back({.header = device.name, .is_right_aligned = true, .unit = "units"});
  }
  table.columns.push_back({.header = "copies", .is_right_aligned = true});
  table.columns.push_back({.header = "results"});
  for (const PlacedRow& row : result.runs) {
    TextRow cells{.cells = {row.method, ms_text(row.predicted_ms), ms_text(row.measured_ms),
                            over_text(row.predicted_ms, row.measured_ms)}};
    for (size_t d = 0; d < result.graph.devices.size(); ++d) {
      cells.cells.push_back(std::to_string(std::ranges::count(row.placement, static_cast<int>(d))));
    }
    cells.cells.push_back(std::to_string(row.transfers.size()));
    cells.cells.push_back(check_text(row.check));
    table.rows.push_back(std::move(cells));
  }
  return table;
}

TextTable transfer_table(const PlacedRow& row) {
  TextTable table;
  table.columns = {{.header = "copy"},
                   {.header = "value"},
                   {.header = "bytes", .is_right_aligned = true},
                   {.header = "time", .is_right_aligned = true, .unit = "ms"},
                   {.header = "modelled", .is_right_aligned = true, .unit = "ms"}};
  for (const CopyTime& copy : row.transfers) {
    table.rows.push_back({.cells = {direction_text(copy), copy.value, std::to_string(copy.bytes),
                                    ms_text(copy.ms), ms_text(modelled_ms(*row.plan, copy))}});
  }
  return table;
}

std::string place_runs_text(const PlaceResult& result, int width, const TextStyle& style) {
  if (result.runs.empty()) return "";
  std::string text =
      "\nPlacements that were run\n" + aligned_text(place_run_table(result), width, style);
  for (const PlacedRow& row : result.runs) {
    if (!row.plan) continue;
    text += fmt::format("\nCopies of {}\n", row.method) +
            aligned_text(transfer_table(row), width, style);
  }
  return text;
}

Json place_runs_json(const PlaceResult& result) {
  Json runs = Json::array();
  for (const PlacedRow& row : result.runs) {
    Json run = {{"method", row.method},
                {"placement", row.placement},
                {"predicted_ms", row.predicted_ms},
                {"measured_ms", row.measured_ms},
                {"check", check_text(row.check)},
                {"transfers", Json::array()}};
    for (const CopyTime& copy : row.transfers) {
      Json transfer = {{"copy", direction_text(copy)},
                       {"value", copy.value},
                       {"bytes", copy.bytes},
                       {"ms", copy.ms}};
      if (row.plan) transfer["modelled_ms"] = modelled_ms(*row.plan, copy);
      run["transfers"].push_back(std::move(transfer));
    }
    if (row.plan) run["steps"] = steps_json(*row.plan);
    runs.push_back(std::move(run));
  }
  return runs;
}

}  // namespace opbench
