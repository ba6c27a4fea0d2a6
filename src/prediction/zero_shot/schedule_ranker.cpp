#include "prediction/zero_shot/schedule_ranker.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <numeric>
#include <unordered_map>

#include "base/numbers/random.h"
#include "prediction/zero_shot/config_encoder.h"

namespace opbench {
namespace {

constexpr size_t kLeastTasks = 2;
constexpr size_t kLeastTrials = 100;
constexpr float kAbsent = -1;       // a number that a task has not
constexpr float kDisturbed = 0.6F;  // of what the trees say of a trial: it was disturbed
// Fewer trees that find disturbed trials.
constexpr TreeOptions kFirstTrees = {
    .most_rounds = 60, .patience = 0, .depth = 6, .eta = 0.2, .has_bins = true};
constexpr TreeOptions kTrees = {
    .most_rounds = 250, .patience = 0, .depth = 6, .eta = 0.08, .has_bins = true};

}  // namespace

std::vector<size_t> ScheduleRanker::columns_of(const std::vector<std::string>& names) {
  std::vector<size_t> columns;
  for (const std::string& name : names) {
    columns.push_back(columns_.try_emplace(name, columns_.size()).first->second);
  }
  return columns;
}

void ScheduleRanker::add(const Task& task, const ConfigSpace& space,
                         std::span<const RankedTrial> trials) {
  std::map<uint64_t, double> times;  // in an order that does not depend on the log's
  double best = std::numeric_limits<double>::infinity();
  for (const RankedTrial& trial : trials) {
    double& time = times.try_emplace(trial.config, trial.time_s).first->second;
    if (trial.time_s > 0 && (time == 0 || trial.time_s < time)) time = trial.time_s;
    if (trial.time_s > 0) best = std::min(best, trial.time_s);
  }
  if (times.empty() || best == std::numeric_limits<double>::infinity()) return;
  const ConfigEncoder encoder(task, space);
  layouts_.push_back(columns_of(encoder.names()));
  for (const auto& [config, time] : times) {
    rows_.push_back({layouts_.size() - 1, encoder.encode(config)});
    labels_.push_back(time > 0 ? static_cast<float>(best / time) : 0);
  }
}

Result<void> ScheduleRanker::fit() {
  if (tasks() < kLeastTasks || trials() < kLeastTrials) {
    return Error{ErrorCode::kNoMatch,
                 fmt::format("{} trials of {} other tasks teach too little", trials(), tasks())}
        .with("needed", fmt::format("{} trials of {} tasks", kLeastTrials, kLeastTasks));
  }
  FeatureTable table{.columns = columns_.size()};
  for (const Row& row : rows_) add_row(layouts_[row.layout], row.values, table);
  OPBENCH_TRY(const BoostedTrees first, BoostedTrees::fit(table, labels_, kFirstTrees));
  OPBENCH_TRY(const std::vector<float> expected, first.predict(table));
  FeatureTable kept{.columns = table.columns};
  std::vector<float> labels;
  for (size_t row = 0; row < labels_.size(); ++row) {
    if (labels_[row] > 0 && labels_[row] < kDisturbed * expected[row]) continue;
    kept.add({table.values.data() + row * table.columns, table.columns});
    labels.push_back(labels_[row]);
  }
  OPBENCH_TRY(trees_, BoostedTrees::fit(kept, labels, kTrees));
  return {};
}

void ScheduleRanker::add_row(const std::vector<size_t>& columns, std::span<const float> values,
                             FeatureTable& table) const {
  std::vector<float> row(table.columns, kAbsent);
  for (size_t i = 0; i < values.size(); ++i) {
    if (columns[i] < row.size()) row[columns[i]] = values[i];
  }
  table.add(row);
}

Result<std::vector<float>> ScheduleRanker::scores(const Task& task, const ConfigSpace& space,
                                                  std::span<const uint64_t> configs) const {
  const ConfigEncoder encoder(task, space);
  std::vector<size_t> columns;
  for (const std::string& name : encoder.names()) {
    const auto found = columns_.find(name);
    columns.push_back(found == columns_.end() ? columns_.size() : found->second);
  }
  FeatureTable table{.columns = columns_.size()};
  for (const uint64_t config : configs) add_row(columns, encoder.encode(config), table);
  if (configs.empty()) return std::vector<float>();
  return trees_->predict(table);
}

std::vector<uint64_t> ranked_configs(uint64_t size, uint64_t most, uint64_t seed) {
  std::vector<uint64_t> configs;
  if (size <= most) {
    configs.resize(size);
    std::iota(configs.begin(), configs.end(), uint64_t{0});
    return configs;
  }
  Random random(seed, "ranked points");
  for (uint64_t i = 0; i < most; ++i) configs.push_back(random.below(size));
  std::ranges::sort(configs);
  configs.erase(std::ranges::unique(configs).begin(), configs.end());
  return configs;
}

std::vector<uint64_t> by_score(std::span<const uint64_t> configs, std::span<const float> scores) {
  std::vector<size_t> order(configs.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::ranges::stable_sort(order, std::ranges::greater(), [&](size_t i) { return scores[i]; });
  std::vector<uint64_t> sorted;
  for (const size_t i : order) sorted.push_back(configs[i]);
  return sorted;
}

}  // namespace opbench
