#include "kernels/schedules/rows/permutation.h"

#include "kernels/schedules/operands/anchor_check.h"

namespace opbench {

bool is_transposition(const KernelSpec& spec) {
  if (spec.workload.graph.nodes.size() != 1 || !takes_anchor(spec, "Transpose")) return false;
  return permutation_of(spec).size() == anchor_type(spec, 0).shape.size() &&
         !spec.workload.is_weight(anchor_of(spec).inputs[0]);
}

std::vector<int64_t> permutation_of(const KernelSpec& spec) {
  std::vector<int64_t> perm;
  for (size_t i = anchor_type(spec, 0).shape.size(); i-- > 0;)
    perm.push_back(static_cast<int64_t>(i));
  return ints_attribute(anchor_of(spec), "perm", perm);
}

}  // namespace opbench
