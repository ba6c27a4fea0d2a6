#pragma once

#include <string>
#include <vector>

#include "engines/package/layout_plan.h"
#include "model/graph/graph.h"

namespace opbench {

/// The steps with copies between the host's memory and the device's put before the first step that
/// needs a value in the other memory, and at the end for the graph's outputs, which go from the
/// host as its inputs come there. A value is copied once. Steps without a kernel for the device run
/// on the host. Steps as they are where none runs on a device. `given` as for plan_layouts.
std::vector<PlannedStep> with_device_copies(const Model& model, std::vector<PlannedStep> steps,
                                            const GivenLayouts& given = {});

/// Which units of a program for a device run on the host, where nobody expects them, in a sentence;
/// empty: none does.
std::string units_on_host(const std::vector<PlannedStep>& steps, const Target& target);

}  // namespace opbench
