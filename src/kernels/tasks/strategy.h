#pragma once

#include <map>
#include <string>
#include <vector>

#include "base/tables/table.h"
#include "kernels/space/argument.h"
#include "kernels/tasks/anchor_call.h"
#include "machine/target/target.h"

/// Which templates a kind of target has for an operator (docs/reference/config-spaces.md,
/// "Templates for an operator"). A kind is one file,
/// `src/kernels/tasks/strategies/<x>_strategy.cpp`, that defines `StrategyDef <x>_strategy()`;
/// nothing else is edited.
namespace opbench {

/// A template with the arguments of one call.
struct Implementation {
  std::string name;
  std::vector<Argument> arguments;
};

/// The implementations valid for a call, in TVM's order.
using Strategy = std::vector<Implementation> (*)(const AnchorCall& call, const Target& target);

struct StrategyDef {
  std::string name;  ///< the key of targets that have it: cpu, gpu, arm_cpu
  /// By operator: nn.conv2d. One that is missing is looked for under the target's next key.
  std::map<std::string, Strategy> operators;
  /// Results of convolutions are cast to fewer bits before anything else reads them, so that no
  /// elementwise node joins a convolution.
  bool is_quantized = false;
};

/// Every strategy, from the files `<x>_strategy.cpp`.
const Table<StrategyDef>& strategy_table();

/// A target's keys in the order in which TVM looks for strategies: given ones, else the device and
/// those of the kind.
std::vector<std::string> strategy_keys(const Target& target);

/// Whether the target asks for a library: `-libs=cublas`.
bool has_library(const Target& target, const std::string& name);

}  // namespace opbench
