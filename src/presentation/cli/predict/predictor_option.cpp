#include "presentation/cli/predict/predictor_option.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/json/json.h"
#include "engines/catalog/engine.h"
#include "engines/catalog/engine_choice.h"
#include "machine/facts/environment.h"
#include "prediction/predict/files/predictor_file.h"

namespace opbench {

std::vector<OptionDef> predictor_options() {
  return {{.name = "--engine",
           .value_name = "NAME",
           .help = "whose kernels; one that takes packages, as units are known before a run",
           .otherwise = "halide"},
          {.name = "--threads",
           .value_name = "N",
           .help = "threads of a call; each number has a predictor of its own",
           .otherwise = "1"},
          {.name = "--predictors",
           .value_name = "FOLDER",
           .help = "where predictors are kept; default: in the cache, by machine"}};
}

Result<PredictorChoice> predictor_choice(const Arguments& arguments) {
  PredictorChoice choice;
  choice.engine = arguments.value("--engine");
  OPBENCH_TRY(const EngineDef* engine, engine_table().find(choice.engine));
  if (!engine->takes_packages || !runs_on_cpu(*engine)) {
    std::string able;
    for (const EngineDef& known : engine_table().all()) {
      if (known.takes_packages && runs_on_cpu(known))
        able += (able.empty() ? "" : ", ") + known.name;
    }
    return Error{
        ErrorCode::kInvalidInput,
        engine->takes_packages
            ? fmt::format("no times of \"{}\" are predicted: predictors know CPUs", choice.engine)
            : fmt::format("what \"{}\" runs as one kernel is not known before it runs",
                          choice.engine)}
        .with("valid", able);
  }
  OPBENCH_TRY(const int64_t threads, arguments.integer("--threads", 1, kMostThreads));
  choice.threads = static_cast<int>(threads);
  choice.machine_hash = capture_environment().machine_hash;
  const std::string folder = arguments.value("--predictors");
  choice.folder = folder;
  if (folder.empty()) choice.folder = predictor_folder(choice.machine_hash);
  return choice;
}

Result<UnitPredictor> chosen_predictor(const PredictorChoice& choice) {
  return load_predictor({.folder = choice.folder,
                         .engine = choice.engine,
                         .threads = choice.threads,
                         .machine_hash = choice.machine_hash});
}

}  // namespace opbench
