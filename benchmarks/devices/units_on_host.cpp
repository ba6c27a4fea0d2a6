#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "benchmarks/devices/device_goals.h"
#include "engines/package/layout_plan.h"
#include "machine/target/parse_target.h"
#include "model/operators/workloads/workload.h"
#include "model/passes/bind_shapes.h"
#include "model/passes/passes.h"
#include "model/zoo/zoo.h"

namespace opbench {
namespace {

/// Units of an operator that run on the host, and the models that have them.
struct HostUnits {
  int units = 0;
  std::set<std::string> models;
};

Result<std::vector<PlannedStep>> planned_for_opencl(const std::string& name) {
  OPBENCH_TRY(Model model, zoo_outline(name, 1));
  OPBENCH_CHECK(bind_shapes(model, {.otherwise = zoo_dimensions(name)}));
  OPBENCH_CHECK(infer_types(model));
  OPBENCH_TRY(const std::vector<Unit> units, lower(model));
  OPBENCH_TRY(const Target target, parse_target("opencl"));
  return plan_layouts(model, units, target);
}

}  // namespace

Result<void> add_units_on_host(Report& report) {
  std::map<std::string, HostUnits> of_operator;
  int whole = 0, units = 0, on_host = 0;
  for (const ZooEntry& entry : zoo_entries()) {
    const auto steps = planned_for_opencl(entry.name);
    if (!steps) {
      report.note(fmt::format("{}: left out: {}", entry.name, steps.error().message));
      continue;
    }
    int left = 0;
    for (const PlannedStep& step : *steps) {
      ++units;
      if (step.has_kernel()) continue;
      ++left;
      HostUnits& host = of_operator[operator_text(step.workload())];
      ++host.units;
      host.models.insert(entry.name);
    }
    on_host += left;
    whole += left == 0 ? 1 : 0;
    if (left > 0) report.note(fmt::format("{}: {} of {} units", entry.name, left, steps->size()));
  }
  std::vector<std::pair<std::string, HostUnits>> rows(of_operator.begin(), of_operator.end());
  std::ranges::sort(rows, std::greater(), [](const auto& row) { return row.second.units; });
  for (const auto& [name, host] : rows) {
    report.note(fmt::format("{}: {} units of {} models", name, host.units, host.models.size()));
  }
  report.note(fmt::format("on the host: {} of {} units; {} of {} models have none there", on_host,
                          units, whole, zoo_entries().size()));
  return {};
}

}  // namespace opbench
