#include "tuning/tuners/model_search.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "prediction/trees/xgboost_library.h"

namespace opbench {
namespace {

constexpr size_t kPlan = 64;      // configs of a plan, samples between two of them
constexpr size_t kRandomEnd = 3;  // of a plan: 5 %, rounded down

}  // namespace

ModelSearch::ModelSearch(const TunerInput& input, const ModelSearchOptions& options)
    : random_(input.seed, "xgb"),
      options_(options),
      others_(options.features, input),
      features_(options.features, input.space, input.task),
      annealing_(input.space, input.size, random_),
      draws_(input.seed, "random"),
      shuffle_(input.size, draws_) {}

void ModelSearch::learn_from(const TunerInput& other, const std::vector<ScoredConfig>& configs) {
  if (base_) return;
  find_columns({0});
  others_.add(other, configs, columns_);
}

std::vector<uint64_t> ModelSearch::next(size_t count) {
  // What cannot be learnt leaves the search a random one; `check_trees` tells why beforehand.
  if (others_.has_news() && !fit_base()) base_.reset();
  if (can_learn() && !learn()) plan_.clear();
  std::vector<uint64_t> configs;
  while (configs.size() < count) {
    std::optional<uint64_t> config = planned();
    if (!config) config = random_config();
    if (!config) break;
    visited_.insert(*config);
    configs.push_back(*config);
  }
  return configs;
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
  make_plan(trees, false);
  return {};
}

/// Rows in random order, as the pairs of a ranking are drawn by it.
Result<BoostedTrees> ModelSearch::fit() {
  constexpr double kLeastDiscount = 0.05;
  std::vector<uint64_t> configs;
  std::vector<float> labels;
  for (const size_t row : random_.shuffled(samples_.size())) {
    configs.push_back(samples_[row].index);
    labels.push_back(static_cast<float>(samples_[row].score / best_score_));
  }
  discount_ = std::exp2(-static_cast<double>(samples_.size()) / kPlan);
  if (discount_ < kLeastDiscount) base_.reset();
  const FeatureTable features = table_of(configs);
  OPBENCH_TRY(const std::vector<float> from, margins(features));
  return BoostedTrees::fit(features, labels, {.objective = options_.objective, .recall = kPlan},
                           from);
}

Result<void> ModelSearch::fit_base() {
  OPBENCH_TRY(base_, others_.fit(options_.objective, random_));
  if (base_ && !can_learn()) make_plan(*base_, true);
  return {};
}

Result<std::vector<float>> ModelSearch::margins(const FeatureTable& features) const {
  if (!base_) return std::vector<float>();
  OPBENCH_TRY(std::vector<float> predicted, base_->predict(features));
  for (float& value : predicted) value *= static_cast<float>(discount_);
  return predicted;
}

void ModelSearch::make_plan(const BoostedTrees& trees, bool is_base) {
  const auto predict = [&](const FeatureTable& table) -> Result<std::vector<float>> {
    if (is_base) return trees.predict(table);
    OPBENCH_TRY(const std::vector<float> from, margins(table));
    return trees.predict(table, from);
  };
  std::unordered_map<uint64_t, float> known;
  const auto scores = [&](const std::vector<uint64_t>& configs) {
    std::vector<uint64_t> unknown;
    for (const uint64_t config : configs) {
      if (known.emplace(config, 0.0F).second) unknown.push_back(config);
    }
    if (!unknown.empty()) {
      const Result<std::vector<float>> predicted = predict(table_of(unknown));
      for (size_t i = 0; predicted && i < unknown.size(); ++i) known[unknown[i]] = (*predicted)[i];
    }
    std::vector<float> result;
    for (const uint64_t config : configs) result.push_back(known.at(config));
    return result;
  };
  plan_ = annealing_.best_configs(scores, kPlan, visited_);
  at_ = 0;
}

void ModelSearch::find_columns(const std::vector<uint64_t>& configs) {
  for (size_t i = 0; columns_ == 0 && i < configs.size(); ++i) {
    columns_ = features_.of(configs[i]).size();
  }
}

FeatureTable ModelSearch::table_of(const std::vector<uint64_t>& configs) {
  find_columns(configs);
  FeatureTable table{.columns = std::max<size_t>(columns_, 1)};
  for (const uint64_t config : configs) table.add(features_.of(config));
  return table;
}

std::optional<uint64_t> ModelSearch::planned() {
  while (at_ < plan_.size() && visited_.contains(plan_[at_])) ++at_;
  if (at_ + kRandomEnd >= plan_.size()) return std::nullopt;
  return plan_[at_];
}

std::optional<uint64_t> ModelSearch::random_config() {
  while (!shuffle_.is_empty()) {
    const uint64_t config = shuffle_.draw();
    if (!visited_.contains(config)) return config;
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
