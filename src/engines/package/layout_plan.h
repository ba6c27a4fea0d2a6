#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "engines/package/unit_placement.h"
#include "engines/runtime/program.h"
#include "kernels/schedules/kernel_choice.h"
#include "machine/target/target.h"
#include "model/operators/workloads/unit_identity.h"
#include "model/passes/passes.h"

namespace opbench {

/// A value of the graph in one layout and one memory.
struct PlannedValue {
  std::string name;
  int block = 0;  ///< channel block; 0: dense row-major
  MemoryScope scope = MemoryScope::kHost;
  // NOLINTNEXTLINE(modernize-use-nullptr): clang-tidy 14 takes the comparison's 0 for a pointer
  auto operator<=>(const PlannedValue&) const = default;
};

/// Channel blocks of graph inputs and outputs by name; those not named are dense.
using GivenLayouts = std::map<std::string, int>;
int block_of(const GivenLayouts& given, const std::string& name);

/// One kernel call with the layouts of its operands chosen, or a copy between memories.
struct PlannedStep {
  UnitIdentity identity;  ///< with a workload
  UnitValues values;      ///< the further outputs are dense
  Target target;          ///< of its kernel, like the next two
  Config config;
  int threads = 1;
  StepCopy copy = StepCopy::kNone;

  /// False: the operators' references run on the host, or it is a copy.
  bool has_kernel() const {
    return copy == StepCopy::kNone && identity.schedule != kReferenceSchedule;
  }
  /// Kernels of targets for a device run there, all else on the host.
  MemoryScope runs_on() const;
  const Workload& workload() const { return *identity.workload; }
  PlannedValue operand(size_t index) const;
  PlannedValue output() const;
  /// What its kernel is made of; without a schedule: it has none.
  KernelSpec kernel() const;
};

/// The step of a kernel, without values yet. No nodes: a change of layout.
PlannedStep step_of(KernelSpec kernel, std::string origin, std::vector<std::string> nodes);

/// The units of a model with layouts: channel-blocked from convolution to convolution, layout
/// changes (Identity workloads) put where a value is needed in a layout that it does not have.
///
/// Graph inputs, graph outputs and what has no blocked kernel are dense. A unit gets the first of
/// its possible layouts for which a schedule exists: blocked in and out, dense in and blocked out,
/// dense. `refused` are the texts of kernels that could not be built: they are not chosen, and a
/// value whose layout change is among them stays dense. `given` are layouts in which inputs come
/// and outputs go. A unit that `choices` has in its layouts gets that kernel;
/// `threads` are those that will run it. `kInvalidInput` for a
/// value that no unit makes (a second output of a node), for given blocks that differ, and when no
/// kernel takes them. `placement` has a side for every unit: those on the host get kernels for it,
/// changes of layout too; a unit of the device without a kernel for it runs on the host. Units on a
/// device are dense.
Result<std::vector<PlannedStep>> plan_layouts(const Model& model, const std::vector<Unit>& units,
                                              const Target& target,
                                              const std::set<std::string>& refused = {},
                                              const GivenLayouts& given = {},
                                              const KernelChoices& choices = {}, int threads = 1,
                                              const UnitPlacement& placement = {});

/// A layout change of a value of this type.
Workload identity_workload(const TensorType& type);

/// The blocks (of every operand, then of the output) that a workload gets when it is all of a model
/// and its tensors come and go dense. Empty when nothing computes it.
std::vector<int> blocks_alone(const Workload& workload, const Target& target);

}  // namespace opbench
