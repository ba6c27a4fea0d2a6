// How far predicted times of models are from measured ones, when a whole family of models was left
// out and when a single model was.
#include <fmt/format.h>

#include "benchmarks/predict/corpus.h"
#include "benchmarks/predict/figures.h"
#include "benchmarks/predict/part.h"

namespace opbench {
namespace {

Result<void> run_predict_models(const std::string& folder, const Arguments& arguments,
                                Report& report) {
  Corpus corpus;
  corpus.folder = folder;
  OPBENCH_TRY(const int64_t threads, arguments.integer("--threads", 1, kMostThreads));
  corpus.threads = static_cast<int>(threads);
  OPBENCH_TRY(const int64_t variants, arguments.integer("--variants", 0));
  OPBENCH_TRY(const double most_s, arguments.seconds("--longest"));
  OPBENCH_TRY(corpus.budget_s, arguments.seconds("--budget"));
  OPBENCH_TRY(const int64_t seed, arguments.integer("--seed", 0));
  corpus.models = corpus_models(variants, seed, most_s);
  OPBENCH_TRY(const size_t missing, measure_training(corpus));
  if (missing > 0) {
    return Error{ErrorCode::kTimeBudget, fmt::format("{} visits of {} models are not made yet",
                                                     missing, corpus.models.size())}
        .with("resume", "the same command goes on");
  }
  OPBENCH_CHECK(freeze_predictions(corpus));
  OPBENCH_TRY(const size_t unvisited, measure_truth(corpus));
  if (unvisited > 0) {
    report.note(fmt::format("{} visits are not made yet: the same command goes on", unvisited));
  }
  return report_figures(corpus, report);
}

}  // namespace

PredictPart predict_models() {
  return {.option = {.name = "--models",
                     .value_name = "DIR",
                     .help = "predict models; what is measured lies there, and the same command "
                             "goes on"},
          .options = {{.name = "--variants",
                       .value_name = "N",
                       .help = "of --models: models of random width and depth in each family",
                       .otherwise = "20"},
                      {.name = "--longest",
                       .value_name = "TIME",
                       .help = "of --models: built-in ones that are expected to take longer are "
                               "left out",
                       .otherwise = "0.3"},
                      {.name = "--threads",
                       .value_name = "N",
                       .help = "of --models: threads of a call",
                       .otherwise = "1"},
                      {.name = "--budget",
                       .value_name = "TIME",
                       .help = "of --models: for each of the two rounds of measuring",
                       .otherwise = "2h"}},
          .run = run_predict_models};
}

}  // namespace opbench
