#include "experiments/serve/serve_session.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "experiments/plan/plan_session.h"
#include "experiments/serve/measured_pairs.h"
#include "planning/planners/planner.h"

namespace opbench {
namespace {

/// The measured pairs of the request, if it names some. Refuses what cannot be before anything is
/// measured.
Result<std::optional<MeasuredPairs>> checked_pairs(const ServeRequest& request) {
  const size_t profiles = request.profiles.size();
  if (profiles > 0 && profiles != request.models.size()) {
    return Error{ErrorCode::kInvalidInput, fmt::format("{} models need as many profiles, not {}",
                                                       request.models.size(), profiles)}
        .with("usage", "one report for each model, in the order of the models");
  }
  std::optional<MeasuredPairs> pairs;
  if (!request.pairs.name.empty()) {
    OPBENCH_TRY(pairs, parse_measured_pairs(request.pairs.text, request.pairs.name));
  }
  // A study of one short query finds what is wrong with policies, loads and counts.
  StudyOptions options = request.study;
  options.queries.count = std::min(options.queries.count, 1);
  options.seeds = std::min(options.seeds, 1);
  const ServingSystem system{.workers = 1, .teams = {1}, .models = {{"any", {{.times_ms = {1}}}}}};
  OPBENCH_CHECK(study_serving(system, options));
  return pairs;
}

/// Units with times come from the same place as those of plans.
Result<PlanResult> timed_units(const ServeRequest& request, size_t model) {
  PlanRequest plan{
      .profile = request.profile, .workers = request.workers, .planners = {kSequentialPlanner}};
  plan.profile.model = request.models[model].name;
  plan.profile.model_is_zoo = request.models[model].is_zoo;
  if (!request.profiles.empty()) {
    plan.profile_name = request.profiles[model].name;
    plan.profile_text = request.profiles[model].text;
  }
  return run_plan(plan);
}

/// Sets what a segment loses beside others, in the simulation and for the policies alike.
Result<void> set_slow_down(const ServeRequest& request, const std::optional<MeasuredPairs>& pairs,
                           const std::vector<std::vector<GroupPart>>& parts, ServeResult& result) {
  ServingOptions& serving = result.options.serving;
  result.slow_down = fmt::format("{} (declared)", request.slow_down);
  if (pairs) {
    OPBENCH_TRY(result.judgement, judge_group_methods(pairs->groups, pairs->bytes_per_ms));
    OPBENCH_TRY(serving.slow_down, learnt_slow_down(*pairs, parts));
    result.slow_down = fmt::format("predicted from {} measured pairs, {}", pairs->groups.size(),
                                   request.pairs.name);
  } else if (request.slow_down > 1) {
    serving.slow_down = [factor = request.slow_down](
                            const SegmentPlace&, std::span<const SegmentPlace>) { return factor; };
  }
  serving.predicted = serving.slow_down;
  return {};
}

void report_seeds(const ServeRequest& request, int done, int total) {
  if (!request.profile.progress) return;
  request.profile.progress({.stage = "simulate", .item = "queries", .done = done, .total = total});
}

}  // namespace

Result<ServeResult> run_serve(const ServeRequest& request) {
  OPBENCH_TRY(const std::optional<MeasuredPairs> pairs, checked_pairs(request));
  ServeResult result;
  result.options = request.study;
  result.system = {.workers = request.workers, .teams = team_sizes(request.workers), .models = {}};
  std::vector<std::vector<GroupPart>> parts;
  for (size_t i = 0; i < request.models.size(); ++i) {
    OPBENCH_TRY(const PlanResult plan, timed_units(request, i));
    if (request.profile.cancel != nullptr && *request.profile.cancel) {
      return Error{ErrorCode::kInterrupted, "interrupted before all models were measured"};
    }
    const PlanFile& file = plan.file;
    result.facts.push_back({file.model, file.source, file.sha256, file.graph.size(), file.times});
    result.target = file.target;
    result.cpus = file.cpus;
    for (const std::string& warning : plan.warnings) {
      result.warnings.push_back(file.model + ": " + warning);
    }
    result.system.models.push_back(
        cut_into_segments(file.model, file.graph, request.most_segments));
    parts.push_back(parts_of(result.system.models.back(), file.facts));
  }
  OPBENCH_CHECK(set_slow_down(request, pairs, parts, result));
  StudyOptions options = result.options;
  options.progress = [&](int done, int total) { report_seeds(request, done, total); };
  OPBENCH_TRY(result.study, study_serving(result.system, options));
  return result;
}

}  // namespace opbench
