#include "experiments/analysis/trial_rows.h"

#include <nlohmann/json.hpp>

#include <cmath>
#include <limits>
#include <utility>

namespace opbench {
namespace {

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
constexpr int64_t kDerived = -1;  // AutoTVM's mark for the part that follows from the others

}  // namespace

void TrialCollector::set(Group& group, const std::string& name, double value) {
  const auto [place, is_new] = group.factors.emplace(name, group.rows.factors.size());
  if (is_new) group.rows.factors.push_back({name, {}, {}});
  std::vector<double>& values = group.rows.factors[place->second].values;
  values.resize(group.rows.rows() + 1, kNone);
  values.back() = value;
}

void TrialCollector::set_word(Group& group, const std::string& name, const std::string& word) {
  set(group, name, 0);
  const size_t factor = group.factors.at(name);
  std::vector<std::string>& words = group.rows.factors[factor].words;
  const auto [place, is_new] = group.words.emplace(std::pair(factor, word), words.size());
  if (is_new) words.push_back(word);
  group.rows.factors[factor].values.back() = static_cast<double>(place->second);
}

void TrialCollector::add_knob(Group& group, const TrialKnob& knob) {
  const Json& value = *knob.value;
  if (knob.kind == "sp" && value.is_array()) {
    std::vector<size_t> own;
    for (size_t i = 0; i < value.size(); ++i) {
      if (value[i].is_number() && value[i] != kDerived) own.push_back(i);
    }
    for (const size_t i : own) {
      const std::string name = own.size() == 1 ? knob.name : knob.name + "." + std::to_string(i);
      set(group, name, value[i].get<double>());
    }
  } else if (value.is_number()) {
    set(group, knob.name, value.get<double>());
  } else if (value.is_boolean()) {
    set(group, knob.name, value.get<bool>() ? 1 : 0);
  } else {
    set_word(group, knob.name, value.is_string() ? value.get<std::string>() : value.dump());
  }
}

void TrialCollector::add(const std::string& task, const std::string& target,
                         const std::string& workload, const std::vector<TrialKnob>& knobs,
                         double time_s) {
  Group& group = groups_[{task, target}];
  group.rows.task = task;
  group.rows.target = target;
  for (const TrialKnob& knob : knobs) add_knob(group, knob);
  const auto [place, is_new] = group.workloads.emplace(workload, group.rows.workload_names.size());
  if (is_new) group.rows.workload_names.push_back(workload);
  group.rows.workloads.push_back(place->second);
  const bool has_time = std::isfinite(time_s) && time_s > 0;
  if (!has_time) ++group.rows.failed;
  group.rows.times_s.push_back(has_time ? time_s : kNone);
  for (Factor& factor : group.rows.factors) factor.values.resize(group.rows.rows(), kNone);
}

std::vector<TrialRows> TrialCollector::take() {
  std::vector<TrialRows> tasks;
  for (auto& [key, group] : groups_) tasks.push_back(std::move(group.rows));
  groups_.clear();
  return tasks;
}

}  // namespace opbench
