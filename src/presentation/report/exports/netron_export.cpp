#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <set>

#include "base/errors/suggestion.h"
#include "base/json/json_text.h"
#include "presentation/report/exports/export.h"
#include "presentation/report/exports/export_rows.h"
#include "presentation/report/exports/graph_names.h"
#include "presentation/report/tables/unit_rows.h"

namespace opbench {
namespace {

/// Collects what Netron shows beside a model: numbers under "metrics", words under "metadata".
class NetronAttachment {
 public:
  explicit NetronAttachment(const GraphNames& names) : names_(names) {}

  void add(const EngineResult& engine) {
    const std::string prefix = run_name(engine) + ": ";
    for (const UnitPlace& place : places_of(engine, &names_)) {
      const std::string unit = join(place.nodes, " + ");
      for (const std::string& node : place.nodes) {
        const GraphNode* found = names_.find(node);
        // Netron looks a name up to its first line break.
        if (found == nullptr || node.find('\n') != std::string::npos) {
          missing_.insert(node);
          continue;
        }
        has_nodes_ = true;
        add_node(prefix, found->is_named ? "node" : "value", node, unit, place);
      }
    }
    if (const auto& time = engine.model.end_to_end) {
      add_entry(metrics_, "model", "", prefix + "end_to_end_ms", time->median_ms);
    }
  }

  bool has_nodes() const { return has_nodes_; }
  size_t missing() const { return missing_.size(); }

  std::string text() && {
    const Json json = {{"signature", "netron:attachment"},
                       {"metadata", std::move(metadata_)},
                       {"metrics", std::move(metrics_)}};
    return json_text(json, 1) + "\n";
  }

 private:
  static void add_entry(Json& list, const char* kind, const std::string& target,
                        const std::string& name, const Json& value) {
    list.push_back({{"kind", kind}, {"target", target}, {"name", name}, {"value", value}});
  }

  void add_node(const std::string& prefix, const char* kind, const std::string& node,
                const std::string& unit_nodes, const UnitPlace& place) {
    const UnitResult& unit = *place.unit;
    const auto number = [&](const char* name, const std::optional<double>& value) {
      if (value) add_entry(metrics_, kind, node, prefix + name, *value);
    };
    number("unit_ms", place.ms);
    if (unit.time) number("unit_alone_ms", unit.time->median_ms);
    number("gflops_per_s", unit.gflops_per_s);
    number("percent_of_peak", unit.percent_of_peak);
    const auto word = [&](const char* name, const std::string& value) {
      if (!value.empty()) add_entry(metadata_, kind, node, prefix + name, value);
    };
    word("unit", unit_nodes);
    word("operator", unit.identity.operator_text);
    word("schedule", unit.identity.schedule);
    word("bound", unit.bound);
    if (unit.failure) word("failure", to_text(*unit.failure));
  }

  const GraphNames& names_;
  Json metrics_ = Json::array(), metadata_ = Json::array();
  std::set<std::string> missing_;
  bool has_nodes_ = false;
};

Result<ExportText> write_netron(const ExportInput& input) {
  const GraphNames names(*input.graph);
  NetronAttachment attachment(names);
  for (const EngineResult& engine : input.profile.engines) attachment.add(engine);
  const size_t missing = attachment.missing();
  if (!attachment.has_nodes()) {
    return nothing_to_export(input.profile, "no unit of the profile is a node of the model");
  }
  ExportText result{.text = std::move(attachment).text()};
  if (missing > 0) {
    result.remarks.push_back(
        fmt::format("{} nodes of the profile are not in the model's graph and left out", missing));
  }
  return result;
}

}  // namespace

ExportDef netron_export() {
  return {.name = "netron",
          .summary = "an attachment for Netron: open the model, then drop the file on it",
          .graph = GraphUse::kNeeded,
          .write = write_netron};
}

}  // namespace opbench
