#pragma once

#include <map>
#include <string>
#include <vector>

#include "engines/package/layout_plan.h"
#include "engines/runtime/program.h"
#include "engines/runtime/step_order.h"

namespace opbench {

/// A step's weight as it must be laid out: which constant, packed for which step and operand.
struct PlannedWeight {
  int slot = 0;
  size_t step = 0;     ///< index into the planned steps
  size_t operand = 0;  ///< position among the workload's inputs
  std::string constant;
};

struct MemoryPlan {
  Program program;  ///< weight slots have no offset and size yet, steps no symbol
  std::vector<PlannedWeight> weights;
  std::vector<size_t>
      planned;             ///< for every step of the program, its index among the planned steps
  int64_t live_bytes = 0;  ///< largest live set: see largest_live_set
};

/// Where values may begin: kernels rely on whole cache lines of the host, and devices cut their
/// memory at boundaries of their own.
struct MemoryBoundaries {
  int64_t host = 64;
  int64_t device = 128;

  int64_t in(MemoryScope scope) const { return scope == MemoryScope::kHost ? host : device; }
  int64_t rounded(int64_t bytes, MemoryScope scope) const {
    return (bytes + in(scope)-1) / in(scope)*in(scope);
  }
};

/// Gives every value a place. Values that are not needed at the same time share memory:
/// `arena_offsets` says where. A part of a concatenation that is made in its place takes its bytes
/// only from then on, not for as long as the concatenation has them. Not steps of the program,
/// since no data move: concatenations whose parts can be made where they belong, and layout changes
/// that leave the bytes in their order. `given` as for plan_layouts.
///
/// `waits` say, for the steps of the program, which end before others start; data dependencies are
/// added. Values of steps that they leave unordered never share memory. Empty: the steps run one
/// after the other, which needs the least memory.
MemoryPlan plan_memory(const Model& model, const std::vector<PlannedStep>& steps,
                       const GivenLayouts& given = {}, const StepWaits& waits = {},
                       const MemoryBoundaries& boundaries = {});

}  // namespace opbench
