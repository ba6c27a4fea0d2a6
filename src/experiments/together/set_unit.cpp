#include "experiments/together/set_unit.h"

#include <fmt/format.h>

#include "engines/package/layout_plan.h"
#include "experiments/sessions/model/model_source.h"

namespace opbench {
namespace {

/// What stands for itself: no change of layout.
std::vector<PlannedStep> own_steps(std::vector<PlannedStep> steps) {
  std::erase_if(steps, [](const PlannedStep& step) { return step.identity.is_layout_change(); });
  return steps;
}

Error invalid(const std::string& text, const std::string& what) {
  return {ErrorCode::kInvalidInput, fmt::format("\"{}\" {}", text, what)};
}

void add_blocks(const KernelSpec& spec, std::vector<int>& blocks) {
  const std::vector<Value>& inputs = spec.workload.graph.inputs;
  for (size_t i = 0; i < inputs.size(); ++i) {
    if (!spec.workload.is_weight(inputs[i].name)) blocks.push_back(spec.layouts[i].block);
  }
}

}  // namespace

Result<KernelSpec> set_unit(const std::string& text, const Target& target) {
  OPBENCH_TRY(const Workload workload, parse_workload(text));
  Model model = outline_of_workload(workload);
  OPBENCH_CHECK(infer_types(model));
  OPBENCH_TRY(const std::vector<Unit> units, lower(model));
  OPBENCH_TRY(std::vector<PlannedStep> steps, plan_layouts(model, units, target));
  steps = own_steps(std::move(steps));
  if (steps.size() != 1) {
    return invalid(text, fmt::format("makes {} units, not one", steps.size()))
        .with("needed", "an operator, with what is fused into it");
  }
  KernelSpec spec = steps.front().kernel();
  if (spec.workload.graph.outputs.size() != 1) return invalid(text, "has several outputs");
  if (spec.schedule.empty()) return invalid(text, "has no kernel for this target");
  return spec;
}

std::vector<int> layouts_of_set(const std::vector<KernelSpec>& units) {
  std::vector<int> blocks;
  for (const KernelSpec& unit : units) add_blocks(unit, blocks);
  for (const KernelSpec& unit : units) blocks.push_back(unit.output_layout().block);
  return blocks;
}

}  // namespace opbench
