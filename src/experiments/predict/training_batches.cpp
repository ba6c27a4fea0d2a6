#include "experiments/predict/training_batches.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "experiments/predict/workload_batch.h"
#include "model/zoo/image/zoo_variants.h"

namespace opbench {
namespace {

constexpr int64_t kRound = 3;  // batches, of which the last is one of workloads
constexpr size_t kWorkloads = 48;
constexpr ScaleRange kPriorRange{.least = 0.4, .most = 1.3, .scales_images = true};

}  // namespace

TrainingBatches::TrainingBatches(uint64_t seed, std::vector<std::string> left_out) : seed_(seed) {
  for (const VariantFamily& family : variant_families()) {
    if (std::ranges::count(left_out, family.name) == 0) families_.push_back(family.name);
  }
}

Result<TrainingBatch> TrainingBatches::batch(int64_t number,
                                             const std::vector<PriorWorkload>& worst) {
  if (families_.empty() || number % kRound == kRound - 1) return units_batch(number, worst);
  const auto variant = static_cast<size_t>(number - number / kRound);
  TrainingBatch batch;
  batch.family = families_[variant % families_.size()];
  OPBENCH_TRY(batch.model,
              zoo_variant(batch.family, seed_ * 1'000'000 + static_cast<uint64_t>(number)));
  return batch;
}

TrainingBatch TrainingBatches::units_batch(int64_t number,
                                           const std::vector<PriorWorkload>& worst) {
  if (prior_.empty()) prior_ = workloads_of_zoo();
  Random random(seed_, fmt::format("workloads {}", number));
  std::vector<Workload> workloads;
  constexpr size_t kMostDraws = 10 * kWorkloads;
  for (size_t i = 0; i < kMostDraws && workloads.size() < kWorkloads; ++i) {
    const bool is_near_worst = !worst.empty() && i % 2 == 0;
    const std::string& text = draw(is_near_worst ? worst : prior_, random).text;
    auto workload = scaled_workload(text, is_near_worst ? ScaleRange{} : kPriorRange, random);
    if (workload) workloads.push_back(std::move(*workload));
  }
  TrainingBatch batch;
  batch.is_units = true;
  batch.model = batch_of_workloads(workloads, fmt::format("workloads-{}", number));
  return batch;
}

std::vector<PriorWorkload> badly_predicted(const SampleSet& samples,
                                           const UnseenPredictions& unseen) {
  std::map<std::string, double> weights;
  for (size_t i = 0; i < samples.units.size(); ++i) {
    const UnitSample& unit = samples.units[i];
    const auto measured = unit.in_model_s ? unit.in_model_s : unit.isolated_s;
    if (!measured || unit.features.kind == "layout") continue;
    const UnitTime& time = unseen.units[i];
    const double predicted = unit.in_model_s ? time.in_model_s : time.isolated_s;
    // Errors that noise makes are none to sample for.
    constexpr double kNoise = 0.05;
    const double error = std::abs(std::log(*measured / predicted)) - kNoise;
    if (error <= 0) continue;
    const std::string text = unit.identity.substr(0, unit.identity.find('|'));
    weights[text] += error * std::sqrt(*measured);
  }
  std::vector<PriorWorkload> worst;
  for (const auto& [text, weight] : weights) worst.push_back({text, weight});
  return worst;
}

}  // namespace opbench
