#include "benchmarks/predict/corpus.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include "base/files/file.h"
#include "base/system/monotonic_clock.h"
#include "base/system/seconds.h"
#include "benchmarks/common/benchmark.h"
#include "experiments/predict/outline_file.h"
#include "experiments/profile/profile_session.h"
#include "experiments/sessions/model/model_source.h"
#include "kernels/schedules/schedule.h"
#include "machine/ceilings/ceilings.h"
#include "machine/facts/environment.h"
#include "machine/resources/cpu_choice.h"
#include "machine/resources/pinning.h"
#include "model/passes/passes.h"
#include "model/zoo/image/zoo_variants.h"
#include "model/zoo/zoo.h"
#include "prediction/costs/expected_seconds.h"
#include "prediction/predict/files/read_samples.h"
#include "records/record/cut_record.h"
#include "records/record/profile_records.h"

namespace opbench {
namespace {

constexpr const char* kCorpusVisitLabel = "visit";
constexpr int kVisits = 2;

/// Models of the zoo that are built as a family of variants is; others are families of their own.
std::string corpus_family_of(const std::string& name) {
  static const std::vector<std::pair<std::string, std::string>> kFamilies = {
      {"resnet-18", "resnet"},      {"resnet-34", "resnet"},
      {"resnet", "bottleneck"},     {"resnext", "bottleneck"},
      {"mobilenet_v2", "inverted"}, {"mobilenet_v3", "inverted"},
      {"mobilenetv2", "inverted"},  {"efficientnet", "inverted"},
      {"mobilenet", "separable"},   {"vgg", "vgg"},
      {"alexnet", "vgg"},           {"squeezenet", "squeeze"},
      {"inception", "inception"},   {"googlenet", "inception"},
      {"densenet", "dense"},        {"bert", "transformer"},
      {"roberta", "transformer"},   {"vit", "transformer"},
      {"gpt2", "transformer"},      {"t5", "transformer"}};
  for (const auto& [begin, family] : kFamilies) {
    if (name.starts_with(begin)) return family;
  }
  return name;
}

std::optional<double> expected_s(const std::string& name) {
  ProfileRequest request;
  request.model.name = name;
  request.model.is_zoo = true;
  auto model = load_outline(request.model, request.measure, request.hooks);
  if (!model) return {};
  const auto units = lower(*model);
  if (!units) return {};
  double seconds = 0;
  for (const Unit& unit : *units) seconds += expected_seconds(unit.workload);
  return seconds;
}

/// What records of a file there are, by model and visit.
Result<std::set<std::string>> predict_corpus_measured_in(const std::filesystem::path& file) {
  std::set<std::string> found;
  std::error_code ignored;
  if (!std::filesystem::exists(file, ignored)) return found;
  OPBENCH_TRY(const bool was_cut, mend_last_line(file));
  if (was_cut) Report::progress(fmt::format("{}: the last record was cut", file.string()));
  OPBENCH_TRY(const std::string text, read_file(file));
  if (text.empty()) return found;
  OPBENCH_TRY(const auto records, parse_record_lines(text));
  for (const BenchmarkRecord& record : records) {
    if (record.scope != "model" || !record.labels) continue;
    found.insert(record.model.value_or("") + "|" + record.labels->at(kCorpusVisitLabel));
  }
  return found;
}

Result<ProfileRequest> predict_corpus_request_of(const Corpus& corpus, const CorpusModel& model,
                                                 const std::filesystem::path& folder) {
  ProfileRequest request;
  request.engines = {"halide"};
  request.threads = {corpus.threads};
  request.measure.check_engine = "none";
  request.measure.budget_s = corpus.model_budget_s;
  request.notes.argv = {"bench-predict"};
  request.notes.labels = {{kFamilyLabel, model.family}, {kScheduleLabel, schedule_version()}};
  request.model.name = model.name;
  request.model.is_zoo = model.seed < 0;
  if (model.seed < 0) return request;
  OPBENCH_TRY(const Model variant, zoo_variant(model.family, static_cast<uint64_t>(model.seed)));
  request.model.name = (folder / (model.name + ".onnx")).string();
  request.model.randomize_weights = 1;
  OPBENCH_CHECK(write_outline(variant, request.model.name));
  return request;
}

Result<void> visit_predict_corpus(const Corpus& corpus, const CorpusModel& model, int number,
                                  bool has_units, const std::filesystem::path& file) {
  OPBENCH_TRY(const TemporaryFolder folder, TemporaryFolder::make());
  OPBENCH_TRY(ProfileRequest request, predict_corpus_request_of(corpus, model, folder.path()));
  request.measure.measures_units = has_units;
  request.notes.labels[kCorpusVisitLabel] = std::to_string(number);
  OPBENCH_TRY(const ProfileResult result, run_profile(request));
  OPBENCH_TRY(std::vector<BenchmarkRecord> records, records_of(result));
  for (BenchmarkRecord& record : records) {
    record.runtime_raw.reset();
    record.runtime_raw_ms.reset();
    record.record_id.reset();
  }
  assign_record_ids(records);
  return append_file(file, to_lines(records));
}

/// Visits that `file` lacks, in rounds over all models, as long as the budget lasts.
Result<size_t> measure_predict_corpus(const Corpus& corpus, bool has_units,
                                      const std::filesystem::path& file) {
  OPBENCH_CHECK(make_writable_folder(corpus.folder));
  OPBENCH_TRY(const std::set<std::string> found, predict_corpus_measured_in(file));
  const double end_s = monotonic_s() + corpus.budget_s;
  size_t missing = 0;
  for (int number = 1; number <= kVisits; ++number) {
    for (const CorpusModel& model : corpus.models) {
      if (found.contains(fmt::format("{}|{}", model.name, number))) continue;
      if (monotonic_s() >= end_s) {
        ++missing;
        continue;
      }
      Report::progress(
          fmt::format("{}, visit {}, {:.0f} s left", model.name, number, end_s - monotonic_s()));
      const auto visited = visit_predict_corpus(corpus, model, number, has_units, file);
      if (!visited) Report::progress("  left out: " + visited.error().message);
    }
  }
  return missing;
}

}  // namespace

std::vector<CorpusModel> corpus_models(int64_t variants, int64_t seed, double most_s) {
  std::vector<CorpusModel> models;
  for (const ZooEntry& entry : zoo_entries()) {
    const auto seconds = expected_s(entry.name);
    if (seconds && *seconds <= most_s)
      models.push_back({entry.name, corpus_family_of(entry.name), -1});
  }
  for (int64_t i = 0; i < variants; ++i) {
    for (const VariantFamily& family : variant_families()) {
      // Seeds that `predict train` does not draw: its own begin at 0.
      const int64_t drawn = 900'000'000 + 1000 * seed + i;
      models.push_back({fmt::format("{}-{}", family.name, drawn), family.name, drawn});
    }
  }
  return models;
}

Result<size_t> measure_training(const Corpus& corpus) {
  return measure_predict_corpus(corpus, true, corpus.training_file());
}

Result<size_t> measure_truth(const Corpus& corpus) {
  return measure_predict_corpus(corpus, false, corpus.truth_file());
}

Result<SampleFilter> own_samples(int threads) {
  OPBENCH_TRY(const Topology topology, this_topology());
  OPBENCH_TRY(const std::vector<int> cpus, choose_cpus(topology, threads, current_affinity()));
  const std::string machine = capture_environment().machine_hash;
  OPBENCH_TRY(const Ceilings measured, ceilings(cpus, topology, machine, cache_folder()));
  return SampleFilter{.engine = "halide",
                      .threads = threads,
                      .machine_hash = machine,
                      .schedule_version = schedule_version(),
                      .ceilings = measured};
}

Result<SampleSet> training_samples(const Corpus& corpus) {
  OPBENCH_TRY(const SampleFilter filter, own_samples(corpus.threads));
  SampleCollector collector(filter);
  OPBENCH_CHECK(collect_file(corpus.training_file(), collector));
  SampleSet samples = collector.samples();
  for (const auto& [reason, count] : samples.left_out) {
    Report::progress(fmt::format("{} records left out: {}", count, reason));
  }
  return samples;
}

Result<std::map<std::string, std::vector<double>>> true_times(const Corpus& corpus) {
  std::map<std::string, std::vector<double>> times;
  std::error_code ignored;
  if (!std::filesystem::exists(corpus.truth_file(), ignored)) return times;
  OPBENCH_TRY(const std::string text, read_file(corpus.truth_file()));
  OPBENCH_TRY(const auto records, parse_record_lines(text));
  for (const BenchmarkRecord& record : records) {
    if (record.scope != "model" || !record.runtime_ms_median || is_disturbed(record)) continue;
    times[record.model.value_or("")].push_back(ms_to_s(*record.runtime_ms_median));
  }
  return times;
}

}  // namespace opbench
