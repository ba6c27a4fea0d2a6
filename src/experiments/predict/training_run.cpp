#include "experiments/predict/training_run.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/files/file.h"
#include "base/system/monotonic_clock.h"
#include "experiments/predict/outline_file.h"
#include "experiments/predict/training_batches.h"
#include "experiments/profile/profile_session.h"
#include "experiments/sessions/make_engine_run.h"
#include "experiments/sessions/run_identity.h"
#include "machine/facts/environment.h"
#include "machine/resources/cpu_choice.h"
#include "machine/resources/pinning.h"
#include "prediction/predict/files/predictor_file.h"
#include "records/record/cut_record.h"
#include "records/record/profile_records.h"

namespace opbench {
namespace {

constexpr int kFailuresInARow = 5;

/// One call of `predict train`.
class Training {
 public:
  explicit Training(const TrainingRequest& request)
      : request_(request), batches_(request.seed, request.left_out), begin_(monotonic_s()) {}

  Result<TrainingResult> run() {
    OPBENCH_CHECK(open());
    OPBENCH_CHECK(read_samples());
    OPBENCH_CHECK(find_worst());
    OPBENCH_CHECK(measure());
    OPBENCH_CHECK(learn());
    OPBENCH_CHECK(save_predictor(*predictor_, result_.path));
    result_.predictor = std::move(*predictor_);
    return std::move(result_);
  }

 private:
  Result<void> open() {
    OPBENCH_TRY(const EngineDef engine, find_engine({}, request_.engine));
    if (!engine.takes_packages) {
      return Error{ErrorCode::kInvalidInput,
                   fmt::format("what \"{}\" runs as one kernel is not known before it runs",
                               request_.engine)}
          .with("known", "halide");
    }
    OPBENCH_CHECK(make_writable_folder(request_.folder));
    result_.path = predictor_path(request_.folder, request_.engine, request_.threads);
    result_.samples = samples_path(request_.folder, request_.engine, request_.threads);
    const Environment environment = capture_environment();
    identity_ = {.engine = request_.engine,
                 .threads = request_.threads,
                 .machine_hash = environment.machine_hash,
                 .software_hash = environment.software_hash,
                 .schedule_version = schedule_version(),
                 .target = display_text(host_target()),
                 .timestamp = utc_now()};
    OPBENCH_TRY(const Topology topology, this_topology());
    OPBENCH_TRY(const std::vector<int> cpus,
                choose_cpus(topology, request_.threads, current_affinity()));
    OPBENCH_TRY(identity_.ceilings,
                ceilings(cpus, topology, identity_.machine_hash, cache_folder()));
    collector_.emplace(SampleFilter{.engine = request_.engine,
                                    .threads = request_.threads,
                                    .machine_hash = identity_.machine_hash,
                                    .schedule_version = identity_.schedule_version,
                                    .ceilings = identity_.ceilings});
    return {};
  }

  Result<void> read_samples() {
    report("read", "");
    std::error_code ignored;
    if (std::filesystem::exists(result_.samples, ignored)) {
      OPBENCH_TRY(const bool was_cut, mend_last_line(result_.samples));
      if (was_cut) result_.warnings.emplace_back("the last record of the samples was cut");
      const bool has_record = std::filesystem::file_size(result_.samples, ignored) > 0;
      if (has_record) OPBENCH_CHECK(collect_file(result_.samples, *collector_));
    }
    for (const std::filesystem::path& file : request_.records) {
      OPBENCH_CHECK(collect_file(file, *collector_));
    }
    return {};
  }

  /// A training that goes on draws around what its earlier samples predict worst.
  Result<void> find_worst() {
    const bool has_samples = collector_->batches() > 0 && collector_->units() > 0;
    if (request_.is_random || request_.budget.total_s <= 0 || !has_samples) return {};
    return learn();
  }

  double left_s() const { return request_.budget.total_s - (monotonic_s() - begin_); }
  bool is_cancelled() const { return request_.cancel != nullptr && *request_.cancel; }

  Result<void> measure() {
    int64_t number = collector_->batches();
    int failures = 0;
    for (;; ++number) {
      if (is_cancelled()) result_.why = "interrupted";
      if (left_s() <= 0) result_.why = "budget";
      if (!result_.why.empty()) return {};
      const auto measured = measure_batch(number);
      if (!measured) {
        if (measured.error().code == ErrorCode::kInterrupted) continue;
        result_.warnings.push_back(fmt::format("batch {}: {}", number, measured.error().message));
        if (++failures >= kFailuresInARow) return Error(measured.error());
        continue;
      }
      failures = 0;
      if (++result_.batches < next_learning_) continue;
      next_learning_ = result_.batches + std::max<int64_t>(6, result_.batches / 2);
      OPBENCH_CHECK(learn());
      const ModelCard& models = predictor_->models;
      constexpr int64_t kFewestModels = 20;
      if (models.errors.count >= kFewestModels && models.errors.mean <= request_.budget.goal) {
        result_.why = "goal";
      }
    }
  }

  Result<void> measure_batch(int64_t number) {
    static const std::vector<PriorWorkload> kNone;
    OPBENCH_TRY(const TrainingBatch batch,
                batches_.batch(number, request_.is_random ? kNone : worst_));
    OPBENCH_TRY(const TemporaryFolder folder, TemporaryFolder::make());
    ProfileRequest profile;
    profile.model.name = (folder.path() / (batch.model.name + ".onnx")).string();
    OPBENCH_CHECK(write_outline(batch.model, profile.model.name));
    report("measure", batch.model.name);
    profile.engines = {request_.engine};
    profile.threads = {request_.threads};
    profile.model.randomize_weights = request_.seed;
    profile.measure.check_engine = "none";
    profile.measure.budget_s = request_.budget.batch_s;
    profile.notes.argv = request_.argv;
    profile.hooks.cancel = request_.cancel;
    profile.notes.labels[kBatchLabel] = std::to_string(number);
    profile.notes.labels[kScheduleLabel] = identity_.schedule_version;
    if (batch.is_units) profile.notes.labels[kBatchKindLabel] = kUnitsBatch;
    if (!batch.is_units) profile.notes.labels[kFamilyLabel] = batch.family;
    OPBENCH_TRY(const ProfileResult result, run_profile(profile));
    return keep(result);
  }

  /// Raw samples stay out of the file: a predictor learns from medians.
  Result<void> keep(const ProfileResult& result) {
    OPBENCH_TRY(std::vector<BenchmarkRecord> records, records_of(result));
    for (BenchmarkRecord& record : records) {
      record.runtime_raw.reset();
      record.runtime_raw_ms.reset();
      record.record_id.reset();
    }
    assign_record_ids(records);
    OPBENCH_CHECK(append_file(result_.samples, to_lines(records)));
    for (const BenchmarkRecord& record : records) collector_->add(record);
    return {};
  }

  Result<void> learn() {
    const SampleSet samples = collector_->samples();
    if (samples.units.empty()) {
      std::vector<std::string> reasons;
      for (const auto& [reason, count] : samples.left_out) {
        reasons.push_back(fmt::format("{} {}", count, reason));
      }
      Error error{ErrorCode::kNoMatch, "there is no sample to learn from"};
      if (reasons.empty()) return std::move(error).with("remedy", "a budget: --budget 30m");
      return std::move(error).with("left out", fmt::format("{}", fmt::join(reasons, ", ")));
    }
    report("learn", "");
    std::optional<UnseenPredictions> unseen;
    OPBENCH_TRY(predictor_, fit_predictor(samples, identity_, &unseen));
    const auto disturbed = samples.left_out.find("disturbed");
    result_.disturbed = disturbed == samples.left_out.end() ? 0 : disturbed->second;
    if (unseen) worst_ = badly_predicted(samples, *unseen);
    report("learn", "");
    return {};
  }

  void report(const std::string& stage, const std::string& batch) {
    if (!request_.progress) return;
    TrainingProgress progress{.stage = stage, .batch = batch, .left_s = left_s()};
    if (collector_) {
      progress.batches = collector_->batches();
      progress.units = collector_->units();
    }
    if (predictor_ && predictor_->all.errors.count > 0) {
      progress.unit_error = predictor_->all.errors.median;
      progress.model_error = predictor_->models.errors.mean;
    }
    request_.progress(progress);
  }

  const TrainingRequest& request_;
  TrainingBatches batches_;
  double begin_;
  PredictorIdentity identity_;
  std::optional<SampleCollector> collector_;
  std::optional<UnitPredictor> predictor_;
  std::vector<PriorWorkload> worst_;
  int64_t next_learning_ = 6;
  TrainingResult result_;
};

}  // namespace

std::filesystem::path samples_path(const std::filesystem::path& folder, const std::string& engine,
                                   int threads) {
  return folder / fmt::format("{}-t{}.samples.jsonl", engine, threads);
}

Result<TrainingResult> run_training(const TrainingRequest& request) {
  return Training(request).run();
}

}  // namespace opbench
