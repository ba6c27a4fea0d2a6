#include "kernels/tasks/extract_tasks.h"

#include <algorithm>

#include "kernels/tasks/anchor_call.h"
#include "kernels/tasks/lowering_order.h"
#include "kernels/tasks/strategy.h"
#include "machine/target/target_forms.h"

namespace opbench {
namespace {

/// The strategies of a target's keys, in the keys' order.
std::vector<const StrategyDef*> strategies_of(const Target& target) {
  std::vector<const StrategyDef*> result;
  for (const std::string& key : strategy_keys(target)) {
    const auto& all = strategy_table().all();
    const auto it = std::ranges::find(all, key, &StrategyDef::name);
    if (it != all.end()) result.push_back(&*it);
  }
  return result;
}

std::vector<Implementation> implementations_of(const AnchorCall& call,
                                               const std::vector<const StrategyDef*>& strategies,
                                               const Target& target) {
  for (const StrategyDef* strategy : strategies) {
    const auto it = strategy->operators.find(call.op);
    if (it != strategy->operators.end()) return it->second(call, target);
  }
  return {};
}

}  // namespace

std::vector<std::string> strategy_keys(const Target& target) {
  if (!target.keys.empty()) return target.keys;
  std::vector<std::string> keys;
  const auto device = target.attributes.find("device");
  if (device != target.attributes.end()) keys.push_back(device->second);
  const KindDefaults defaults = defaults_of(target.kind);
  keys.insert(keys.end(), defaults.keys.begin(), defaults.keys.end());
  return keys;
}

bool has_library(const Target& target, const std::string& name) {
  return std::ranges::find(target.libs, name) != target.libs.end();
}

std::vector<Task> extract_tasks(const Model& model, const Target& target) {
  std::vector<Task> tasks;
  for (CountedTask& counted : count_tasks(model, target)) tasks.push_back(std::move(counted.task));
  return tasks;
}

std::vector<CountedTask> count_tasks(const Model& model, const Target& target) {
  const auto strategies = strategies_of(target);
  const bool is_fused = std::ranges::none_of(strategies, &StrategyDef::is_quantized);
  const auto calls_of = [&](const Node& node) {
    return anchor_calls(node, model.graph, model.opset);
  };
  std::vector<CountedTask> tasks;
  for (const size_t index : lowering_order(
           model.graph, [&](const Node& node) { return !calls_of(node).empty(); }, is_fused)) {
    for (const AnchorCall& call : calls_of(model.graph.nodes[index])) {
      for (Implementation& found : implementations_of(call, strategies, target)) {
        const auto known = std::ranges::find_if(tasks, [&](const CountedTask& counted) {
          return counted.task.name == found.name && counted.task.arguments == found.arguments;
        });
        if (known != tasks.end()) {
          ++known->uses;
          continue;
        }
        tasks.push_back({{std::move(found.name), std::move(found.arguments), target}});
      }
    }
  }
  return tasks;
}

}  // namespace opbench
