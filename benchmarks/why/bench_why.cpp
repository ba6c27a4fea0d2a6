// `./dev bench why`: injects causes into runs and asks why they take their time: the matrix of what
// is named with each cause and without it.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <memory>
#include <optional>

#include "benchmarks/common/benchmark.h"
#include "benchmarks/why/injection.h"
#include "experiments/profile/profile_session.h"
#include "experiments/sessions/session.h"
#include "experiments/why/why_evidence.h"

namespace opbench {
namespace {

/// The row whose time counts: the largest one, of changes of layout or of others.
const UnitResult* row_of(const EngineResult& engine, bool wants_layout) {
  const auto fits = [&](const UnitResult& row) {
    return row.time && row.identity.is_layout_change() == wants_layout;
  };
  const auto found = std::ranges::find_if(engine.units, fits);
  return found == engine.units.end() ? nullptr : &*found;
}

/// Nothing: the run has no such row.
Result<std::optional<Explanation>> explanation_of(const ProfileRequest& request,
                                                  bool wants_layout) {
  OPBENCH_TRY(
      const std::unique_ptr<Session> session,
      Session::make(request.model, variants_of(request.engines, request.threads, request.settings),
                    request.measure, request.hooks));
  OPBENCH_TRY(const ProfileResult result, run_profile_in(*session, request));
  const EngineResult& engine = result.engines.front();
  OPBENCH_TRY(const RunFacts facts, facts_of_run(*session, 0, engine));
  const UnitResult* row = row_of(engine, wants_layout);
  if (row == nullptr) return std::optional<Explanation>();
  const UnitFacts* unit = facts.find(row->identity);
  if (unit == nullptr) return std::optional<Explanation>();
  return std::optional(explain(facts, *unit, unit_time_of(*row->time, engine.threads)));
}

std::vector<std::string> cause_names(const std::optional<Explanation>& why) {
  std::vector<std::string> names;
  if (!why) return names;
  for (const Cause& cause : why->causes) {
    names.push_back(fmt::format("{} {:.0f} %", cause.name, 100 * cause.share));
  }
  return names;
}

bool names(const std::optional<Explanation>& why, const std::string& cause) {
  return why && std::ranges::count(why->causes, cause, &Cause::name) > 0;
}

std::string told(const std::optional<Explanation>& why, const std::string& cause) {
  if (!why) return "no such row";
  const std::vector<std::string> all = cause_names(why);
  const std::string text = all.empty() ? "unknown" : fmt::format("{}", fmt::join(all, ", "));
  return fmt::format("{} ({})", names(why, cause) ? "named" : "not named", text);
}

Result<void> why_run(const Arguments& arguments, Report& report) {
  OPBENCH_TRY(const double budget_s, arguments.seconds("--budget"));
  int named = 0, wrong = 0, count = 0;
  for (const Injection& one : injections(budget_s)) {
    Report::progress(one.cause);
    const auto with = explanation_of(one.with, one.explains_layout);
    const auto without = explanation_of(one.without, one.explains_layout);
    if (!with || !without) {
      report.note(
          fmt::format("{:30} failed: {}", one.cause, (with ? without : with).error().message));
      ++count;
      continue;
    }
    ++count;
    named += names(*with, one.cause) ? 1 : 0;
    wrong += names(*without, one.cause) ? 1 : 0;
    report.note(fmt::format("{:30} with: {}", one.cause, told(*with, one.cause)));
    report.note(fmt::format("{:30} without: {}", "", told(*without, one.cause)));
    if (with->has_value()) report.note(fmt::format("{:30} {}", "", (*with)->implementation));
  }
  report.add({.bar = fmt::format("causes of {} not named", count),
              .value = static_cast<double>(count - named),
              .limit = 0.2 * count});
  report.add(
      {.bar = "causes named that were not there", .value = static_cast<double>(wrong), .limit = 1});
  return {};
}

}  // namespace
}  // namespace opbench

int bench_why_main(int argc, char** argv) {
  const opbench::BenchmarkDef benchmark{
      .name = "why",
      .summary = "causes put into runs, named or not, with each and without it",
      .options =
          {{.name = "--budget", .value_name = "TIME", .help = "of each run", .otherwise = "1"}},
      .run = opbench::why_run};
  return opbench::run_benchmark(benchmark, argc, argv);
}
