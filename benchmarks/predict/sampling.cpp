// `./dev bench predict --sampling DIR`: errors of predictors. Some learn from adaptive samples,
// which lie around the workloads that are predicted worst; others learn from as many random ones.
#include <fmt/format.h>

#include <filesystem>
#include <map>

#include "base/files/file.h"
#include "benchmarks/predict/corpus.h"
#include "benchmarks/predict/part.h"
#include "experiments/predict/training_run.h"
#include "model/zoo/image/zoo_variants.h"
#include "prediction/predict/error_figures.h"
#include "prediction/predict/files/read_samples.h"

namespace opbench {
namespace {

namespace fs = std::filesystem;

constexpr const char* kEngine = "halide";
constexpr int64_t kShares[] = {8, 4, 2, 1};  ///< of the batches that a predictor learns from

/// One way to draw workloads, and where its records lie.
struct Sampler {
  std::string name;
  bool is_random = false;
  uint64_t seed = 0;
  int64_t batches = 0;  ///< wanted
};

fs::path predict_sampling_records_of(const std::string& folder, const Sampler& sampler) {
  return samples_path(fs::path(folder) / sampler.name, kEngine, 1);
}

/// Samples of the first `batches` batches.
Result<SampleSet> samples_of(const fs::path& file, const SampleFilter& filter, int64_t batches) {
  SampleCollector collector(filter);
  OPBENCH_TRY(const std::string text, read_file(file));
  OPBENCH_TRY(const auto records, parse_record_lines(text));
  for (const BenchmarkRecord& record : records) {
    if (std::stoll(record.labels->at(kBatchLabel)) < batches) collector.add(record);
  }
  return collector.samples();
}

Result<int64_t> measured_batches(const fs::path& file, const SampleFilter& filter) {
  std::error_code ignored;
  if (!fs::exists(file, ignored)) return 0;
  SampleCollector collector(filter);
  OPBENCH_CHECK(collect_file(file, collector));
  return collector.batches();
}

/// Measures until every sampler has its batches, each for a while in its turn: what the machine
/// does meanwhile touches all of them.
Result<void> measure_predict_sampling(const std::string& folder,
                                      const std::vector<Sampler>& samplers,
                                      const SampleFilter& filter) {
  constexpr double kTurn = 60;
  TrainingRequest request{.engine = kEngine, .budget = {.total_s = kTurn, .goal = 0}};
  for (const VariantFamily& family : variant_families()) request.left_out.push_back(family.name);
  for (bool is_done = false; !is_done;) {
    is_done = true;
    for (const Sampler& sampler : samplers) {
      OPBENCH_TRY(const int64_t batches,
                  measured_batches(predict_sampling_records_of(folder, sampler), filter));
      if (batches >= sampler.batches) continue;
      is_done = false;
      Report::progress(fmt::format("{}: {} of {} batches", sampler.name, batches, sampler.batches));
      request.folder = fs::path(folder) / sampler.name;
      request.is_random = sampler.is_random;
      request.seed = sampler.seed;
      OPBENCH_CHECK(run_training(request));
    }
  }
  return {};
}

/// Errors of in-model times of units that were drawn apart from the training.
Result<ErrorFigures> errors_after(const SampleSet& training, const SampleSet& test) {
  std::vector<const UnitSample*> units;
  for (const UnitSample& unit : training.units) units.push_back(&unit);
  if (units.empty()) return Error{ErrorCode::kNoMatch, "there is no sample to learn from"};
  OPBENCH_TRY(const UnitForests forests, fit_forests(units));
  std::vector<PredictedPair> pairs;
  for (const UnitSample& unit : test.units) {
    if (!unit.in_model_s || unit.features.kind == "layout") continue;
    pairs.push_back(
        {predict_unit(forests, unit.features, unit.context).in_model_s, *unit.in_model_s});
  }
  return error_figures(pairs);
}

Result<void> run_predict_sampling(const std::string& folder, const Arguments& arguments,
                                  Report& report) {
  OPBENCH_TRY(const int64_t batches, arguments.integer("--batches", kShares[0]));
  OPBENCH_TRY(const int64_t given_seed, arguments.integer("--seed", 0));
  const auto seed = static_cast<uint64_t>(given_seed);
  const Sampler adaptive{.name = "adaptive", .seed = seed, .batches = batches};
  const Sampler random{.name = "random", .is_random = true, .seed = seed, .batches = batches};
  const Sampler unseen{
      .name = "unseen", .is_random = true, .seed = seed + 1, .batches = batches / 2};
  OPBENCH_TRY(const SampleFilter filter, own_samples(1));
  OPBENCH_CHECK(measure_predict_sampling(folder, {adaptive, random, unseen}, filter));
  OPBENCH_TRY(const SampleSet test,
              samples_of(predict_sampling_records_of(folder, unseen), filter, unseen.batches));
  std::map<std::string, std::map<int64_t, double>> means;
  for (const int64_t share : kShares) {
    for (const Sampler& sampler : {adaptive, random}) {
      OPBENCH_TRY(const SampleSet training, samples_of(predict_sampling_records_of(folder, sampler),
                                                       filter, batches / share));
      OPBENCH_TRY(const ErrorFigures errors, errors_after(training, test));
      means[sampler.name][share] = errors.mean;
      report.note(fmt::format(
          "{:8} {:5} samples: {} unseen units, mean {:.1f} %, median {:.1f} %, RMSPE {:.1f} %",
          sampler.name, training.units.size(), errors.count, errors.mean * 100, errors.median * 100,
          errors.rms * 100));
    }
  }
  report.add({"sampling: mean error of half as many adaptive samples / that of random ones",
              means.at(adaptive.name).at(2) / means.at(random.name).at(1), 1});
  return {};
}

}  // namespace

PredictPart predict_sampling() {
  return {.option = {.name = "--sampling",
                     .value_name = "DIR",
                     .help = "learn from adaptive and from random samples; what is measured lies\n"
                             "there, and the same command goes on"},
          .options = {{.name = "--batches",
                       .value_name = "N",
                       .help = "of --sampling: batches of 48 workloads for each of the two",
                       .otherwise = "48"}},
          .run = run_predict_sampling};
}

}  // namespace opbench
