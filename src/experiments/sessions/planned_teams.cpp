#include "experiments/sessions/planned_teams.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <utility>

#include "base/files/text_file.h"
#include "base/numbers/hash.h"
#include "machine/facts/cpu_list.h"

namespace opbench {
namespace {

/// Its steps are those of a package for two devices, which only `plan --devices` makes.
Result<void> check_no_devices(const PlanFile& plan, const std::string& what) {
  if (plan.devices.empty()) return {};
  return invalid_input(fmt::format("\"{}\" is a plan for the devices {}, which only opbench plan "
                                   "runs",
                                   what, fmt::join(plan.devices, ", ")))
      .with("to run it",
            fmt::format("opbench plan {} --devices {}", plan.model, fmt::join(plan.devices, ",")));
}

/// Of each step one unit: no kernel computes several.
Result<void> check_merges(const PlanFile& plan, const std::string& what) {
  for (const PlanStep& step : plan.plan.steps) {
    if (step.units.size() <= 1) continue;
    return invalid_input(fmt::format("\"{}\" merges units {} into one kernel, which cannot be run",
                                     what, fmt::join(step.units, ", ")));
  }
  return {};
}

Result<PlanFile> read_plan(const PlanChoice& choice) {
  if (choice.value) return *choice.value;
  OPBENCH_TRY(const std::string text, read_text_file(choice.file));
  const std::string sha = sha256(text);
  if (!choice.sha256.empty() && sha != choice.sha256) {
    return invalid_input(fmt::format("\"{}\" is not the plan that was measured", choice.file))
        .with("sha256 then", choice.sha256)
        .with("sha256 now", sha);
  }
  return parse_plan_file(text, choice.file);
}

}  // namespace

Error no_plan(const std::string& executor) {
  return invalid_input(fmt::format("executor \"{}\" has no plan to follow here", executor))
      .with("to make one", "opbench plan MODEL --threads 2 -o FILE, then --plan FILE")
      .with("plans by itself", "opbench profile, opbench compare");
}

Result<void> check_plan_of_model(const PlanFile& plan, const std::string& what,
                                 const Model& model) {
  if (plan.sha256 == model.sha256) return {};
  return invalid_input(
             fmt::format("\"{}\" is a plan of {}, not of {}", what, plan.model, model.name))
      .with("sha256 there", plan.sha256)
      .with("sha256 here", model.sha256);
}

Result<std::optional<PlanFile>> chosen_plan(const PlanChoice& choice, const Model& model) {
  if (choice.file.empty()) return std::optional<PlanFile>();
  OPBENCH_TRY(PlanFile plan, read_plan(choice));
  OPBENCH_CHECK(check_no_devices(plan, choice.file));
  OPBENCH_CHECK(check_merges(plan, choice.file));
  OPBENCH_CHECK(check_plan_of_model(plan, choice.file, model));
  return std::optional<PlanFile>(std::move(plan));
}

Result<std::vector<KernelChoice>> planned_kernels(const PlanFile& plan, const std::string& what) {
  std::vector<KernelChoice> kernels;
  if (plan.choices.empty()) return kernels;
  OPBENCH_TRY(const Json choices, parse_json(plan.choices, what));
  for (const Json& choice : choices) {
    Result<KernelChoice> kernel = kernel_choice_from_json(choice);
    if (!kernel) return Error(std::move(kernel).error()).with("in", what);
    kernels.push_back(std::move(*kernel));
  }
  return kernels;
}

TeamProgram team_program_of(const PlanFile& plan) {
  TeamProgram teams{.workers = plan.plan.workers, .steps = {}};
  bool is_sequential = true;
  for (const PlanStep& step : plan.plan.steps) {
    is_sequential = is_sequential && std::ssize(step.workers) == plan.plan.workers;
    teams.steps.push_back(
        {.step = step.units.front(), .workers = step.workers, .waits = step.waits});
  }
  if (is_sequential) teams.steps.clear();
  return teams;
}

Result<void> check_plan_of_run(const PlanFile& plan, const std::string& what,
                               const EngineRun& engine_run) {
  if (plan.plan.workers != engine_run.asked.options.threads) {
    return invalid_input(fmt::format("\"{}\" is a plan for {} workers, not for {}", what,
                                     plan.plan.workers, engine_run.asked.options.threads))
        .with("usage", fmt::format("--threads {}", plan.plan.workers));
  }
  if (plan.cpus != engine_run.asked.options.cpus) {
    return invalid_input(fmt::format("\"{}\" was planned for other CPUs", what))
        .with("CPUs there", cpu_list_text(plan.cpus))
        .with("CPUs here", cpu_list_text(engine_run.asked.options.cpus));
  }
  const bool is_same =
      std::ranges::equal(plan.facts, engine_run.built.units, {}, workload_text,
                         [](const PreparedUnit& unit) { return workload_text(unit.identity); });
  if (is_same) return {};
  return invalid_input(fmt::format("\"{}\" was planned for other units of {}", what, plan.model))
      .with("units there", fmt::format("{}", plan.facts.size()))
      .with("units here", fmt::format("{}", engine_run.built.units.size()))
      .with("to plan again",
            fmt::format("opbench plan {} --threads {} -o {}", plan.model, plan.plan.workers, what));
}

}  // namespace opbench
