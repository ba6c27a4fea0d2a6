#include "experiments/plan/plan_choice.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <optional>
#include <system_error>
#include <utility>

#include "base/files/file.h"
#include "base/files/text_file.h"
#include "base/json/json_text.h"
#include "base/numbers/hash.h"
#include "experiments/sessions/request/replay_request.h"
#include "experiments/sessions/request/run_request.h"
#include "kernels/schedules/schedule.h"
#include "machine/facts/environment.h"
#include "machine/target/parse_target.h"
#include "measuring/results/compare_result.h"
#include "planning/planners/planner.h"
#include "planning/together/kept_set.h"

namespace opbench {
namespace {

namespace fs = std::filesystem;

/// Tells the kept sets apart that a plan may take kernels from.
std::string text_of_sets(const fs::path& sets, const std::string& target_text) {
  const Result<Target> target = parse_target(target_text);
  if (sets.empty() || !target) return "";
  std::string text;
  for (const auto& [key, set] : kept_sets(sets, *target).sets) {
    text += fmt::format(" {} {}", key, set.timestamp);
  }
  return text;
}

/// Names what a kept plan is for, before anything is read or built: what the request says of the
/// model and where it runs. Whether the plan still fits is checked when it is read.
std::string plan_choice_key_of(const ProfileRequest& request, const fs::path& sets) {
  ProfileRequest key;
  key.model.name = request.model.name;
  key.model.is_zoo = request.model.is_zoo;
  key.threads = request.threads;
  key.settings.cpus = request.settings.cpus;
  key.model.extents.batch_size = request.model.extents.batch_size;
  key.model.extents.shapes = request.model.extents.shapes;
  key.model.extents.dimensions = request.model.extents.dimensions;
  key.model.inputs = request.model.inputs;
  key.settings.target = request.settings.target;
  key.settings.kernels = request.settings.kernels;
  key.settings.parallel = request.settings.parallel;
  const std::string machine = capture_environment().machine_hash;
  return sha256(request_json(key) + schedule_version() + machine + OPBENCH_VERSION +
                text_of_sets(sets, request.settings.target))
      .substr(0, 24);
}

PlanRequest plan_request_of(const ProfileRequest& request, const fs::path& sets) {
  PlanRequest plan{.run = run_of(request), .workers = request.threads.front(), .sets = sets};
  plan.run.settings.executor = RunSettings().executor;
  plan.run.settings.parallel = RunSettings().parallel;
  plan.run.measure.runs = 0;
  if (has_streams(request.settings)) {
    plan.planners = {kStreamPlanner};
    plan.sets.clear();
  }
  return plan;
}

std::string measured_text(const MeasuredSpeedup& measured) {
  return fmt::format("measured {:.3f} × [{:.3f}, {:.3f}], {}", measured.speedup, measured.low,
                     measured.high, measured.verdict);
}

/// Nothing when the file is not there, damaged, or of other kernels: then a new plan is made.
std::optional<KeptPlan> read_kept(const PlanRequest& request, const fs::path& file) {
  const Result<std::string> text = read_text_file(file);
  if (!text) return {};
  Result<PlanFile> plan = parse_plan_file(*text, file.string());
  if (!plan || !check_plan_fits(request, *plan, file.string())) return {};
  return KeptPlan{.file = file, .sha256 = sha256(*text), .plan = std::move(*plan), .warnings = {}};
}

bool is_faster(const std::optional<MeasuredSpeedup>& measured) {
  return measured && measured->verdict == "faster";
}

/// Makes the candidate the plan of the file.
void put_into_file(size_t at, PlanResult& result) {
  const PlanCandidate& candidate = result.candidates[at];
  result.file.plan = candidate.plan;
  result.file.predicted_ms = candidate.timeline.makespan_ms;
}

/// Runs the candidate beside sequential and notes what came of it.
Result<void> run_candidate(const PlanRequest& request, size_t at, PlanResult& result) {
  put_into_file(at, result);
  OPBENCH_TRY(PlanTrial trial, try_plan(request.run, result.file));
  for (std::string& warning : trial.warnings) {
    const bool is_new = std::ranges::count(result.warnings, warning) == 0;
    if (is_new) result.warnings.push_back(std::move(warning));
  }
  PlanCandidate& candidate = result.candidates[at];
  candidate.measured = trial.measured;
  candidate.no_measurement_reason = trial.refusal.empty() ? trial.no_verdict_reason : trial.refusal;
  return {};
}

std::string outcome_text(const PlanCandidate& candidate) {
  if (!candidate.measured) return candidate.no_measurement_reason;
  const std::string text = measured_text(*candidate.measured);
  const bool is_inconclusive = candidate.measured->verdict == name_of(Verdict::kInconclusive);
  return is_inconclusive ? fmt::format("{}: {}", text, candidate.measured->reason) : text;
}

/// The measured plan `best` becomes the choice; without one sequential does.
void choose(PlanResult& result, std::optional<size_t> best, size_t tries) {
  PlanFile& file = result.file;
  const size_t predicted = result.promising.front();
  result.chosen = best.value_or(0);
  put_into_file(result.chosen, result);
  if (!best) {
    const std::string why = tries > 1 ? fmt::format("none of {} plans stayed faster; ", tries) : "";
    file.reason = fmt::format("sequential stays: {}{} was predicted to be faster, but {}", why,
                              result.candidates[predicted].plan.planner,
                              outcome_text(result.candidates[predicted]));
    return;
  }
  file.measured = result.candidates[*best].measured;
  file.reason += "; ";
  if (tries > 1) {
    file.reason += fmt::format("of {} plans that ran, {} was the fastest: ", tries,
                               result.candidates[*best].plan.planner);
  }
  file.reason += outcome_text(result.candidates[*best]);
}

/// Of an interrupted confirmation: no verdict on a part of the runs makes a plan the choice.
Result<void> keep_sequential(PlanResult& result) {
  result.chosen = 0;
  put_into_file(0, result);
  result.file.reason = "sequential stays: interrupted before another plan was confirmed";
  return {};
}

/// Takes the plan of the only planner beside sequential, faster or not.
void take_last(PlanResult& result) {
  result.chosen = result.candidates.size() - 1;
  put_into_file(result.chosen, result);
  result.file.reason = "asked for, faster or not";
}

}  // namespace

Result<void> confirm_choice(const PlanRequest& request, PlanResult& result) {
  return confirm_choice(
      request.tries, [&](size_t at) { return run_candidate(request, at, result); },
      [&] { return request.run.hooks.is_cancelled(); }, result);
}

Result<void> confirm_choice(int most_tries, const std::function<Result<void>(size_t)>& run,
                            const std::function<bool()>& is_cancelled, PlanResult& result) {
  if (result.chosen == 0) return {};
  const size_t tries = std::min(result.promising.size(), static_cast<size_t>(most_tries));
  std::optional<size_t> best;
  for (size_t i = 0; i < tries; ++i) {
    const size_t at = result.promising[i];
    PlanCandidate& candidate = result.candidates[at];
    const Result<void> ran = run(at);
    if (is_cancelled()) return keep_sequential(result);
    OPBENCH_CHECK(ran);
    if (!is_faster(candidate.measured)) continue;
    if (!best || candidate.measured->speedup > result.candidates[*best].measured->speedup) {
      best = at;
    }
  }
  if (best && tries > 1) {
    const Result<void> ran = run(*best);
    if (is_cancelled()) return keep_sequential(result);
    OPBENCH_CHECK(ran);
    if (!is_faster(result.candidates[*best].measured)) best.reset();
  }
  choose(result, best, tries);
  return {};
}

Result<KeptPlan> kept_plan(const ProfileRequest& request, const fs::path& sets) {
  if (request.threads.size() != 1) {
    return Error{ErrorCode::kInvalidInput, "a plan is for one number of threads"}.with(
        "usage", "--threads 2");
  }
  const PlanRequest plan_request = plan_request_of(request, sets);
  const fs::path file =
      cache_folder() / "plans" / (plan_choice_key_of(request, plan_request.sets) + ".json");
  if (auto kept = read_kept(plan_request, file)) return std::move(*kept);
  OPBENCH_TRY(PlanResult result, run_plan(plan_request));
  if (plan_request.planners.empty()) {
    OPBENCH_CHECK(confirm_choice(plan_request, result));
  } else {
    take_last(result);
  }
  if (request.hooks.is_cancelled()) {
    return Error{ErrorCode::kInterrupted, "interrupted before a plan was chosen"};
  }
  const std::string text = json_text(to_json(result.file), 1) + "\n";
  std::error_code ignored;
  fs::create_directories(file.parent_path(), ignored);
  OPBENCH_CHECK(write_file(file, text));
  return KeptPlan{.file = file,
                  .sha256 = sha256(text),
                  .plan = std::move(result.file),
                  .warnings = std::move(result.warnings)};
}

}  // namespace opbench
