#include "prediction/trees/boosted_trees.h"

#include <nlohmann/json.hpp>
#include <xgboost/c_api.h>

#include <algorithm>
#include <set>
#include <utility>

#include "base/json/json.h"
#include "base/numbers/number.h"
#include "prediction/trees/average_recall.h"
#include "prediction/trees/tree_matrix.h"
#include "prediction/trees/xgboost_library.h"

namespace opbench {
namespace {

/// The columns that a tree can be split by: of equal ones the first, which XGBoost takes too, and
/// none that is the same in every row. The trees are those of all columns, in a fraction of the
/// time: features of loops repeat each other a lot.
std::vector<size_t> split_columns(const FeatureTable& features) {
  std::set<std::vector<float>> seen;
  std::vector<size_t> columns;
  for (size_t c = 0; c < features.columns; ++c) {
    std::vector<float> column;
    for (size_t at = c; at < features.values.size(); at += features.columns) {
      column.push_back(features.values[at]);
    }
    const bool is_constant = std::ranges::count(column, column.front()) == std::ssize(column);
    if (!is_constant && seen.insert(std::move(column)).second) columns.push_back(c);
  }
  if (columns.empty()) columns.push_back(0);
  return columns;
}

FeatureTable only(const std::vector<size_t>& columns, const FeatureTable& features) {
  FeatureTable result{.columns = columns.size()};
  result.values.reserve(features.rows() * columns.size());
  for (size_t row = 0; row < features.values.size(); row += features.columns) {
    for (const size_t column : columns) result.values.push_back(features.values[row + column]);
  }
  return result;
}

Result<TreeMatrix> matrix_of(const FeatureTable& features, std::span<const float> labels,
                             std::span<const float> margins) {
  OPBENCH_TRY(TreeMatrix matrix, TreeMatrix::make(features));
  OPBENCH_CHECK(matrix.set("label", labels));
  OPBENCH_CHECK(matrix.set("base_margin", margins));
  return matrix;
}

/// The splits of a tree as the library prints it: `f3` is the fourth of `columns`.
void add_splits(const Json& node, const std::vector<size_t>& columns,
                std::vector<TreeSplit>& splits) {
  const auto children = node.find("children");
  if (children == node.end()) return;
  const auto column = parse_integer(node.at("split").get<std::string>().substr(1));
  if (column && *column >= 0 && *column < std::ssize(columns)) {
    splits.push_back({.column = columns[static_cast<size_t>(*column)],
                      .threshold = node.at("split_condition").get<float>(),
                      .gain = node.at("gain").get<double>()});
  }
  for (const Json& child : *children) add_splits(child, columns, splits);
}

}  // namespace

struct BoostedTrees::Booster {
  BoosterHandle handle = nullptr;
  int rounds = 0;
  std::vector<size_t> columns;  ///< that it looks at

  Booster() = default;
  Booster(const Booster&) = delete;
  Booster& operator=(const Booster&) = delete;
  ~Booster() {
    if (handle != nullptr) ::XGBoosterFree(handle);
  }

  Result<void> make(const TreeMatrix& matrix, const TreeOptions& options) {
    const DMatrixHandle handles[] = {matrix.handle()};
    OPBENCH_CHECK(xgboost_check(::XGBoosterCreate(handles, 1, &handle)));
    const bool ranks = options.objective == TreeObjective::kPairwiseRank;
    const std::string depth = std::to_string(options.depth), eta = std::to_string(options.eta);
    const std::pair<const char*, const char*> parameters[] = {
        {"objective", ranks ? "rank:pairwise" : "reg:squarederror"},
        {"max_depth", depth.c_str()},
        {"gamma", "0.0001"},
        {"min_child_weight", "1"},
        {"subsample", "1"},
        {"eta", eta.c_str()},
        {"lambda", "1"},
        {"alpha", "0"},
        {"nthread", "1"},
        {"verbosity", "0"}};
    for (const auto& [name, value] : parameters) {
      OPBENCH_CHECK(xgboost_check(::XGBoosterSetParam(handle, name, value)));
    }
    if (options.has_bins) {
      OPBENCH_CHECK(xgboost_check(::XGBoosterSetParam(handle, "tree_method", "hist")));
      OPBENCH_CHECK(xgboost_check(::XGBoosterSetParam(handle, "max_bin", "64")));
    }
    return {};
  }

  /// Margins: what the objective's transformation is applied to, which here has none.
  Result<std::vector<float>> predict(const TreeMatrix& matrix) const {
    constexpr const char* kOptions = R"({"type": 1, "training": false, "iteration_begin": 0,
                                         "iteration_end": 0, "strict_shape": false})";
    const bst_ulong* shape = nullptr;
    bst_ulong dimensions = 0;
    const float* values = nullptr;
    OPBENCH_CHECK(xgboost_check(::XGBoosterPredictFromDMatrix(handle, matrix.handle(), kOptions,
                                                              &shape, &dimensions, &values)));
    bst_ulong count = 1;
    for (bst_ulong i = 0; i < dimensions; ++i) count *= shape[i];
    return std::vector<float>(values, values + count);
  }
};

BoostedTrees::BoostedTrees(std::unique_ptr<Booster> booster) : booster_(std::move(booster)) {}
BoostedTrees::BoostedTrees(BoostedTrees&&) noexcept = default;
BoostedTrees& BoostedTrees::operator=(BoostedTrees&&) noexcept = default;
BoostedTrees::~BoostedTrees() = default;

int BoostedTrees::size() const { return booster_->rounds; }

Result<std::vector<TreeSplit>> BoostedTrees::splits() const {
  bst_ulong count = 0;
  const char** trees = nullptr;
  OPBENCH_CHECK(
      xgboost_check(::XGBoosterDumpModelEx(booster_->handle, "", 1, "json", &count, &trees)));
  std::vector<TreeSplit> splits;
  for (bst_ulong i = 0; i < count; ++i) {
    OPBENCH_TRY(const Json tree, parse_json(trees[i], "a tree of XGBoost"));
    try {
      add_splits(tree, booster_->columns, splits);
    } catch (const nlohmann::json::exception& exception) {
      return Error{ErrorCode::kSystem, "XGBoost printed a tree in an unknown form"}.with(
          "reason", exception.what());
    }
  }
  return splits;
}

Result<BoostedTrees> BoostedTrees::fit(const FeatureTable& features, std::span<const float> labels,
                                       const TreeOptions& options, std::span<const float> margins) {
  OPBENCH_CHECK(load_xgboost());
  auto booster = std::make_unique<Booster>();
  booster->columns = split_columns(features);
  OPBENCH_TRY(const TreeMatrix matrix,
              matrix_of(only(booster->columns, features), labels, margins));
  OPBENCH_CHECK(booster->make(matrix, options));
  double best = -1;
  for (int round = 0, best_round = 0; round < options.most_rounds; ++round) {
    OPBENCH_CHECK(xgboost_check(::XGBoosterUpdateOneIter(booster->handle, round, matrix.handle())));
    ++booster->rounds;
    if (options.patience == 0 || round % 2 == 1) continue;  // AutoTVM looks at every second round
    OPBENCH_TRY(const std::vector<float> predicted, booster->predict(matrix));
    const double recall = average_recall(predicted, labels, options.recall);
    if (recall > best) {
      best = recall;
      best_round = round;
    } else if (round - best_round >= options.patience) {
      break;
    }
  }
  return BoostedTrees(std::move(booster));
}

Result<std::vector<float>> BoostedTrees::predict(const FeatureTable& features,
                                                 std::span<const float> margins) const {
  OPBENCH_TRY(const TreeMatrix matrix, matrix_of(only(booster_->columns, features), {}, margins));
  return booster_->predict(matrix);
}

}  // namespace opbench
