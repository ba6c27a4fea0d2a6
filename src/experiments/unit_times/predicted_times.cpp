#include "experiments/unit_times/predicted_times.h"

#include <fmt/format.h>

#include "base/system/seconds.h"
#include "engines/catalog/engine_choice.h"
#include "experiments/unit_times/predicted_model.h"
#include "machine/facts/environment.h"
#include "prediction/predict/files/predictor_file.h"

namespace opbench {
namespace {

constexpr double kOneStandardError = 0.68;

Result<void> check_kernels(const ProfileRequest& request) {
  std::string why;
  if (!request.settings.kernels.empty() || !request.settings.candidates.empty())
    why = "a tuning log chooses kernels";
  if (!request.settings.is_fused) why = "--fusion off";
  if (why.empty()) return {};
  return Error{ErrorCode::kInvalidInput, "times are predicted of default kernels only"}.with(
      "reason", why);
}

Result<ThreadTimes> predicted_times_times_of(const ModelPrediction& prediction, int threads) {
  ThreadTimes times{.threads = threads};
  for (const PredictedRow& row : prediction.units) {
    const PredictedTime& time = row.time.in_model;
    times.rows.push_back({.identity = row.identity,
                          .in_place_ms = {s_to_ms(time.median_s)},
                          .errors_ms = {s_to_ms((time.high_s - time.low_s) / 2)}});
  }
  return times;
}

std::vector<std::string> warnings_of(const UnitPredictor& predictor,
                                     const ModelPrediction& prediction) {
  const std::string on =
      fmt::format("on {} thread{} ", predictor.threads, predictor.threads == 1 ? "" : "s");
  std::vector<std::string> warnings;
  if (const std::string stale = staleness_of(predictor); !stale.empty()) {
    warnings.push_back(on + stale);
  }
  if (prediction.out_of_range > 0) {
    warnings.push_back(on + fmt::format("{} unit{} unlike any that the predictor has seen",
                                        prediction.out_of_range,
                                        prediction.out_of_range == 1 ? " is" : "s are"));
  }
  return warnings;
}

}  // namespace

Result<PredictedTimes> predicted_times(const ProfileRequest& request,
                                       const std::filesystem::path& predictors) {
  OPBENCH_CHECK(check_kernels(request));
  const std::string machine = capture_environment().machine_hash;
  const auto folder = predictors.empty() ? predictor_folder(machine) : predictors;
  const std::string engine = package_engine().name;
  PredictedTimes result{.source = "predicted"};
  for (const int threads : request.threads) {
    OPBENCH_TRY(
        const UnitPredictor predictor,
        load_predictor(
            {.folder = folder, .engine = engine, .threads = threads, .machine_hash = machine}));
    ProfileRequest one = request;
    one.threads = {threads};
    OPBENCH_TRY(const PlannedModel model, plan_model(one));
    const ModelPrediction prediction = predict_planned(model, predictor, kOneStandardError);
    OPBENCH_TRY(result.times.threads.emplace_back(), predicted_times_times_of(prediction, threads));
    const auto path = predictor_path(folder, engine, threads);
    result.source += fmt::format(", {} {}", path.stem().string(), predictor.id());
    for (std::string& warning : warnings_of(predictor, prediction)) {
      result.warnings.push_back(std::move(warning));
    }
  }
  return result;
}

}  // namespace opbench
