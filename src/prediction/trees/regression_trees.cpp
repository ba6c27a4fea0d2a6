#include "prediction/trees/regression_trees.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <cmath>
#include <string>

namespace opbench {
namespace {

/// The shortest decimal that reads back as this float: a double would show digits that it lacks.
double short_number(float value) { return std::stod(fmt::format("{}", value)); }

template <class T>
Result<std::vector<T>> typed_list(const Json& json, const char* name) {
  const auto list = json.find(name);
  if (list == json.end() || !list->is_array()) {
    return Error{ErrorCode::kInvalidInput, fmt::format("trees: \"{}\" is no list", name)};
  }
  std::vector<T> values;
  values.reserve(list->size());
  for (const Json& item : *list) {
    const bool is_number = std::is_integral_v<T> ? item.is_number_integer() : item.is_number();
    if (!is_number) {
      return Error{ErrorCode::kInvalidInput,
                   fmt::format("trees: \"{}\" holds {}", name, item.dump())};
    }
    values.push_back(item.get<T>());
  }
  return values;
}

Result<void> check(const RegressionTrees& trees, size_t columns) {
  const size_t nodes = trees.feature.size();
  const Error faulty{ErrorCode::kInvalidInput, "trees: the lists do not describe trees"};
  if (trees.value.size() != nodes || trees.child.size() != nodes) return faulty;
  for (const int root : trees.roots) {
    if (root < 0 || static_cast<size_t>(root) >= nodes) return faulty;
  }
  for (size_t i = 0; i < nodes; ++i) {
    if (!std::isfinite(trees.value[i])) return faulty;
    if (trees.feature[i] < 0) continue;
    if (static_cast<size_t>(trees.feature[i]) >= columns) return faulty;
    // A child is a later node, so that every walk ends.
    const auto child = static_cast<int64_t>(trees.child[i]);
    if (child <= static_cast<int64_t>(i) || child + 1 >= static_cast<int64_t>(nodes)) return faulty;
  }
  return {};
}

}  // namespace

double RegressionTrees::predict(std::span<const float> row) const {
  double sum = base;
  for (const int root : roots) {
    auto node = static_cast<size_t>(root);
    while (feature[node] >= 0) {
      const bool is_below = row[static_cast<size_t>(feature[node])] < value[node];
      node = static_cast<size_t>(child[node]) + (is_below ? 0 : 1);
    }
    sum += value[node];
  }
  return sum;
}

Json to_json(const RegressionTrees& trees) {
  Json values = Json::array();
  for (const float value : trees.value) values.push_back(short_number(value));
  return {{"base", trees.base},
          {"roots", trees.roots},
          {"feature", trees.feature},
          {"value", std::move(values)},
          {"child", trees.child}};
}

Result<RegressionTrees> regression_trees_from_json(const Json& json, size_t columns) {
  if (!json.is_object() || !json.contains("base") || !json["base"].is_number()) {
    return Error{ErrorCode::kInvalidInput, "trees: \"base\" is no number"};
  }
  RegressionTrees trees;
  trees.base = json["base"].get<double>();
  OPBENCH_TRY(trees.roots, typed_list<int>(json, "roots"));
  OPBENCH_TRY(trees.feature, typed_list<int>(json, "feature"));
  OPBENCH_TRY(trees.value, typed_list<float>(json, "value"));
  OPBENCH_TRY(trees.child, typed_list<int>(json, "child"));
  OPBENCH_CHECK(check(trees, columns));
  return trees;
}

}  // namespace opbench
