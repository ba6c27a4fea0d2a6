#include "opbench/cli/profile_run.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <ostream>

#include "opbench/analysis/replay_request.h"
#include "opbench/cli/interruption.h"
#include "opbench/cli/kept_records.h"
#include "opbench/cli/output_file.h"
#include "opbench/cli/progress_line.h"
#include "opbench/record/profile_records.h"
#include "opbench/report/profile_json.h"
#include "opbench/report/profile_table.h"

namespace opbench {
namespace {

Result<void> write_report(const ProfileResult& result, const ReportPlan& plan, Terminal& terminal) {
  const std::string text = report_text(result, plan, terminal);
  if (!plan.output.empty()) return write_output(plan.output, text);
  terminal.out << text << std::flush;
  return {};
}

Result<void> write_records(const ProfileResult& result, const ReportPlan& plan,
                           Terminal& terminal) {
  OPBENCH_TRY(const std::vector<BenchmarkRecord> records, records_of(result));
  return keep_records(records, plan.record, terminal);
}

}  // namespace

Result<ReportPlan> report_plan(const Arguments& arguments) {
  ReportPlan plan;
  OPBENCH_TRY(plan.format, arguments.choice("--format", {"table", "json", "csv", "md"}));
  plan.output = arguments.value("--output");
  plan.record = arguments.value("--record");
  if (!plan.output.empty()) OPBENCH_CHECK(check_writable(plan.output, "--output"));
  if (!plan.record.empty()) OPBENCH_CHECK(check_writable(plan.record, "--record"));
  return plan;
}

std::string report_text(const ProfileResult& result, const ReportPlan& plan,
                        const Terminal& terminal) {
  constexpr int kIndent = 2;
  if (plan.format == "json") return profile_json(result).dump(kIndent) + "\n";
  if (plan.format == "csv") return profile_csv(result);
  if (plan.format == "md") return profile_markdown(result);
  if (!plan.output.empty()) return profile_table(result, 0, {});
  return profile_table(result, terminal.width, {terminal.has_colour});
}

Result<void> verdict_of(const ProfileResult& result) {
  Error error{ErrorCode::kPartial, ""};
  size_t units = 0;
  size_t failed = 0;
  size_t wrong = 0;
  size_t idle = 0;
  for (const EngineResult& engine : result.engines) {
    if (engine.units.empty() && !engine.model.end_to_end) {
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
      error.facts.push_back(
          {engine.engine, unit.operator_text + " " + unit.shapes + ": " + to_text(*unit.failure)});
    }
    if (!engine.check.max_relative_error || engine.check.passed) continue;
    ++wrong;
    error.facts.push_back({engine.engine, "the check against " + engine.check.engine +
                                              " did not pass: " + engine.check.reason});
  }
  if (failed + wrong + idle == 0) return {};
  if (failed > 0) {
    error.message = fmt::format("{} of {} units failed", failed, units);
  } else if (idle > 0) {
    error.message = fmt::format("{} of {} engines ran nothing", idle, result.engines.size());
  } else {
    error.message = "results differ from the engine they were checked against";
  }
  return error;
}

Result<void> run_and_report(ProfileRequest request, const ReportPlan& plan, Terminal& terminal) {
  const Interruption interruption;
  ProgressLine progress(terminal);
  request.cancel = &interruption.flag();
  request.progress = [&](const Progress& state) { progress.show(state); };
  Result<ProfileResult> result = run_profile(request);
  progress.clear();
  if (!result && result.error().code == ErrorCode::kInterrupted) {
    return Error(result.error()).with("resume", shell_text(request.argv));
  }
  if (!result) return result.error();
  result->request_json = request_json(request);
  const Result<void> recorded = write_records(*result, plan, terminal);
  OPBENCH_CHECK(write_report(*result, plan, terminal));
  OPBENCH_CHECK(recorded);
  if (interruption.flag()) {
    return Error{ErrorCode::kInterrupted, "interrupted; what was measured until then is reported"}
        .with("resume", shell_text(request.argv));
  }
  return verdict_of(*result);
}

}  // namespace opbench
