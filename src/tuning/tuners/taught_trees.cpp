#include "tuning/tuners/taught_trees.h"

#include <algorithm>
#include <utility>

namespace opbench {
namespace {

constexpr size_t kTaughtTreesLeast = 500;
constexpr int kMostRounds = 400;
constexpr int kPatience = 100;
constexpr size_t kRecall = 128;

}  // namespace

TaughtTrees::TaughtTrees(FeatureKind kind, const TunerInput& input)
    : kind_(kind), template_(input.task == nullptr ? "" : input.task->name) {}

void TaughtTrees::add(const TunerInput& other, const std::vector<ScoredConfig>& configs,
                      size_t columns) {
  const bool is_alike = other.task != nullptr && other.task->name == template_;
  if (!is_alike || configs.empty()) return;
  features_.columns = columns;
  ConfigFeatures features(kind_, other.space, other.task);
  for (const ScoredConfig& config : configs) {
    const std::vector<float>& row = features.of(config.index);
    if (row.empty() || row.size() != columns) continue;
    features_.add(row);
    scores_.push_back(config.score);
  }
}

Result<std::optional<BoostedTrees>> TaughtTrees::fit(TreeObjective objective, Random& random) {
  const FeatureTable added = std::exchange(features_, {});
  const std::vector<double> scores = std::exchange(scores_, {});
  if (scores.size() < kTaughtTreesLeast) return std::nullopt;
  const double best = *std::ranges::max_element(scores);
  if (best <= 0) return std::nullopt;
  FeatureTable features{.columns = added.columns};
  std::vector<float> labels;
  for (const size_t row : random.shuffled(scores.size())) {
    features.add({added.values.data() + row * added.columns, added.columns});
    labels.push_back(static_cast<float>(scores[row] / best));
  }
  OPBENCH_TRY(BoostedTrees trees, BoostedTrees::fit(features, labels,
                                                    {.objective = objective,
                                                     .most_rounds = kMostRounds,
                                                     .patience = kPatience,
                                                     .recall = kRecall}));
  return std::optional<BoostedTrees>(std::move(trees));
}

}  // namespace opbench
