#include "presentation/cli/profile/profile_run.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <ostream>

#include "base/json/json_text.h"
#include "engines/catalog/engine.h"
#include "experiments/profile/profile_session.h"
#include "measuring/results/profile_json.h"
#include "presentation/cli/interruption.h"
#include "presentation/cli/output/output_file.h"
#include "presentation/cli/output/progress_line.h"
#include "presentation/cli/output/table_output.h"
#include "presentation/cli/records/kept_records.h"
#include "presentation/cli/waits/wait_notice.h"
#include "presentation/report/findings/findings_text.h"
#include "presentation/report/profile/memory_table.h"
#include "presentation/report/profile/profile_table.h"
#include "presentation/report/why/why_text.h"
#include "records/record/profile_records.h"

namespace opbench {
namespace {

Result<void> write_profile_run_report(const std::vector<ProfileResult>& results,
                                      const ReportPlan& plan, Terminal& terminal) {
  const std::string text = report_text(results, plan, terminal);
  if (!plan.output.empty()) return write_output(plan.output, text);
  terminal.out << text << std::flush;
  return {};
}

Result<void> write_profile_run_records(const ProfileResult& result, const ReportPlan& plan,
                                       Terminal& terminal) {
  OPBENCH_TRY(const std::vector<BenchmarkRecord> records, records_of(result));
  return keep_records(records, plan.record, terminal);
}

/// Whose memory the others' stands beside: the engine that is not ours and runs models.
std::string memory_rival() {
  for (const EngineDef& engine : engine_table().all()) {
    if (engine.is_reference && engine.runs_models) return engine.name;
  }
  return "";
}

/// A model that could not be measured.
struct Failed {
  std::string model;
  Error error;
};

/// The worst of several verdicts.
Result<void> verdict_of_all(const std::vector<ProfileResult>& results,
                            const std::vector<Failed>& failed, size_t count) {
  Error error{ErrorCode::kPartial, ""};
  for (const Failed& one : failed) error.facts.push_back({one.model, one.error.message});
  if (!failed.empty()) {
    error.message = fmt::format("{} of {} models could not be measured", failed.size(), count);
  }
  for (const ProfileResult& result : results) {
    const Result<void> verdict = verdict_of(result);
    if (verdict) continue;
    if (count == 1) return verdict;
    if (error.message.empty()) error.message = "not all went well";
    error.facts.push_back({result.model, verdict.error().message});
    error.facts.insert(error.facts.end(), verdict.error().facts.begin(),
                       verdict.error().facts.end());
  }
  if (error.message.empty()) return {};
  return error;
}

/// One result as an object, several as a list of them; with why rows take their time, where that
/// was asked.
std::string json_of_all(const std::vector<ProfileResult>& results, const ReportPlan& plan) {
  constexpr int kIndent = 2;
  Json list = Json::array();
  for (size_t i = 0; i < results.size(); ++i) {
    Json json = profile_json(results[i]);
    if (i < plan.why.size()) json["why"] = why_json(plan.why[i]);
    list.push_back(std::move(json));
  }
  return json_text(results.size() == 1 ? list[0] : list, kIndent) + "\n";
}

/// What stands above a result's table, and what below it, where findings were asked for.
std::string findings_above(const ProfileResult& result, const ReportPlan& plan, int width,
                           const TextStyle& style) {
  if (!result.findings) return "";
  if (plan.format == "md") return findings_markdown(*result.findings) + "\n";
  return findings_text(*result.findings, width, style) + "\n";
}

std::string why_below(size_t index, const ReportPlan& plan, const TextStyle& style) {
  if (index >= plan.why.size()) return "";
  constexpr size_t kAll = 0;
  if (plan.format == "md") return why_markdown(plan.why[index], kAll);
  return why_text(plan.why[index], kAll, style);
}

/// One table: the header of the first result, the rows of all.
std::string csv_of_all(const std::vector<ProfileResult>& results) {
  std::string text;
  for (const ProfileResult& result : results) {
    const std::string table = profile_csv(result);
    text += text.empty() ? table : table.substr(table.find('\n') + 1);
  }
  return text;
}

/// Of one request: every engine at every thread count has the budget, or its number of runs.
WaitNotice profile_waits(const ProfileRequest& request, ProgressLine& progress) {
  constexpr int kProcesses = 3;
  const auto engine_runs = static_cast<double>(request.engines.size() * request.threads.size());
  return {progress, estimate_preparation("profile", {request}, kProcesses),
          request.measure.runs > 0 ? 0 : engine_runs * request.measure.budget_s};
}

/// What to do after Ctrl-C: the same without the first `finished` models, or all once more.
Fact after_interruption(const ReportPlan& plan, size_t finished) {
  if (finished == 0 || plan.models.size() < 2) return {"start over", shell_text(plan.argv)};
  std::vector<std::string> words = plan.argv;
  for (size_t i = 0; i < finished && i < plan.models.size(); ++i) {
    const auto word = std::ranges::find(words, plan.models[i]);
    if (word != words.end()) words.erase(word);
  }
  return {"resume", shell_text(words)};
}

}  // namespace

Result<ReportPlan> report_plan(const Arguments& arguments) {
  ReportPlan plan;
  OPBENCH_TRY(plan.format, format_of(arguments));
  plan.output = arguments.value("--output");
  plan.record = arguments.value("--record");
  if (!plan.output.empty()) OPBENCH_CHECK(check_writable(plan.output, "--output"));
  if (!plan.record.empty()) OPBENCH_CHECK(check_writable(plan.record, "--record"));
  return plan;
}

std::string report_text(const std::vector<ProfileResult>& results, const ReportPlan& plan,
                        const Terminal& terminal) {
  if (plan.format == "json") return json_of_all(results, plan);
  if (plan.format == "csv") return csv_of_all(results);
  const bool is_file = !plan.output.empty();
  std::string text;
  for (size_t i = 0; i < results.size(); ++i) {
    const ProfileResult& result = results[i];
    if (!text.empty()) text += "\n";
    const int width = is_file ? 0 : terminal.width;
    const TextStyle style{!is_file && terminal.has_colour};
    text += findings_above(result, plan, width, style);
    if (plan.format == "md") {
      text += profile_markdown(result);
      if (plan.shows_memory) text += "\n" + memory_markdown(result, memory_rival());
    } else {
      text += profile_table(result, width, style);
      if (plan.shows_memory) text += "\n" + memory_text(result, width, style, memory_rival());
    }
    text += why_below(i, plan, style);
  }
  return text;
}

Result<void> verdict_of(const ProfileResult& result) {
  Error error{ErrorCode::kPartial, ""};
  size_t units = 0;
  size_t failed = 0;
  size_t wrong = 0;
  size_t idle = 0;
  size_t unchecked = 0;
  for (const EngineResult& engine : result.engines) {
    const bool is_wrong = is_refused(engine.engine, engine.check);
    if (engine.units.empty() && !engine.model.end_to_end && !is_wrong) {
      ++idle;
      error.facts.push_back({engine.engine, engine.model.end_to_end_reason});
    }
    if (engine.model.failure && !engine.units.empty()) {
      ++idle;
      error.facts.push_back({engine.engine, "the model: " + to_text(*engine.model.failure)});
    }
    for (const UnitResult& unit : engine.units) {
      ++units;
      if (!unit.failure) continue;
      ++failed;
      error.facts.push_back({engine.engine, unit.identity.operator_text + " " +
                                                short_shapes(unit.identity) + ": " +
                                                to_text(*unit.failure)});
    }
    if (is_missing(engine.engine, engine.check)) {
      ++unchecked;
      error.facts.push_back({engine.engine, "the check against " + engine.check.engine +
                                                " was not made: " + engine.check.reason});
    }
    if (!is_wrong) continue;
    ++wrong;
    error.facts.push_back({engine.engine, "the check against " + engine.check.engine +
                                              " did not pass: " + engine.check.reason});
  }
  if (failed + wrong + idle + unchecked == 0) return {};
  if (failed > 0) {
    error.message = fmt::format("{} of {} units failed", failed, units);
  } else if (idle > 0) {
    error.message = fmt::format("{} of {} engines ran nothing", idle, result.engines.size());
  } else if (wrong > 0) {
    error.message = "results differ from the engine they were checked against";
  } else {
    error.message = "the check that was asked for was not made";
  }
  return error;
}

Result<void> run_and_report(std::vector<ProfileRequest> requests, const ReportPlan& plan,
                            Terminal& terminal) {
  const Interruption interruption;
  ProgressLine progress(terminal);
  std::vector<ProfileResult> results;
  std::vector<Failed> failed;
  Result<void> recorded;
  ReportPlan shown = plan;
  for (ProfileRequest& request : requests) {
    if (interruption.flag() || !recorded) break;
    WaitNotice waits = profile_waits(request, progress);
    request.hooks.cancel = &interruption.flag();
    request.hooks.progress = [&](const Progress& state) { waits.show(state); };
    WhyReport why;
    Result<ProfileResult> result =
        plan.findings.finds ? run_with_findings(request, plan.findings, why) : run_profile(request);
    progress.clear();
    waits.keep();
    if (!result) {
      failed.push_back({request.model.name, result.error()});
      continue;
    }
    results.push_back(std::move(*result));
    if (plan.findings.finds) shown.why.push_back(std::move(why));
    recorded = write_profile_run_records(results.back(), plan, terminal);
  }
  // The last one that was begun is the one that was interrupted.
  const size_t begun = results.size() + failed.size();
  const Fact next = after_interruption(plan, begun - 1);
  if (results.empty()) {
    Error error = failed.front().error;
    const bool is_interrupted = error.code == ErrorCode::kInterrupted;
    return is_interrupted ? std::move(error).with(next.label, next.text) : error;
  }
  interruption.end();
  OPBENCH_CHECK(write_profile_run_report(results, shown, terminal));
  OPBENCH_CHECK(recorded);
  if (interruption.flag()) {
    return Error{ErrorCode::kInterrupted, "interrupted; what was measured until then is reported"}
        .with(next.label, next.text);
  }
  return verdict_of_all(results, failed, requests.size());
}

}  // namespace opbench
