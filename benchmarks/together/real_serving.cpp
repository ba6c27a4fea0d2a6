// Several models under load on an engine: whether the simulated differences between policies have
// the same sign there.
#include <fmt/format.h>

#include <vector>

#include "benchmarks/together/part.h"
#include "experiments/plan/plan_session.h"
#include "experiments/serve/serve_session.h"
#include "planning/serve/sign_check.h"

namespace opbench {
namespace {

constexpr int kTogetherRealServingSeeds = 8;
constexpr int kTogetherRealServingQueries = 150;

std::string together_real_serving_percent_of(const SeedMean& mean) {
  return fmt::format("{:.1f} % ({:.1f} to {:.1f})", mean.value * 100, mean.interval.low * 100,
                     mean.interval.high * 100);
}

void add_measured(const LoadResult& load, Report& report) {
  for (const PolicyResult& one : load.results) {
    report.note(fmt::format(
        "measured, load {}: {}: violations {}, goodput {:.1f}/s, p99 {:.1f} ms", load.load,
        one.name(), together_real_serving_percent_of(one.mean(&ServingFigures::violations)),
        one.mean(&ServingFigures::goodput_per_s).value, one.mean(&ServingFigures::p99_ms).value));
  }
}

}  // namespace

Result<void> run_real_serving(const std::vector<std::string>& models, double budget_s,
                              Report& report) {
  Report::progress("real serving: " + fmt::format("{}", fmt::join(models, ", ")));
  ServeRequest request;
  request.run.measure.check_engine = "none";
  request.run.measure.budget_s = budget_s;
  request.is_measured = true;
  for (const std::string& model : models) request.models.push_back({model, true});
  request.study = {.loads = {0.6, 0.8, 1},
                   .seeds = kTogetherRealServingSeeds,
                   .queries = {.count = kTogetherRealServingQueries}};
  OPBENCH_TRY(const ServeResult result, run_serve(request, time_units));
  report.note(
      fmt::format("an engine with {} workers serves {} seeds × {} queries; launch {:.3f} ms",
                  result.system.workers, kTogetherRealServingSeeds, kTogetherRealServingQueries,
                  result.options.serving.launch_ms));
  for (const LoadResult& load : result.measured->loads) add_measured(load, report);
  int contradicted = 0;
  for (const SignCheck& check : check_signs(result.study, *result.measured)) {
    report.note(
        fmt::format("sign at load {}: {} less {}: simulated {}, measured {}: {}", check.load,
                    check.first, check.second, together_real_serving_percent_of(check.simulated),
                    together_real_serving_percent_of(check.measured), name_of(check.verdict)));
    contradicted += check.verdict == SignVerdict::kContradicted ? 1 : 0;
  }
  report.add({"together serving: loads where real runs contradict the simulated sign",
              static_cast<double>(contradicted), 0});
  return {};
}

}  // namespace opbench
