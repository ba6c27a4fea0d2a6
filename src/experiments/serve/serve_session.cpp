#include "experiments/serve/serve_session.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "experiments/serve/measured_serving.h"
#include "experiments/sessions/request/run_request.h"
#include "experiments/unit_times/measured_pairs.h"
#include "experiments/unit_times/unit_times.h"

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

Result<TimedModel> timed_model(const ServeRequest& request, size_t model,
                               const TimeUnits& time_units) {
  RunRequest run = request.run;
  run.model.name = request.models[model].name;
  run.model.is_zoo = request.models[model].is_zoo;
  const ProfileText times = request.profiles.empty() ? ProfileText{} : request.profiles[model];
  return time_units(run, request.workers, times.name, times.text);
}

using UnitFacts = std::vector<std::vector<UnitIdentity>>;  // by model

/// Sets what a segment loses beside others, in the simulation and for the policies alike.
Result<void> set_slow_down(const ServeRequest& request, const std::optional<MeasuredPairs>& pairs,
                           const UnitFacts& facts, ServeResult& result) {
  ServingOptions& serving = result.options.serving;
  result.slow_down = fmt::format("{} (declared)", request.slow_down);
  if (pairs) {
    std::vector<std::vector<GroupPart>> parts;
    for (size_t i = 0; i < facts.size(); ++i) {
      parts.push_back(parts_of(result.system.models[i], facts[i], pairs->cache_bytes));
    }
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

StudyOptions with_progress(const ServeRequest& request, const ServeResult& result,
                           const char* stage) {
  StudyOptions options = result.options;
  options.should_stop = [&request] { return request.run.hooks.is_cancelled(); };
  if (!request.run.hooks.progress) return options;
  options.progress = [&request, stage](int done, int total) {
    request.run.hooks.progress({.stage = stage, .item = "queries", .done = done, .total = total});
  };
  return options;
}

/// Times the segments by the engine that serves, and makes them long beside a launch.
Result<void> time_by_engine(const ServeRequest& request, ServedModels& models,
                            ServeResult& result) {
  constexpr double kLaunches = 10;
  ServingOptions& serving = result.options.serving;
  OPBENCH_TRY(serving.launch_ms, models.time_segments(result.system));
  for (ServedModel& model : result.system.models) {
    model = with_longer_segments(model, kLaunches * serving.launch_ms);
  }
  serving.most_in_flight = request.in_flight;
  result.has_raised_priority = models.has_raised_priority();
  for (ServedFacts& facts : result.facts) facts.times = "measured by the engine that serves";
  return {};
}

/// Cuts the models into segments, with times of the request's profiles or of a run now.
Result<UnitFacts> cut_models(const ServeRequest& request, const TimeUnits& time_units,
                             ServeResult& result) {
  UnitFacts facts;
  for (size_t i = 0; i < request.models.size(); ++i) {
    OPBENCH_TRY(const TimedModel model, timed_model(request, i, time_units));
    if (request.run.hooks.is_cancelled()) {
      return Error{ErrorCode::kInterrupted, "interrupted before all models were measured"};
    }
    const PlanFile& file = model.file;
    result.facts.push_back({file.model, file.source, file.sha256, file.timed.size(), file.times});
    result.target = file.target;
    result.cpus = file.cpus;
    if (!model.noise.empty()) result.noise = model.noise;
    for (const std::string& warning : model.warnings) {
      result.warnings.push_back(file.model + ": " + warning);
    }
    result.system.models.push_back(
        cut_into_segments(file.model, file.timed, request.most_segments));
    facts.push_back(file.facts);
  }
  return facts;
}

}  // namespace

Result<ServeResult> run_serve(const ServeRequest& request, const TimeUnits& time_units) {
  OPBENCH_TRY(const std::optional<MeasuredPairs> pairs, checked_pairs(request));
  ServeResult result;
  result.options = request.study;
  result.system = {.workers = request.workers, .teams = team_sizes(request.workers), .models = {}};
  OPBENCH_TRY(const UnitFacts facts, cut_models(request, time_units, result));
  std::optional<ServedModels> models;
  if (request.is_measured) {
    OPBENCH_TRY(models, ServedModels::open(request));
    OPBENCH_CHECK(time_by_engine(request, *models, result));
  }
  OPBENCH_CHECK(set_slow_down(request, pairs, facts, result));
  OPBENCH_TRY(result.study,
              study_serving(result.system, with_progress(request, result, "simulate")));
  if (!models) return result;
  OPBENCH_TRY(result.measured,
              models->measure(result.system, with_progress(request, result, "serve"),
                              variants_to_measure(result.study)));
  return result;
}

}  // namespace opbench
