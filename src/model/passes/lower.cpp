#include <fmt/format.h>

#include "model/passes/passes.h"

namespace opbench {
namespace {

/// A workload holds known values of at most one dimension. An operator that needs others before the
/// run has none.
Result<void> check_units(const Model& model, const std::vector<Unit>& units) {
  for (const Unit& unit : units) {
    if (unit.workload.graph.nodes.size() == unit.nodes.size()) continue;
    const Node& node = model.graph.nodes[unit.nodes.front()];
    return Error{ErrorCode::kInvalidInput,
                 fmt::format("{} \"{}\" has no workload: it needs the values of whole tensors "
                             "before the run",
                             node.type, node.name)};
  }
  return {};
}

}  // namespace

Result<std::vector<Unit>> lower(Model& model, Fusion fusion) {
  OPBENCH_CHECK(infer_types(model));
  widen_halves(model);
  if (fusion == Fusion::kOn) join_scalings(model);
  if (take_apart(model)) OPBENCH_CHECK(infer_types(model));
  OPBENCH_CHECK(fold_constants(model));
  OPBENCH_CHECK(fold_batch_norms(model));
  split_recurrent(model);
  OPBENCH_CHECK(infer_types(model));
  std::vector<Unit> units = fusion == Fusion::kOn ? fuse(model) : single_nodes(model);
  OPBENCH_CHECK(check_units(model, units));
  return units;
}

}  // namespace opbench
