#include "base/errors/suggestion.h"
#include "experiments/unit_times/predicted_model.h"
#include "model/operators/workloads/workload.h"
#include "prediction/predict/files/predictor_file.h"
#include "presentation/cli/command.h"
#include "presentation/cli/options/download_flags.h"
#include "presentation/cli/options/extent_options.h"
#include "presentation/cli/options/model_argument.h"
#include "presentation/cli/output/output_file.h"
#include "presentation/cli/output/table_output.h"
#include "presentation/cli/predict/configured_report.h"
#include "presentation/cli/predict/device_report.h"
#include "presentation/cli/predict/kept_prediction.h"
#include "presentation/cli/predict/predictor_option.h"
#include "presentation/cli/predict/priced_prediction.h"
#include "presentation/report/predict/predict_report.h"

namespace opbench {
namespace {

Result<ProfileRequest> predict_request_of(const Arguments& arguments, int threads,
                                          Terminal& terminal) {
  ProfileRequest request;
  request.threads = {threads};
  OPBENCH_CHECK(set_extents(arguments, request));
  OPBENCH_CHECK(set_download(arguments, request));
  // The words of a workload without quotes come one by one.
  const std::string text = join(arguments.positionals(), " ");
  if (is_workload(text)) {
    const Result<Workload> workload = parse_workload(text);
    if (!workload) return Error(workload.error()).with("help", "opbench predict --help");
    request.model.workload = text_of(*workload);
    return request;
  }
  OPBENCH_TRY(const ModelArgument model, resolve_model(text));
  request.model.name = model.name;
  request.model.is_zoo = model.is_zoo;
  show_download(request, terminal);
  return request;
}

Result<PredictReport> predict_report_of(const Arguments& arguments, Terminal& terminal) {
  OPBENCH_TRY(const double level, arguments.percent("--interval"));
  OPBENCH_TRY(const bool is_configured, asks_for_configuration(arguments));
  if (is_configured) {
    OPBENCH_TRY(ProfileRequest model, predict_request_of(arguments, 1, terminal));
    return configured_report(arguments, std::move(model), level);
  }
  OPBENCH_TRY(const PredictorChoice choice, predictor_choice(arguments));
  OPBENCH_TRY(ProfileRequest request, predict_request_of(arguments, choice.threads, terminal));
  OPBENCH_TRY(const bool is_elsewhere, asks_for_device(arguments));
  if (is_elsewhere) return device_report(arguments, choice, std::move(request), level);
  OPBENCH_TRY(const PlannedModel model, plan_model(request));
  OPBENCH_TRY(const UnitPredictor predictor, chosen_predictor(choice));
  return PredictReport{.model = model.name,
                       .is_workload = model.is_workload,
                       .level = level,
                       .prediction = predict_planned(model, predictor, level),
                       .missing = model.missing,
                       .predictor = predictor.id(),
                       .engine = choice.engine,
                       .threads = choice.threads,
                       .stale = staleness_of(predictor)};
}

Result<void> write_predict_report(const PredictReport& report, const Arguments& arguments,
                                  Terminal& terminal) {
  OPBENCH_TRY(const std::string format, format_of(arguments));
  if (format == "json") return write_text(predict_json(report), arguments, terminal);
  const TextTable table = predict_table(report);
  if (format == "csv") return write_text(csv_text(table), arguments, terminal);
  if (format == "md") {
    return write_text(predict_summary(report) + "\n" + markdown_text(table), arguments, terminal);
  }
  const TableForm form = table_form(arguments, terminal);
  return write_text(predict_summary(report) + "\n" + aligned_text(table, form.width, form.style),
                    arguments, terminal);
}

Result<void> predict_run(const Invocation& invocation, Terminal& terminal) {
  const Arguments& arguments = invocation.arguments;
  OPBENCH_CHECK(check_table_options(arguments));
  if (arguments.has("--prices")) return predict_prices(arguments, terminal);
  if (arguments.has("--within")) {
    return Error{ErrorCode::kInvalidInput, "--within goes with --prices"};
  }
  const std::string file = arguments.value("--record");
  if (!file.empty()) OPBENCH_CHECK(check_writable(file, "--record"));
  OPBENCH_TRY(const PredictReport report, predict_report_of(arguments, terminal));
  OPBENCH_CHECK(write_predict_report(report, arguments, terminal));
  if (file.empty()) return {};
  return keep_prediction(report, invocation.argv, file, terminal);
}

}  // namespace

CommandDef predict_command() {
  CommandDef command{
      .name = "predict",
      .summary = "Tell the time of a model or an operator without running it",
      .positionals = {{.name = "MODEL|WORKLOAD",
                       .help = "an ONNX file or its URL, a name from `opbench list models`, or\n"
                               "operators as `opbench op` takes them",
                       .repeats = true,
                       .file = FileUse::kRead}},
      .options = predictor_options(),
      .examples =
          {{"opbench predict resnet-50", "the time of a model and of each of its units"},
           {"opbench predict 'conv2d 1x64x56x56 w:64x64x3x3 pads=1,1,1,1; relu' --interval 95",
            "one operator alone, with a wider interval"},
           {"opbench predict resnet-50 bert --prices prices.toml --within 50",
            "the cheapest device that answers within 50 ms"},
           {"opbench predict resnet-50 --from one.jsonl --to threads=2 --pairs others.jsonl",
            "its time with two threads, from records with one"},
           {"opbench predict resnet-50 --device pi5 --probe pi5.json --labels pi5.jsonl",
            "its time on a device of which only a few times are known"}},
      .notes =
          "Nothing is measured and no kernel is compiled. `opbench predict train` makes the\n"
          "predictor of this machine first. A model's units are timed inside it, a workload\n"
          "alone. Units marked (!) are unlike any that the predictor has seen.",
      .help_rank = 6,
      .run = predict_run};
  command.options.push_back({.name = "--interval",
                             .value_name = "PERCENT",
                             .help = "how often the interval shall hold the time",
                             .otherwise = "90"});
  command.options.push_back(
      {.name = "--record",
       .value_name = "FILE",
       .help = "append records of kind \"predicted\", one JSON object a line, and\n"
               "keep them in the store",
       .file = FileUse::kWritten});
  for (const auto& more : {configuration_options(), device_options(), price_options(),
                           extent_options(), download_flags(), table_options()}) {
    command.options.insert(command.options.end(), more.begin(), more.end());
  }
  return command;
}

}  // namespace opbench
