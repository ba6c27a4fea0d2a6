#include <algorithm>
#include <filesystem>
#include <ostream>

#include "experiments/predict/evaluation.h"
#include "experiments/predict/left_out_evaluation.h"
#include "experiments/predict/training_run.h"
#include "prediction/predict/files/predictor_file.h"
#include "presentation/cli/command.h"
#include "presentation/cli/interruption.h"
#include "presentation/cli/options/download_flags.h"
#include "presentation/cli/options/extent_options.h"
#include "presentation/cli/options/model_argument.h"
#include "presentation/cli/output/progress_line.h"
#include "presentation/cli/output/table_output.h"
#include "presentation/cli/predict/predictor_option.h"
#include "presentation/report/predict/evaluation_report.h"

namespace opbench {
namespace {

Result<std::vector<ProfileRequest>> requests_of(const Invocation& invocation,
                                                const PredictorChoice& choice) {
  const Arguments& arguments = invocation.arguments;
  ProfileRequest common;
  common.engines = {choice.engine};
  common.threads = {choice.threads};
  common.measure.check_engine = "none";
  common.notes.argv = invocation.argv;
  OPBENCH_TRY(common.measure.budget_s, arguments.seconds("--budget"));
  OPBENCH_CHECK(set_extents(arguments, common));
  OPBENCH_CHECK(set_download(arguments, common));
  std::vector<ProfileRequest> requests;
  for (const std::string& text : arguments.positionals()) {
    if (std::ranges::count(arguments.positionals(), text) > 1) {
      return Error{ErrorCode::kInvalidInput, "\"" + text + "\" is named twice"};
    }
    OPBENCH_TRY(const ModelArgument model, resolve_model(text));
    requests.push_back(common);
    requests.back().model.name = model.name;
    requests.back().model.is_zoo = model.is_zoo;
  }
  return requests;
}

/// What the baselines learn from; nothing, with a warning, where records alone were learnt from.
Result<SampleSet> samples_of(const UnitPredictor& predictor, const PredictorChoice& choice,
                             Terminal& terminal) {
  SampleCollector collector({.engine = predictor.engine,
                             .threads = predictor.threads,
                             .machine_hash = predictor.machine_hash,
                             .schedule_version = predictor.schedule_version,
                             .ceilings = predictor.ceilings});
  const std::filesystem::path file = samples_path(choice.folder, choice.engine, choice.threads);
  std::error_code ignored;
  if (!std::filesystem::exists(file, ignored)) {
    terminal.err << "warning: the baselines know no sample: there is no \"" << file.string()
                 << "\"\n";
    return collector.samples();
  }
  OPBENCH_CHECK(collect_file(file, collector));
  return collector.samples();
}

Result<void> check_predict_evaluate_models(const Arguments& arguments, bool is_left_out) {
  const auto& models = arguments.positionals();
  if (is_left_out && !models.empty()) {
    return Error{ErrorCode::kInvalidInput,
                 "--left-out evaluates the models of the samples, not \"" + models.front() + "\""};
  }
  if (is_left_out || !models.empty()) return {};
  return Error{ErrorCode::kInvalidInput, "missing argument MODEL"}.with(
      "MODEL", "ONNX files or their URLs, or names from `opbench list models`; or --left-out");
}

Result<void> predict_evaluate_report(const Evaluation& evaluation, double level,
                                     const UnitPredictor& predictor, const Arguments& arguments,
                                     Terminal& terminal) {
  OPBENCH_TRY(const std::string format, format_of(arguments));
  if (format == "json") {
    return write_text(evaluation_json(evaluation, level, predictor.id()), arguments, terminal);
  }
  const TextTable models = evaluation_table(evaluation);
  const TextTable errors = error_table(evaluation);
  if (format == "csv") return write_text(csv_text(models), arguments, terminal);
  const std::string summary = evaluation_summary(evaluation, level);
  if (format == "md") {
    return write_text(markdown_text(models) + "\n" + markdown_text(errors) + "\n" + summary,
                      arguments, terminal);
  }
  const TableForm form = table_form(arguments, terminal);
  return write_text(aligned_text(models, form.width, form.style) + "\n" +
                        aligned_text(errors, form.width, form.style) + "\n" + summary,
                    arguments, terminal);
}

Result<void> run_predict_evaluate(const Invocation& invocation, Terminal& terminal) {
  const Arguments& arguments = invocation.arguments;
  OPBENCH_CHECK(check_table_options(arguments));
  OPBENCH_TRY(const double level, arguments.percent("--interval"));
  OPBENCH_TRY(const PredictorChoice choice, predictor_choice(arguments));
  OPBENCH_TRY(const bool is_left_out, arguments.is_on("--left-out"));
  OPBENCH_CHECK(check_predict_evaluate_models(arguments, is_left_out));
  EvaluationRequest request{.level = level};
  OPBENCH_TRY(request.models, requests_of(invocation, choice));
  OPBENCH_TRY(const UnitPredictor predictor, chosen_predictor(choice));
  OPBENCH_TRY(const SampleSet samples, samples_of(predictor, choice, terminal));
  const std::string stale = staleness_of(predictor);
  if (!stale.empty()) terminal.err << "warning: " << stale << "\n";
  if (is_left_out) {
    OPBENCH_TRY(const Evaluation evaluation, evaluate_left_out(samples, level));
    return predict_evaluate_report(evaluation, level, predictor, arguments, terminal);
  }
  const Interruption interruption;
  ProgressLine line(terminal);
  request.cancel = &interruption.flag();
  request.progress = [&](const Progress& state) { line.show(state); };
  const Result<Evaluation> evaluation = evaluate(request, predictor, samples);
  line.clear();
  if (!evaluation) return Error(evaluation.error());
  OPBENCH_CHECK(predict_evaluate_report(*evaluation, level, predictor, arguments, terminal));
  if (interruption.flag()) return Error{ErrorCode::kInterrupted, "interrupted"};
  Error error{ErrorCode::kPartial, "some models could not be measured"};
  for (const EvaluatedModel& model : evaluation->models) {
    if (model.visits_s.empty()) error.facts.push_back({model.model, model.reason});
  }
  if (!error.facts.empty()) return error;
  return {};
}

}  // namespace

CommandDef predict_evaluate_command() {
  CommandDef command{
      .name = "predict evaluate",
      .summary = "Predict models, then measure them, and show how far off predictions were",
      .positionals = {{.name = "MODEL",
                       .help = "ONNX files or their URLs, or names from `opbench list models`",
                       .is_required = false,
                       .repeats = true,
                       .file = FileUse::kRead}},
      .options = predictor_options(),
      .examples = {{"opbench predict evaluate inception_v3 my.onnx",
                    "predicted beside measured, with trivial baselines and the noise"},
                   {"opbench predict evaluate --left-out",
                    "each model of the samples by what has not seen it; nothing is measured"}},
      .notes =
          "All models are predicted before the first is measured. Each is measured by two\n"
          "visits, all models before any again; the faster visit counts as the truth, and what\n"
          "the slower one differs from it by is the noise that no prediction can beat.",
      .help_rank = 62,
      .run = run_predict_evaluate};
  const std::vector<OptionDef> more = {
      {.name = "--budget",
       .value_name = "TIME",
       .help = "of pure measuring, for each visit to a model",
       .otherwise = "4s"},
      {.name = "--interval",
       .value_name = "PERCENT",
       .help = "how often the intervals shall hold the time",
       .otherwise = "90"},
      {.name = "--left-out",
       .value_name = "",
       .help = "evaluate models of the samples, by predictors and\n"
               "baselines that have not seen them",
       .kind = OptionKind::kSwitch}};
  command.options.insert(command.options.end(), more.begin(), more.end());
  for (const auto& some : {extent_options(), download_flags(), table_options()}) {
    command.options.insert(command.options.end(), some.begin(), some.end());
  }
  return command;
}

}  // namespace opbench
