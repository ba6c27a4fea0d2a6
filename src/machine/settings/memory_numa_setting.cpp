#include <fmt/format.h>

#include "base/errors/suggestion.h"
#include "machine/facts/cpu_list.h"
#include "machine/settings/setting.h"

namespace opbench {
namespace {

/// Memory lies on the node of the CPU that first writes it, and threads are pinned: the choice of
/// CPUs is the choice of nodes.
SettingState find_numa(const SettingPlace&) {
  SettingState state;
  const std::vector<NumaNode> nodes = SettingPlace::topology().numa_nodes;
  if (nodes.empty()) {
    state.reason = "the system tells of no NUMA node";
    return state;
  }
  std::vector<int> numbers;
  for (const NumaNode& node : nodes) numbers.push_back(node.number);
  state.value = cpu_list_text(numbers);
  for (const int number : numbers) state.range.words.push_back(std::to_string(number));
  if (nodes.size() == 1) state.reason = "one node: nothing to choose";
  return state;
}

}  // namespace

SettingDef memory_numa_setting() {
  return {.name = "memory.numa",
          .summary = "nodes whose memory is used: those of the CPUs",
          .set_by = "--cpus LIST",
          .find = find_numa};
}

}  // namespace opbench
