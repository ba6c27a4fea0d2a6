#include "presentation/report/plan/device_plan_report.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>

#include "machine/facts/cpu_list.h"
#include "presentation/report/place/place_run_tables.h"
#include "presentation/report/plan/plan_report.h"
#include "presentation/report/text/number_text.h"

namespace opbench {
namespace {

/// A row a method of placing: what it would take.
TextTable free_plan_table(const PlaceResult& result) {
  TextTable table;
  table.columns = {{.header = "method"},
                   {.header = "makespan", .is_right_aligned = true, .unit = "ms, simulated"}};
  for (const PlaceDevice& device : result.graph.devices) {
    table.columns.push_back({.header = device.name, .is_right_aligned = true, .unit = "units"});
  }
  for (const PlaceCandidate& one : result.study.candidates) {
    TextRow row{.cells = {one.method, ms_text(one.point.makespan_ms)}};
    for (size_t d = 0; d < result.graph.devices.size(); ++d) {
      row.cells.push_back(
          std::to_string(std::ranges::count(one.point.placement, static_cast<int>(d))));
    }
    table.rows.push_back(std::move(row));
  }
  return table;
}

}  // namespace

std::string device_plan_text(const PlaceResult& result, int width, const TextStyle& style) {
  const PlaceGraph& graph = result.graph;
  std::string text = fmt::format("model     {}, {} units\n", graph.model, graph.size());
  for (size_t i = 0; i < graph.devices.size(); ++i) {
    const PlaceDevice& device = graph.devices[i];
    text +=
        fmt::format("{:<9} {}: CPUs {}, {}, times {} ({})\n", i == 0 ? "workers" : "", device.name,
                    cpu_list_text(device.cpus), device.target, device.kind, device.source);
  }
  text += fmt::format("transfers modelled: {}\n", graph.transfer.source);
  if (!graph.noise.empty()) text += fmt::format("noise     {}\n", graph.noise);
  text += "\nPlans that were run; predicted: simulated step by step\n" +
          aligned_text(place_run_table(result), width, style);
  text += "\nPlacements without copies as steps\n" +
          aligned_text(free_plan_table(result), width, style);
  for (const PlacedRow& row : result.runs) {
    if (!row.plan) continue;
    text += fmt::format("\n{}, simulated\n", row.method) +
            timeline_text(row.plan->file.plan, row.plan->timeline, width);
    text += fmt::format("\nCopies of {}\n", row.method) +
            aligned_text(transfer_table(row), width, style);
  }
  for (const std::string& warning : result.warnings) text += "warning: " + warning + "\n";
  return text;
}

Json device_plan_json(const PlaceResult& result) {
  const auto planned =
      std::ranges::find_if(result.runs, [](const PlacedRow& row) { return row.plan.has_value(); });
  if (planned == result.runs.end()) return nullptr;
  Json json = to_json(planned->plan->file);
  json["runs"] = place_runs_json(result);
  json["warnings"] = result.warnings;
  return json;
}

}  // namespace opbench
