#include "model/operators/workloads/unit_identity.h"

#include <fmt/format.h>

#include <tuple>
#include <utility>

namespace opbench {
namespace {

std::string layout_word(int block) { return block == 0 ? "NCHW" : fmt::format("NCHW{}c", block); }

}  // namespace

bool operator==(const UnitIdentity& a, const UnitIdentity& b) {
  return std::tie(a.operator_text, a.schedule, a.origin, a.nodes) ==
             std::tie(b.operator_text, b.schedule, b.origin, b.nodes) &&
         workload_text(a) == workload_text(b) && short_shapes(a) == short_shapes(b) &&
         layouts_of(a) == layouts_of(b);
}

void parse_workload_of(UnitIdentity& unit) {
  if (unit.texts.workload.empty()) return;
  Result<Workload> workload = parse_workload(unit.texts.workload);
  if (!workload) return;
  if (unit.operator_text.empty()) unit.operator_text = operator_text(*workload);
  unit.workload = std::move(*workload);
  unit.texts.workload.clear();
}

UnitIdentity identity_from(UnitTexts texts) {
  UnitIdentity unit;
  unit.texts = std::move(texts);
  parse_workload_of(unit);
  return unit;
}

std::string workload_text(const UnitIdentity& unit) {
  return unit.workload ? text_of(*unit.workload) : unit.texts.workload;
}

std::string short_shapes(const UnitIdentity& unit) {
  if (!unit.texts.shapes.empty() || !unit.workload) return unit.texts.shapes;
  if (!unit.is_layout_change() || unit.blocks.empty()) return short_shapes(*unit.workload);
  return fmt::format("{} {} -> {}", shape_text(unit.workload->graph.types.at("y").shape),
                     layout_word(unit.blocks.front()), layout_word(unit.blocks.back()));
}

std::vector<int> layouts_of(const UnitIdentity& unit) {
  if (!unit.workload || unit.blocks.empty()) return unit.texts.layouts;
  const auto& inputs = unit.workload->graph.inputs;
  std::vector<int> layouts;
  for (size_t i = 0; i < unit.blocks.size(); ++i) {
    const bool is_weight = i < inputs.size() && unit.workload->is_weight(inputs[i].name);
    if (!is_weight) layouts.push_back(unit.blocks[i]);
  }
  return layouts;
}

}  // namespace opbench
