#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <xgboost/c_api.h>

#include <deque>
#include <string>
#include <utility>

#include "prediction/trees/regression_trees.h"
#include "prediction/trees/tree_matrix.h"
#include "prediction/trees/xgboost_library.h"

namespace opbench {
namespace {

/// A booster of XGBoost, freed at the end.
class Learner {
 public:
  Learner() = default;
  Learner(const Learner&) = delete;
  Learner& operator=(const Learner&) = delete;
  ~Learner() {
    if (handle_ != nullptr) ::XGBoosterFree(handle_);
  }

  Result<void> fit(const TreeMatrix& matrix, double base, const RegressionOptions& options) {
    const DMatrixHandle handles[] = {matrix.handle()};
    OPBENCH_CHECK(xgboost_check(::XGBoosterCreate(handles, 1, &handle_)));
    const std::pair<const char*, std::string> parameters[] = {
        {"objective", "reg:squarederror"},
        {"base_score", fmt::format("{}", base)},
        {"tree_method", "hist"},
        {"max_depth", std::to_string(options.depth)},
        {"eta", fmt::format("{}", options.eta)},
        {"min_child_weight", fmt::format("{}", options.least_weight)},
        {"lambda", "1"},
        {"nthread", "1"},
        {"verbosity", "0"}};
    for (const auto& [name, value] : parameters) {
      OPBENCH_CHECK(xgboost_check(::XGBoosterSetParam(handle_, name, value.c_str())));
    }
    for (int round = 0; round < options.rounds; ++round) {
      OPBENCH_CHECK(xgboost_check(::XGBoosterUpdateOneIter(handle_, round, matrix.handle())));
    }
    return {};
  }

  Result<Json> model() const {
    const char* text = nullptr;
    bst_ulong length = 0;
    OPBENCH_CHECK(xgboost_check(
        ::XGBoosterSaveModelToBuffer(handle_, R"({"format": "json"})", &length, &text)));
    return parse_json({text, length}, "the model of XGBoost");
  }

 private:
  BoosterHandle handle_ = nullptr;
};

/// Adds a tree of XGBoost's model, level by level, so that the children of a node are neighbours.
void add_tree(const Json& tree, RegressionTrees& trees) {
  const Json& left = tree.at("left_children");
  const Json& right = tree.at("right_children");
  std::deque<size_t> waiting = {0};
  trees.roots.push_back(static_cast<int>(trees.feature.size()));
  size_t next = trees.feature.size() + 1;
  while (!waiting.empty()) {
    const size_t node = waiting.front();
    waiting.pop_front();
    const bool is_leaf = left[node].get<int>() < 0;
    trees.feature.push_back(is_leaf ? -1 : tree.at("split_indices")[node].get<int>());
    trees.value.push_back(tree.at("split_conditions")[node].get<float>());
    trees.child.push_back(is_leaf ? 0 : static_cast<int>(next));
    if (is_leaf) continue;
    next += 2;
    waiting.push_back(left[node].get<size_t>());
    waiting.push_back(right[node].get<size_t>());
  }
}

double weighted_mean(std::span<const float> labels, std::span<const float> weights) {
  double sum = 0;
  double weight = 0;
  for (size_t i = 0; i < labels.size(); ++i) {
    sum += static_cast<double>(labels[i]) * weights[i];
    weight += weights[i];
  }
  return weight > 0 ? sum / weight : 0;
}

}  // namespace

Result<RegressionTrees> fit_regression(const FeatureTable& features, std::span<const float> labels,
                                       std::span<const float> weights,
                                       const RegressionOptions& options) {
  OPBENCH_CHECK(load_xgboost());
  OPBENCH_TRY(TreeMatrix matrix, TreeMatrix::make(features));
  OPBENCH_CHECK(matrix.set("label", labels));
  OPBENCH_CHECK(matrix.set("weight", weights));
  RegressionTrees trees;
  // A float, as XGBoost keeps it.
  trees.base = static_cast<float>(weighted_mean(labels, weights));
  Learner learner;
  OPBENCH_CHECK(learner.fit(matrix, trees.base, options));
  OPBENCH_TRY(const Json model, learner.model());
  for (const Json& tree : model.at("learner").at("gradient_booster").at("model").at("trees")) {
    add_tree(tree, trees);
  }
  return trees;
}

}  // namespace opbench
