#include "benchmarks/kernels/contender.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/numbers/hash.h"
#include "benchmarks/common/program_run.h"
#include "engines/package/layout_plan.h"
#include "experiments/sessions/model/model_source.h"
#include "machine/target/parse_target.h"
#include "tuning/trials/best_kernels.h"
#include "tuning/trials/own_task.h"

namespace opbench {

std::filesystem::path tuning_log_of(const KernelShape& shape, int threads,
                                    const std::filesystem::path& folder) {
  constexpr size_t kDigits = 16;
  const std::string name = sha256(shape.workload + "|" + shape.target).substr(0, kDigits);
  return folder / fmt::format("{}.t{}.log", name, threads);
}

namespace {

/// Tasks of a shape share what may be tried for it.
Result<int64_t> trials_of_task(const KernelShape& shape, int threads, int64_t trials) {
  constexpr int64_t kMostOfShape = 300;
  OPBENCH_TRY(const Workload workload, parse_workload(shape.workload));
  OPBENCH_TRY(const Target target, parse_target(shape.target));
  OPBENCH_TRY(const std::vector<ModelTask> tasks,
              own_tasks(model_of_workload(workload, 0), target, threads));
  const auto count = std::max<int64_t>(1, static_cast<int64_t>(tasks.size()));
  return std::min(trials, kMostOfShape / count);
}

}  // namespace

Result<void> tune_shape(const KernelShape& shape, int threads, int64_t trials, CacheMode cache,
                        const std::filesystem::path& log) {
  constexpr double kMostSeconds = 1800;
  OPBENCH_TRY(const int64_t of_task, trials_of_task(shape, threads, trials));
  const ProgramCommand command{
      .argv = {opbench_path(), "tune", shape.workload, "--target", shape.target, "--threads",
               std::to_string(threads), "--trials", std::to_string(of_task), "--cache",
               cache == CacheMode::kHot ? "hot" : "cold-weights", "--log", log.string(),
               "--continue", "--quiet", "--format", "json"},
      .environment = {{"OPBENCH_STORE", "none"}},
      .limit_s = kMostSeconds};
  OPBENCH_TRY(const ProgramRun run, run_to_end(command));
  if (run.exit_code == 0) return {};
  return Error{ErrorCode::kSystem, fmt::format("tune ended with code {}", run.exit_code)}.with(
      "stderr", run.err);
}

Result<KernelContender> contender_of(const KernelShape& shape, int threads,
                                     const std::filesystem::path& log) {
  KernelContender contender{.shape = shape};
  OPBENCH_TRY(contender.target, parse_target(shape.target));
  contender.spec.target = contender.target;
  contender.spec.threads = threads;
  OPBENCH_TRY(contender.spec.workload, parse_workload(shape.workload));
  for (const int block : blocks_alone(contender.spec.workload, contender.target)) {
    contender.spec.layouts.push_back({block});
  }
  if (contender.spec.layouts.empty()) {
    return Error{ErrorCode::kInvalidInput, fmt::format("no schedule takes \"{}\"", shape.workload)};
  }
  std::error_code ignored;
  if (std::filesystem::exists(log, ignored)) {
    // A log in which every trial failed leaves the rule.
    contender.choices =
        best_kernels(log.string(), contender.target, threads).value_or(std::vector<KernelChoice>());
  }
  const KernelChoices choices(contender.choices);
  if (const KernelChoice* choice = choices.complete(contender.spec, {})) {
    contender.origin = std::filesystem::path(choice->origin).filename().string();
    return contender;
  }
  contender.choices.clear();
  if (choose_schedule(contender.spec)) return contender;
  return Error{ErrorCode::kInvalidInput, fmt::format("no schedule takes \"{}\"", shape.workload)};
}

}  // namespace opbench
