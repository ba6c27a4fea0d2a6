#include "kernels/schedules/gpu/gpu_group.h"

#include <halide14/Halide.h>

#include <algorithm>
#include <array>
#include <string_view>

#include "kernels/schedules/gpu/staged_tile.h"
#include "kernels/schedules/knobs/knob_values.h"
#include "kernels/schedules/narrow.h"
#include "kernels/schedules/operands/anchor_operand.h"
#include "kernels/schedules/operands/workload_operands.h"

namespace opbench {
namespace {

using Halide::Func;
using Halide::TailStrategy;
using Halide::Var;

constexpr int64_t kSmallestGroup = 16, kDefaultGroup = 64, kLargestGroup = 256;

/// OpenCL devices need not have float64 or float16.
bool has_gpu_type(DataType type) {
  switch (type) {
    case DataType::kFloat32:
    case DataType::kBool:
    case DataType::kInt8:
    case DataType::kUint8:
    case DataType::kInt32:
    case DataType::kInt64:
      return true;
    default:
      return false;
  }
}

/// They take an angle apart in float64.
bool computes_in_double(const Node& node) {
  constexpr std::array<std::string_view, 3> kTypes = {"Sin", "Cos", "Tan"};
  return std::ranges::count(kTypes, node.type) > 0;
}

}  // namespace

int64_t largest_group(const Target& target) {
  return std::clamp<int64_t>(group_limits(target).threads, 1, kLargestGroup);
}

int64_t default_group(const Target& target) {
  return std::min(kDefaultGroup, largest_group(target));
}

KnobRange group_range(const Target& target) {
  KnobRange range{kGroupKnob, {}};
  const int64_t largest = largest_group(target);
  for (int64_t group = std::min(kSmallestGroup, largest); group <= largest; group *= 2) {
    range.values.push_back(group);
  }
  return range;
}

Result<void> check_group(const KernelSpec& spec) {
  return check_range(spec.config, kGroupKnob, 1, largest_group(spec.target),
                     "the threads of a work group that the target takes");
}

std::vector<KnobRange> group_knobs(const KernelSpec& spec) { return {group_range(spec.target)}; }

Result<void> check_group_config(const KernelSpec& spec) { return check_group(spec); }

bool is_for_gpu(const KernelSpec& spec) {
  const Graph& graph = spec.workload.graph;
  return std::ranges::all_of(spec.layouts, [](Layout layout) { return layout.block == 0; }) &&
         std::ranges::all_of(
             graph.types, [](const auto& entry) { return has_gpu_type(entry.second.data_type); }) &&
         std::ranges::none_of(graph.nodes, computes_in_double);
}

bool is_argument(const KernelSpec& spec, size_t operand) {
  return !has_operand(spec, operand) || input_index(spec.workload, 0, operand).has_value();
}

Var spread_over_threads(Func& func, const std::vector<Var>& outer, int64_t tasks,
                        const Config& config) {
  Var task = outer.front();
  for (size_t i = 1; i < outer.size(); ++i) {
    const Var next("task" + std::to_string(i));
    func.fuse(task, outer[i], next);
    task = next;
  }
  const Var block("block"), thread("thread");
  const int64_t group = std::min(config.at(kGroupKnob), std::max<int64_t>(tasks, 1));
  func.split(task, block, thread, narrow(group),
             tasks % group == 0 ? TailStrategy::RoundUp : TailStrategy::GuardWithIf);
  func.gpu_blocks(block).gpu_threads(thread);
  return thread;
}

}  // namespace opbench
