// Several models under load: the slack policy beside FCFS, SJF and EDF, simulated.
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <vector>

#include "base/errors/suggestion.h"
#include "base/files/file.h"
#include "base/json/json.h"
#include "benchmarks/together/graphs.h"
#include "benchmarks/together/part.h"
#include "planning/graphs/declared_scaling.h"
#include "planning/serve/serving_study.h"
#include "random_serving.h"
#include "serving_optimum.h"

namespace opbench {
namespace {

const std::vector<std::string> kServedModels = {"resnet-18", "squeezenet_v1.1"};
constexpr int kTogetherServingWorkers = 2;
constexpr int kSegments = 16;
constexpr int kTogetherServingSeeds = 20;
constexpr int kTogetherServingQueries = 1000;
constexpr double kGoodputLoss = 2;  // percent

/// Throws Json::exception for values of other types.
Result<ServingSystem> system_of(const Json& json, const std::string& name) {
  if (json.value("schema", "") != "opbench.serve/1") {
    return Error{ErrorCode::kInvalidInput, fmt::format("\"{}\" is no report of `serve`", name)};
  }
  ServingSystem system{.workers = json.value("workers", 0), .teams = {}, .models = {}};
  for (const Json& team : json.value("teams", Json::array())) system.teams.push_back(team);
  for (const Json& one : json.value("models", Json::array())) {
    ServedModel model{one.value("model", ""), {}};
    for (const Json& segment : one.value("segments", Json::array())) {
      model.segments.push_back({.first_unit = segment.value("first_unit", size_t{0}),
                                .units = segment.value("units", size_t{1}),
                                .times_ms = segment.value("times_ms", std::vector<double>())});
    }
    system.models.push_back(std::move(model));
  }
  OPBENCH_CHECK(check_serving(system));
  return system;
}

/// The models of a report of `opbench serve --format json`, with times that were measured.
Result<ServingSystem> system_of_report(const std::string& name) {
  OPBENCH_TRY(const std::string text, read_file(name));
  OPBENCH_TRY(const Json json, parse_json(text, name));
  try {
    return system_of(json, name);
  } catch (const Json::exception& fault) {
    return Error{ErrorCode::kInvalidInput, fmt::format("\"{}\" is damaged", name)}.with(
        "reason", fault.what());
  }
}

/// Predicted times of one thread; declared ones of two.
Result<ServingSystem> predicted_system(const Arguments& arguments) {
  constexpr double kJoinMs = 0.005;
  ServingSystem system{
      .workers = kTogetherServingWorkers, .teams = {1, kTogetherServingWorkers}, .models = {}};
  OPBENCH_TRY(const std::vector<NamedGraph> graphs,
              model_graphs(arguments.with("--models", kServedModels)));
  for (const NamedGraph& one : graphs) {
    system.models.push_back(cut_into_segments(
        one.name, with_declared_scaling(one.timed, kTogetherServingWorkers, kJoinMs), kSegments));
  }
  return system;
}

std::string together_serving_percent_of(const SeedMean& mean) {
  return fmt::format("{:.1f} % ({:.1f} to {:.1f})", mean.value * 100, mean.interval.low * 100,
                     mean.interval.high * 100);
}

/// Figures of one load, and its bars.
void add_load(const LoadResult& load, const std::string& what, bool has_bars, Report& report) {
  const PairedComparison& pair = load.comparison.value();
  const PolicyResult& ours = load.results[pair.first];
  const PolicyResult& best = load.results[pair.second];
  const SeedMean own = ours.mean(&ServingFigures::violations);
  const SeedMean others = best.mean(&ServingFigures::violations);
  std::string segments;
  for (const PolicyResult& one : load.results) {
    if (one.policy != "segments") continue;
    segments +=
        fmt::format(", {} {:.1f} %", one.name(), one.mean(&ServingFigures::violations).value * 100);
  }
  report.note(fmt::format(
      "{}, load {}: violations of {} {}, of the best baseline, {}, {}: {:.2f} of them; difference "
      "{}; goodput {:.3f} × ({:.3f} to {:.3f}); work in time {:.1f} and {:.1f} %; without "
      "packing{}",
      what, load.load, ours.name(), together_serving_percent_of(own), best.name(),
      together_serving_percent_of(others), others.value > 0 ? own.value / others.value : 1,
      together_serving_percent_of(pair.violations), pair.goodput.value, pair.goodput.interval.low,
      pair.goodput.interval.high, ours.mean(&ServingFigures::work_in_time).value * 100,
      best.mean(&ServingFigures::work_in_time).value * 100, segments));
  if (!has_bars) return;
  const bool is_relaxed = load.load < 0.7;
  report.add(
      {fmt::format("together serving: violations at load {}, points above the best baseline{}",
                   load.load, is_relaxed ? "" : ", upper end of the interval"),
       100 * (is_relaxed ? pair.violations.value : pair.violations.interval.high), 0});
  report.add({fmt::format("together serving: goodput at load {}, percent below the best baseline",
                          load.load),
              100 * (1 - pair.goodput.value), kGoodputLoss});
  if (load.load == 0.9) {
    report.note(
        fmt::format("aim at load 0.9: at most 0.50 of the best baseline's violations: {:.2f}",
                    own.value / others.value));
  }
}

Result<void> add_study(const ServingSystem& system, const ServingOptions& serving,
                       const std::string& what, bool has_bars, Report& report) {
  Report::progress("serving: " + what);
  OPBENCH_TRY(const ServingStudy study,
              study_serving(system, {.loads = {0.6, 0.8, 0.9, 1},
                                     .seeds = kTogetherServingSeeds,
                                     .queries = {.count = kTogetherServingQueries},
                                     .serving = serving}));
  for (const LoadResult& load : study.loads) add_load(load, what, has_bars, report);
  return {};
}

/// How far policies are from the optimum, which knows all arrivals, on systems small enough for it.
Result<void> distance_to_optimum(Report& report) {
  constexpr uint64_t kDraws = 300;
  const std::vector<std::string> names = {"slack", "segments", "edf", "fcfs", "sjf"};
  std::vector<size_t> late(names.size(), 0);
  size_t optimum = 0, count = 0;
  for (uint64_t seed = 0; seed < kDraws; ++seed) {
    const ServingSystem system = random_serving({.segments = 2}, seed);
    const auto queries = make_queries(
        system, {.load = 2, .count = 4, .deadline = {.solo_times = 2}, .noise = 0, .seed = seed});
    optimum += ServingOptimum(system, queries).late();
    count += queries.size();
    for (size_t i = 0; i < names.size(); ++i) {
      OPBENCH_TRY(const PolicyDef* policy, policy_table().find(names[i]));
      const auto drops = [](const PolicyVariant& one) { return one.drops_lost; };
      const PolicyVariant variant = *std::ranges::find_if(policy->variants, drops);
      OPBENCH_TRY(const ServingRun run,
                  simulate_serving(system, queries, *policy, variant, {.launch_ms = 0}));
      late[i] += static_cast<size_t>(
          figures_of(system, queries, run).violations * static_cast<double>(queries.size()) + 0.5);
    }
  }
  std::vector<std::string> texts;
  for (size_t i = 0; i < names.size(); ++i)
    texts.push_back(fmt::format("{} {}", names[i], late[i]));
  report.note(
      fmt::format("{} draws of 4 queries of 2 segments at load 2: late of {}: by the optimum, "
                  "which knows all arrivals, {}; {}",
                  kDraws, count, optimum, join(texts)));
  return {};
}

Result<void> run_together_serving(const Arguments& arguments, Report& report) {
  const std::string served = arguments.value("--served");
  OPBENCH_TRY(const ServingSystem system,
              served.empty() ? predicted_system(arguments) : system_of_report(served));
  const std::string times =
      served.empty() ? "predicted times, two threads declared" : "measured times";
  for (size_t i = 0; i < system.models.size(); ++i) {
    report.note(fmt::format("{}: {} segments, alone {:.2f} ms; {}", system.models[i].name,
                            system.models[i].segments.size(), solo_ms(system, i), times));
  }
  OPBENCH_CHECK(add_study(system, {}, "simulated", true, report));
  ServingOptions slowed;
  slowed.slow_down = [](const SegmentPlace&, std::span<const SegmentPlace>) { return 1.1; };
  OPBENCH_CHECK(add_study(system, slowed, "simulated, an unknown slow-down of 1.1", false, report));
  OPBENCH_CHECK(distance_to_optimum(report));
  OPBENCH_TRY(const double budget_s, arguments.positive("--budget"));
  return run_real_serving(kServedModels, budget_s, report);
}

}  // namespace

TogetherPart serving_part() {
  return {.name = "serving",
          .summary =
              "several models under load, simulated and on an engine: slack beside FCFS, SJF, EDF",
          .run = run_together_serving};
}

}  // namespace opbench
