#pragma once

#include <vector>

#include "engines/package/layout_plan.h"
#include "engines/package/memory_plan.h"
#include "engines/package/unit_placement.h"

namespace opbench {

/// The programs of two workers for a program with steps on the host and on a device: the first runs
/// the steps of the host, the second launches those of the device and copies. Each runs its units
/// in the placement's order. Copies and changes of layout come right before the step that needs
/// them, but copies to the host right behind what makes the value: else the host would wait for
/// them until the device has run what stands before their readers. `plan` is of `steps`, whatever
/// overlaps.
TeamProgram teams_of_sides(const MemoryPlan& plan, const std::vector<PlannedStep>& steps,
                           const UnitPlacement& placement);

/// The plan with these programs and with memory for what they let overlap. `given` as for
/// plan_layouts.
Result<MemoryPlan> plan_for_sides(const Model& model, const std::vector<PlannedStep>& steps,
                                  const MemoryPlan& plan, const UnitPlacement& placement,
                                  const GivenLayouts& given, const MemoryBoundaries& boundaries);

}  // namespace opbench
