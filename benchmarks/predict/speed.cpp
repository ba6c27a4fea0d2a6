// `./dev bench predict --speed FILE`: what a prediction costs, as a whole process and inside one.
#include <fmt/format.h>

#include <algorithm>

#include "base/files/file.h"
#include "base/system/monotonic_clock.h"
#include "base/system/seconds.h"
#include "benchmarks/common/program_run.h"
#include "benchmarks/predict/part.h"
#include "experiments/unit_times/predicted_model.h"
#include "measuring/results/statistics.h"
#include "model/zoo/zoo.h"
#include "prediction/predict/files/predictor_file.h"

namespace opbench {
namespace {

constexpr double kMostOfProcess = 0.3;  // seconds
constexpr double kMostOfModel = 0.001;  // seconds
constexpr int kRuns = 5;

/// The median of a few runs of what returns seconds.
template <class Run>
Result<double> predict_speed_median_of(const Run& run_predict_speed) {
  std::vector<double> seconds;
  for (int i = 0; i < kRuns; ++i) {
    OPBENCH_TRY(const double one, run_predict_speed());
    seconds.push_back(one);
  }
  return median(seconds);
}

/// Of `opbench predict MODEL`, from its start to its end.
Result<double> process_s(const std::string& model, const std::string& predictor) {
  return predict_speed_median_of([&]() -> Result<double> {
    OPBENCH_TRY(const ProgramRun run,
                run_to_end({.argv = {opbench_path(), "predict", model, "--predictors",
                                     std::filesystem::path(predictor).parent_path().string()}}));
    if (run.exit_code != 0) return Error{ErrorCode::kSystem, run.err};
    return run.wall_s;
  });
}

/// Of a model whose units are known, in this process.
Result<double> prediction_s(const PlannedModel& model, const UnitPredictor& predictor) {
  constexpr double kLevel = 0.9;
  return predict_speed_median_of([&]() -> Result<double> {
    const double begin_s = monotonic_s();
    const ModelPrediction prediction = predict_planned(model, predictor, kLevel);
    if (prediction.units.empty()) return Error{ErrorCode::kSystem, "a model without units"};
    return monotonic_s() - begin_s;
  });
}

Result<void> run_predict_speed(const std::string& file, const Arguments&, Report& report) {
  OPBENCH_TRY(const std::string text, read_file(file));
  OPBENCH_TRY(const UnitPredictor predictor, parse_predictor(text));
  std::vector<double> processes, predictions;
  for (const ZooEntry& entry : zoo_entries()) {
    Report::progress(entry.name);
    ProfileRequest request{.model = {.name = entry.name}};
    request.model.is_zoo = true;
    request.threads = {1};
    const auto planned = plan_model(request);
    if (!planned) {
      report.note(fmt::format("{}: left out: {}", entry.name, to_text(planned.error())));
      continue;
    }
    OPBENCH_TRY(const double process, process_s(entry.name, file));
    OPBENCH_TRY(const double prediction, prediction_s(*planned, predictor));
    processes.push_back(process);
    predictions.push_back(prediction);
    report.note(fmt::format("{:24} process {:6.1f} ms, prediction {:7.3f} ms, {} units", entry.name,
                            s_to_ms(process), s_to_ms(prediction), planned->steps.size()));
  }
  if (processes.empty()) return Error{ErrorCode::kSystem, "no model could be planned"};
  report.add({"predict speed: seconds of a process, slowest model", std::ranges::max(processes),
              kMostOfProcess});
  report.add({"predict speed: seconds of a prediction inside a process, median model",
              median(predictions), kMostOfModel});
  return {};
}

}  // namespace

PredictPart predict_speed() {
  return {.option = {.name = "--speed",
                     .value_name = "FILE",
                     .help = "time predictions of all built-in models by this predictor"},
          .run = run_predict_speed};
}

}  // namespace opbench
