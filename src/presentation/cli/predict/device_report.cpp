#include "presentation/cli/predict/device_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "base/files/text_file.h"
#include "experiments/predict/device_prediction.h"
#include "prediction/predict/files/predictor_file.h"

namespace opbench {
namespace {

constexpr const char* kExample = "opbench predict MODEL --device NAME --probe probe.json";

std::vector<std::filesystem::path> device_report_files_of(const Arguments& arguments,
                                                          const char* option) {
  std::vector<std::filesystem::path> files;
  for (const std::string& file : arguments.values(option)) files.emplace_back(file);
  return files;
}

/// The chosen predictor, and the others of the folder: each is a known device.
Result<std::vector<UnitPredictor>> pool_of(const PredictorChoice& choice) {
  std::vector<UnitPredictor> pool;
  OPBENCH_TRY(UnitPredictor own, chosen_predictor(choice));
  const std::filesystem::path chosen = predictor_path(choice.folder, choice.engine, choice.threads);
  pool.push_back(std::move(own));
  std::vector<std::filesystem::path> files;
  std::error_code ignored;
  for (const auto& entry : std::filesystem::directory_iterator(choice.folder, ignored)) {
    if (entry.path().extension() == ".json" && entry.path() != chosen)
      files.push_back(entry.path());
  }
  std::ranges::sort(files);
  for (const std::filesystem::path& file : files) {
    OPBENCH_TRY(const std::string text, read_text_file(file));
    auto other = parse_predictor(text);
    if (!other) return Error(other.error()).with("in", file.string());
    pool.push_back(*std::move(other));
  }
  return pool;
}

}  // namespace

std::vector<OptionDef> device_options() {
  return {{.name = "--device",
           .value_name = "NAME",
           .help = "predict for a device that has no predictor, from --probe and --labels"},
          {.name = "--probe",
           .value_name = "FILE,…",
           .help = "with --device: what `opbench env --probe --format json` wrote there",
           .kind = OptionKind::kList,
           .file = FileUse::kRead},
          {.name = "--labels",
           .value_name = "FILE,…",
           .help = "with --device: records of a few units that were measured there, such as\n"
                   "`opbench op WORKLOAD --record FILE` makes",
           .kind = OptionKind::kList,
           .file = FileUse::kRead}};
}

Result<bool> asks_for_device(const Arguments& arguments) {
  const bool is_asked = arguments.has("--device");
  for (const char* option : {"--probe", "--labels"}) {
    if (is_asked || !arguments.has(option)) continue;
    return Error{ErrorCode::kInvalidInput, fmt::format("{} goes with --device", option)}.with(
        "example", kExample);
  }
  if (!is_asked) return false;
  if (!arguments.has("--probe") && !arguments.has("--labels")) {
    return Error{ErrorCode::kInvalidInput,
                 "--device needs --probe or --labels: times that were measured there"}
        .with("example", kExample);
  }
  for (const char* option : {"--prices", "--from", "--record"}) {
    if (!arguments.is_typed(option)) continue;
    return Error{ErrorCode::kInvalidInput, fmt::format("{} does not go with --device", option)};
  }
  return true;
}

Result<PredictReport> device_report(const Arguments& arguments, const PredictorChoice& choice,
                                    ProfileRequest model, double level) {
  DeviceRequest request{.model = std::move(model),
                        .device = arguments.value("--device"),
                        .probes = device_report_files_of(arguments, "--probe"),
                        .labels = device_report_files_of(arguments, "--labels"),
                        .pool = {},
                        .level = level};
  OPBENCH_TRY(request.pool, pool_of(choice));
  OPBENCH_TRY(const DevicePrediction predicted, predict_device(request));
  PredictReport report{.model = predicted.model,
                       .is_workload = predicted.is_workload,
                       .level = level,
                       .prediction = predicted.prediction,
                       .missing = predicted.missing,
                       .predictor = request.pool.front().id(),
                       .engine = choice.engine,
                       .threads = choice.threads,
                       .stale = staleness_of(request.pool.front())};
  report.device = DeviceKnowledge{.device = request.device,
                                  .labels = predicted.labels,
                                  .probes = predicted.probes,
                                  .typical_error = predicted.typical_error,
                                  .left_out = predicted.left_out};
  return report;
}

}  // namespace opbench
