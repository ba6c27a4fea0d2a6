// Plans of real models, run: what `--executor concurrent` gains over sequential, beside the
// ceiling.
#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>

#include "base/numbers/number.h"
#include "benchmarks/together/part.h"
#include "experiments/plan/plan_choice.h"
#include "experiments/sessions/model/model_source.h"
#include "model/zoo/zoo.h"

namespace opbench {
namespace {

constexpr double kLeastCeiling = 1.05;  // from there on the share of the gain is printed
constexpr double kFasterCeiling = 1.10;
constexpr double kFewestFaster = 2;
constexpr double kWantedShare = 0.4;

struct TogetherExecutorTally {
  int slower = 0, faster = 0, refused = 0;
};

/// `NAME` or `NAME@SIDE`: a built-in model, on images of so many pixels a side.
Result<ProfileRequest> together_executor_request_for(const std::string& text, double budget_s) {
  const size_t at = text.find('@');
  ProfileRequest request;
  request.model.name = text.substr(0, at);
  request.model.is_zoo = true;
  request.measure.budget_s = budget_s;
  if (at == std::string::npos) return request;
  const std::optional<int64_t> side = parse_integer(text.substr(at + 1));
  if (!side || *side < 1) {
    return Error{ErrorCode::kInvalidInput, fmt::format("\"{}\" names no side of an image", text)}
        .with("usage", "--run inception_v3@128");
  }
  OPBENCH_TRY(const RequestedModel model,
              load_outline(request.model, request.measure, request.hooks));
  const Value& input = model.graph.inputs.front();
  Shape shape;
  for (const Dimension& dimension : input.dimensions) shape.push_back(dimension.value);
  constexpr size_t kRank = 4;
  if (shape.size() != kRank) {
    return Error{ErrorCode::kInvalidInput, fmt::format("{} takes no images", request.model.name)};
  }
  shape[2] = shape[3] = *side;
  request.model.extents.shapes = {{input.name, shape}};
  request.model.extents.replaces_fixed = true;
  return request;
}

double megabytes(int64_t bytes) { return static_cast<double>(bytes) / 1e6; }

std::string together_executor_text_of(const MeasuredSpeedup& measured) {
  return fmt::format("{:.3f} × [{:.3f}, {:.3f}] {}", measured.speedup, measured.low, measured.high,
                     measured.verdict);
}

/// Plans, tries the plan that simulation chose, and measures what remains of it once more.
Result<void> measure_together_executor(const std::string& model, double budget_s,
                                       TogetherExecutorTally& tally, Report& report) {
  PlanRequest request{.workers = 2};
  OPBENCH_TRY(ProfileRequest asked, together_executor_request_for(model, budget_s));
  request.run = run_of(std::move(asked));
  OPBENCH_TRY(PlanResult result, run_plan(request));
  const double h = result.ceiling.h_by_pieces();
  const PlanCandidate candidate = result.candidates[result.chosen];
  OPBENCH_CHECK(confirm_choice(request, result));
  report.note(fmt::format("{}: ceiling {:.3f} ×, {} predicted {:.3f} ×; {}", model, h,
                          candidate.plan.planner, candidate.speedup.ratio, result.file.reason));
  double speedup = 1;
  if (result.chosen != 0) {
    OPBENCH_TRY(const PlanTrial again, try_plan(request.run, result.file));
    if (!again.refusal.empty()) ++tally.refused;
    if (again.measured) {
      speedup = again.measured->speedup;
      tally.slower += again.measured->verdict == "slower" ? 1 : 0;
      tally.faster += again.measured->verdict == "faster" && h >= kFasterCeiling ? 1 : 0;
      report.note(
          fmt::format("  measured again {}; memory of values {:.1f} MB, sequential {:.1f} MB",
                      together_executor_text_of(*again.measured), megabytes(again.plan_bytes),
                      megabytes(again.sequential_bytes)));
    } else {
      report.note("  measured again: " + again.no_verdict_reason + again.refusal);
    }
  }
  for (const std::string& warning : result.warnings) report.note("  warning: " + warning);
  if (h >= kLeastCeiling) {
    const double share = (speedup - 1) / (h - 1);
    report.note(fmt::format("  {:.2f} of the gain that the ceiling allows", share));
    report.add(
        {fmt::format("together executor {}: share of the ceiling's gain that is missing", model),
         1 - share, 1 - kWantedShare});
  }
  return {};
}

/// The models that `--run` names; `all` stands for every built-in one.
std::vector<std::string> models_to_run(const Arguments& arguments) {
  std::vector<std::string> models;
  for (const std::string& name : arguments.values("--run")) {
    if (name == "all") {
      for (const ZooEntry& entry : zoo_entries()) models.push_back(entry.name);
    } else {
      models.push_back(name);
    }
  }
  return models;
}

Result<void> run_together_executor(const Arguments& arguments, Report& report) {
  OPBENCH_TRY(const double budget_s, arguments.positive("--budget"));
  TogetherExecutorTally tally;
  for (const std::string& model : models_to_run(arguments)) {
    Report::progress(model);
    const auto measured = measure_together_executor(model, budget_s, tally, report);
    // One model without a plan, such as one too large for the memory, does not end the run.
    if (!measured) report.note(fmt::format("{}: left out: {}", model, to_text(measured.error())));
  }
  report.add(
      {"together executor: models that a plan made slower", static_cast<double>(tally.slower), 0});
  report.add({"together executor: plans with other bits", static_cast<double>(tally.refused), 0});
  const double wanting = std::max(0.0, kFewestFaster - tally.faster);
  report.add({fmt::format("together executor: fewer than {} models with a ceiling of {:.2f} became "
                          "faster, by",
                          kFewestFaster, kFasterCeiling),
              wanting, 0});
  return {};
}

}  // namespace

TogetherPart executor_part() {
  return {.name = "executor",
          .summary = "plans of models, run on 2 workers",
          .run = run_together_executor};
}

}  // namespace opbench
