#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "engines/package/layout_plan.h"
#include "model/graph/graph.h"
#include "model/passes/fusion.h"

namespace opbench {

/// A unit or value as it is for certain extents of the model's free dimensions.
struct LoweredForm {
  std::map<std::string, Workload> units;     ///< by output
  std::map<std::string, std::string> texts;  ///< of these
  std::map<std::string, TensorType> values;  ///< by name
};

/// The least extent of the range to which `extent` belongs: 0, 1, 2 to 3, 4 to 15, 16 to 63 and so
/// on by powers of 4. One kernel serves a range.
int64_t least_extent(int64_t extent);

/// What kernels for a range of extents are made of: the units of a model at the least extents of
/// its free dimensions (those whose inputs name them), and at others, which tells the axes that
/// depend on them.
class FreeForms {
 public:
  /// Of a model whose free dimensions are bound. Without free dimensions, or where the model cannot
  /// take the extents, no kernel gets free extents; `reason` then says why.
  static FreeForms of(const Model& model, Fusion fusion = Fusion::kOn);

  /// The kernel of a step for the whole range: by the schedule of highest priority that leaves the
  /// extents free, none whose text is in `refused`. Nothing where there is none, or where no axis
  /// of the step is free; its kernel is then one for these extents alone.
  std::optional<KernelSpec> kernel_of(const PlannedStep& step,
                                      const std::set<std::string>& refused) const;

  /// What the step is in the forms, in text: with its layouts and its own workload it tells kernels
  /// apart. Empty where there is none.
  std::string text_of_step(const PlannedStep& step) const;

  const std::string& reason() const { return reason_; }

 private:
  LoweredForm least_;
  LoweredForm other_;
  std::string reason_;
};

}  // namespace opbench
