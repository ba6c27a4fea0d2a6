#include "presentation/cli/predict/configured_report.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/files/file.h"
#include "engines/catalog/engine_choice.h"
#include "experiments/predict/configured_prediction.h"
#include "machine/facts/environment.h"

namespace opbench {
namespace {

std::vector<std::filesystem::path> configured_report_files_of(const Arguments& arguments,
                                                              const char* option) {
  std::vector<std::filesystem::path> files;
  for (const std::string& file : arguments.values(option)) files.emplace_back(file);
  return files;
}

}  // namespace

std::vector<OptionDef> configuration_options() {
  return {{.name = "--from",
           .value_name = "FILE,…",
           .help = "records of MODEL in one configuration: predict it in another one (--to)",
           .kind = OptionKind::kList,
           .file = FileUse::kRead},
          {.name = "--to",
           .value_name = "KEY=VALUE,…",
           .help = "with --from: what changes: threads=N, target=sse4.1|avx2|avx512|host,\n"
                   "neighbour=none|memory"},
          {.name = "--pairs",
           .value_name = "FILE,…",
           .help = "with --from: records of other models in both configurations, to learn how\n"
                   "times change from",
           .kind = OptionKind::kList,
           .file = FileUse::kRead}};
}

Result<bool> asks_for_configuration(const Arguments& arguments) {
  const bool is_asked = arguments.has("--from");
  for (const char* option : {"--to", "--pairs"}) {
    if (is_asked || !arguments.has(option)) continue;
    return Error{ErrorCode::kInvalidInput, fmt::format("{} goes with --from", option)}.with(
        "example", "opbench predict MODEL --from records.jsonl --to threads=2");
  }
  if (!is_asked) return false;
  if (!arguments.has("--to")) {
    return Error{ErrorCode::kInvalidInput, "--from needs --to, which says what changes"}.with(
        "example", "opbench predict MODEL --from records.jsonl --to threads=2");
  }
  for (const char* option : {"--prices", "--record", "--threads", "--predictors"}) {
    if (!arguments.is_typed(option)) continue;
    return Error{ErrorCode::kInvalidInput, fmt::format("{} does not go with --from", option)};
  }
  if (arguments.value("--engine") != package_engine().name) {
    return Error{
        ErrorCode::kInvalidInput,
        fmt::format("--from takes records of halide, not of \"{}\"", arguments.value("--engine"))};
  }
  return true;
}

Result<PredictReport> configured_report(const Arguments& arguments, ProfileRequest model,
                                        double level) {
  OPBENCH_TRY(const ConfiguredPrediction predicted,
              predict_configured({.model = std::move(model),
                                  .from = configured_report_files_of(arguments, "--from"),
                                  .change = arguments.value("--to"),
                                  .pairs = configured_report_files_of(arguments, "--pairs"),
                                  .machine_hash = capture_environment().machine_hash,
                                  .folder = cache_folder(),
                                  .level = level}));
  PredictReport report{.model = predicted.model,
                       .is_workload = predicted.is_workload,
                       .level = level,
                       .prediction = predicted.prediction,
                       .missing = predicted.missing,
                       .predictor = "configurations",
                       .engine = package_engine().name,
                       .threads = predicted.to.threads};
  report.change = ConfigurationChange{
      .from = text_of(predicted.from), .to = text_of(predicted.to), .pairs = predicted.pairs};
  return report;
}

}  // namespace opbench
