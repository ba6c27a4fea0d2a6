#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <set>

#include "base/json/json_text.h"
#include "presentation/report/exports/export.h"
#include "presentation/report/exports/export_rows.h"
#include "presentation/report/exports/graph_names.h"
#include "presentation/report/tables/unit_rows.h"

namespace opbench {
namespace {

/// The graph as Model Explorer's adapter for ONNX calls it when the model does not.
constexpr const char* kUnnamedGraph = "<main>";

/// From white to dark, so that the order shows without colour.
Json shades() {
  return Json::array({{{"stop", 0}, {"bgColor", "#ffffff"}, {"textColor", "#000000"}},
                      {{"stop", 0.5}, {"bgColor", "#e69f00"}, {"textColor", "#000000"}},
                      {{"stop", 1}, {"bgColor", "#7a2e00"}, {"textColor", "#ffffff"}}});
}

/// `{graph: {"name", "results": {node or output tensor: {"value"}}, "gradient"}}`: a unit's time
/// stands at its first node, so that sums over groups of nodes are right.
Result<ExportText> write_model_explorer(const ExportInput& input) {
  if (input.profile.engines.empty()) {
    return nothing_to_export(input.profile, "the profile has no engine");
  }
  const EngineResult& engine = input.profile.engines.front();
  const GraphNames names(*input.graph);
  Json results = Json::object();
  std::set<std::string> missing;
  for (const UnitPlace& place : places_of(engine, &names)) {
    std::string first;
    for (const std::string& node : place.nodes) {
      if (names.find(node) == nullptr) {
        missing.insert(node);
        continue;
      }
      if (!first.empty()) {
        results[node] = {{"value", "in the unit of " + first}};
        continue;
      }
      first = node;
      if (place.unit->failure) {
        results[node] = {{"value", to_text(*place.unit->failure)}};
      } else if (place.ms) {
        results[node] = {{"value", *place.ms}};
      }
    }
  }
  if (results.empty()) {
    return nothing_to_export(input.profile, "no unit of the profile is a node of the model");
  }
  const std::string graph = input.graph->name.empty() ? kUnnamedGraph : input.graph->name;
  const Json json = {{graph,
                      {{"name", "ms, " + run_name(engine)},
                       {"results", std::move(results)},
                       {"gradient", shades()}}}};
  ExportText result{.text = json_text(json, 1) + "\n"};
  if (!missing.empty()) {
    result.remarks.push_back(fmt::format(
        "{} nodes of the profile are not in the model's graph and left out", missing.size()));
  }
  if (input.profile.engines.size() > 1) {
    result.remarks.push_back("the file is of " + run_name(engine) +
                             " alone; --engine and --threads choose another");
  }
  return result;
}

}  // namespace

ExportDef model_explorer_export() {
  return {.name = "model-explorer",
          .summary = "node data for Model Explorer: milliseconds of each unit, shaded",
          .graph = GraphUse::kNeeded,
          .write = write_model_explorer};
}

}  // namespace opbench
