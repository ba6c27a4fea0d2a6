#include "kernels/tasks/strategy.h"
#include "kernels/tasks/task_arguments.h"

// ROCm: dense layers have a schedule of their own, without choices; the rest is as on other GPUs.

namespace opbench {
namespace {

std::vector<Implementation> rocm_dense(const AnchorCall& call, const Target&) {
  return {{"dense.rocm", dense_arguments(call)}};
}

}  // namespace

StrategyDef rocm_strategy() { return {.name = "rocm", .operators = {{"nn.dense", rocm_dense}}}; }

}  // namespace opbench
