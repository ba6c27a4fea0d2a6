#include "opbench/tasks/strategy.h"
#include "opbench/tasks/task_arguments.h"

// Bifrost GPUs; what is missing here falls to the strategy of GPUs.

namespace opbench {
namespace {

std::vector<Implementation> dense(const AnchorCall& call, const Target&) {
  return {{"dense.bifrost", dense_arguments(call)}};
}

/// TVM's templates for these are not known here.
std::vector<Implementation> none(const AnchorCall&, const Target&) { return {}; }

}  // namespace

StrategyDef bifrost_strategy() {
  return {.name = "bifrost", .operators = {{"nn.conv2d", none}, {"nn.dense", dense}}};
}

}  // namespace opbench
