#include <fmt/format.h>

#include "model/passes/passes.h"

namespace opbench {
namespace {

/// A node of another opset may have no form in which workloads are written.
Result<void> check_units(const Model& model, const std::vector<Unit>& units) {
  for (const Unit& unit : units) {
    if (unit.workload.graph.nodes.size() == unit.nodes.size()) continue;
    const Node& node = model.graph.nodes[unit.nodes.front()];
    return Error{ErrorCode::kInvalidInput,
                 fmt::format("{} \"{}\" of opset {} has no form in opset 17", node.type, node.name,
                             model.opset)};
  }
  return {};
}

}  // namespace

Result<std::vector<Unit>> lower(Model& model) {
  OPBENCH_CHECK(infer_types(model));
  OPBENCH_CHECK(fold_constants(model));
  OPBENCH_CHECK(fold_batch_norms(model));
  OPBENCH_CHECK(infer_types(model));
  std::vector<Unit> units = fuse(model);
  OPBENCH_CHECK(check_units(model, units));
  return units;
}

}  // namespace opbench
