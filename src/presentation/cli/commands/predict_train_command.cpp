#include <fmt/format.h>

#include <ostream>

#include "experiments/predict/training_run.h"
#include "presentation/cli/command.h"
#include "presentation/cli/interruption.h"
#include "presentation/cli/output/progress_line.h"
#include "presentation/cli/output/table_output.h"
#include "presentation/cli/predict/predictor_card.h"
#include "presentation/cli/predict/predictor_option.h"

namespace opbench {
namespace {

Result<TrainingRequest> predict_train_request_of(const Invocation& invocation) {
  const Arguments& arguments = invocation.arguments;
  OPBENCH_TRY(const PredictorChoice choice, predictor_choice(arguments));
  TrainingRequest request{
      .engine = choice.engine, .threads = choice.threads, .folder = choice.folder};
  request.budget.total_s = 0;
  if (arguments.value("--budget") != "0") {
    OPBENCH_TRY(request.budget.total_s, arguments.seconds("--budget"));
  }
  OPBENCH_TRY(request.budget.goal, arguments.percent("--goal"));
  OPBENCH_TRY(request.is_random, arguments.is_on("--random"));
  OPBENCH_TRY(const int64_t seed, arguments.integer("--seed", 0));
  request.seed = static_cast<uint64_t>(seed);
  for (const std::string& file : arguments.values("--records")) request.records.emplace_back(file);
  request.argv = invocation.argv;
  return request;
}

Progress shown(const TrainingProgress& state) {
  Progress progress{.stage = state.stage, .item = state.batch};
  progress.item += fmt::format("  {} batches, {} units", state.batches, state.units);
  if (state.unit_error) {
    progress.item += fmt::format("; unseen units {:.1f} % off (median), models {:.1f} % (mean)",
                                 *state.unit_error * 100, *state.model_error * 100);
  }
  if (state.left_s > 0) progress.eta_s = state.left_s;
  return progress;
}

Result<void> run_predict_train(const Invocation& invocation, Terminal& terminal) {
  OPBENCH_CHECK(check_table_options(invocation.arguments));
  OPBENCH_TRY(TrainingRequest request, predict_train_request_of(invocation));
  const Interruption interruption;
  ProgressLine line(terminal);
  request.cancel = &interruption.flag();
  request.progress = [&](const TrainingProgress& state) { line.show(shown(state)); };
  const Result<TrainingResult> trained = run_training(request);
  line.clear();
  if (!trained) return Error(trained.error());
  const TrainingResult& result = *trained;
  for (const std::string& warning : result.warnings) terminal.err << "warning: " << warning << "\n";
  OPBENCH_CHECK(write_predictor_card(result.predictor, invocation.arguments, terminal));
  terminal.err << fmt::format("{} batches measured; kept: {}, samples: {}\n", result.batches,
                              result.path.string(), result.samples.string());
  if (result.disturbed > 0) {
    terminal.err << fmt::format("{} times left out: other work had the CPUs\n", result.disturbed);
  }
  if (result.why != "interrupted") return {};
  return Error{ErrorCode::kInterrupted, "interrupted; what was measured until then is learnt"};
}

}  // namespace

CommandDef predict_train_command() {
  CommandDef command{
      .name = "predict train",
      .summary = "Measure this machine where predictions are wrong, and learn from it",
      .options = predictor_options(),
      .examples = {{"opbench predict train --budget 30m", "a predictor for one thread"},
                   {"opbench predict train --threads 2 --budget 30m", "and for two"},
                   {"opbench predict train --records runs.jsonl --budget 0",
                    "learn from earlier samples and records of `profile --record`"}},
      .notes =
          "Samples are kept as records. A second call adds to them, also after a kill. Kernels\n"
          "of other schedules than those of this build are left out.",
      .help_rank = 61,
      .run = run_predict_train};
  const std::vector<OptionDef> more = {
      {.name = "--budget",
       .value_name = "TIME|0",
       .help = "for measuring and learning: 90s, 30m, 1h; 0: learn from what there is",
       .otherwise = "30m"},
      {.name = "--goal",
       .value_name = "PERCENT",
       .help = "end earlier when unseen models are off by no more, in the mean",
       .otherwise = "3"},
      {.name = "--random",
       .value_name = "",
       .help = "draw samples without looking at errors",
       .kind = OptionKind::kSwitch},
      {.name = "--records",
       .value_name = "FILE,FILE…",
       .help = "learn from these records, too",
       .kind = OptionKind::kList,
       .file = FileUse::kRead},
      {.name = "--seed", .value_name = "N", .help = "of the draws", .otherwise = "0"}};
  command.options.insert(command.options.end(), more.begin(), more.end());
  for (OptionDef& option : table_options()) command.options.push_back(std::move(option));
  return command;
}

}  // namespace opbench
