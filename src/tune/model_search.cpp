#include "opbench/tune/model_search.h"

#include <algorithm>

namespace opbench {
namespace {

constexpr size_t kPlan = 64;      // points of a plan, samples between two of them
constexpr size_t kRandomEnd = 3;  // of a plan: 5 %, rounded down

}  // namespace

ModelSearch::ModelSearch(const TunerInput& input, const ModelSearchOptions& options)
    : random_(input.seed, "xgb"),
      options_(options),
      features_(options.features, input.space, input.task),
      annealing_(input.space, input.size, random_),
      shuffle_(input.size, random_) {}

std::vector<uint64_t> ModelSearch::next(size_t count) {
  // What cannot be learnt leaves the search a random one; `check_trees` tells why beforehand.
  if (can_learn() && !learn()) plan_.clear();
  std::vector<uint64_t> points;
  while (points.size() < count) {
    std::optional<uint64_t> point = planned();
    if (!point) point = random_point();
    if (!point) break;
    visited_.insert(*point);
    points.push_back(*point);
  }
  return points;
}

void ModelSearch::tell(uint64_t index, double score) {
  visited_.insert(index);
  if (!told_.insert(index).second) return;
  samples_.push_back({index, score});
  best_score_ = std::max(best_score_, score);
}

bool ModelSearch::can_learn() const {
  return samples_.size() >= kPlan * (learnt_ + 1) && best_score_ > 0;
}

Result<void> ModelSearch::learn() {
  learnt_ = samples_.size() / kPlan;
  OPBENCH_TRY(const BoostedTrees trees, fit());
  std::unordered_map<uint64_t, float> known;
  const auto scores = [&](const std::vector<uint64_t>& points) {
    std::vector<uint64_t> unknown;
    for (const uint64_t point : points) {
      if (known.emplace(point, 0.0F).second) unknown.push_back(point);
    }
    if (!unknown.empty()) {
      const Result<std::vector<float>> predicted = trees.predict(table_of(unknown));
      for (size_t i = 0; predicted && i < unknown.size(); ++i) known[unknown[i]] = (*predicted)[i];
    }
    std::vector<float> result;
    for (const uint64_t point : points) result.push_back(known.at(point));
    return result;
  };
  plan_ = annealing_.best_points(scores, kPlan, visited_);
  at_ = 0;
  return {};
}

/// Rows in random order, as the pairs of a ranking are drawn by it.
Result<BoostedTrees> ModelSearch::fit() {
  std::vector<uint64_t> points;
  std::vector<float> labels;
  for (const size_t row : random_.shuffled(samples_.size())) {
    points.push_back(samples_[row].point);
    labels.push_back(static_cast<float>(samples_[row].score / best_score_));
  }
  return BoostedTrees::fit(table_of(points), labels, {.objective = options_.objective});
}

FeatureTable ModelSearch::table_of(const std::vector<uint64_t>& points) {
  for (size_t i = 0; columns_ == 0 && i < points.size(); ++i) {
    columns_ = features_.of(points[i]).size();
  }
  FeatureTable table{.columns = std::max<size_t>(columns_, 1)};
  for (const uint64_t point : points) table.add(features_.of(point));
  return table;
}

std::optional<uint64_t> ModelSearch::planned() {
  while (at_ < plan_.size() && visited_.contains(plan_[at_])) ++at_;
  if (at_ + kRandomEnd >= plan_.size()) return std::nullopt;
  return plan_[at_];
}

std::optional<uint64_t> ModelSearch::random_point() {
  while (!shuffle_.is_empty()) {
    const uint64_t point = shuffle_.draw();
    if (!visited_.contains(point)) return point;
  }
  return std::nullopt;
}

FeatureKind features_for(const TunerInput& input) {
  const bool has_loops = input.task != nullptr && has_nest(input.task->name);
  return has_loops ? FeatureKind::kItervar : FeatureKind::kKnob;
}

Result<void> check_trees(const Task&) { return load_xgboost(); }

Result<void> check_loop_features(const Task& task) {
  OPBENCH_CHECK(load_xgboost());
  if (has_nest(task.name)) return {};
  return Error{ErrorCode::kInvalidInput,
               "no loops of template \"" + task.name + "\" here, which this tuner goes by"};
}

}  // namespace opbench
