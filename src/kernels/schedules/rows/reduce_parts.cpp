#include "kernels/schedules/rows/reduce_parts.h"

#include <halide14/Halide.h>

#include <algorithm>
#include <limits>
#include <set>

#include "kernels/schedules/kernel_builder.h"
#include "kernels/schedules/operands/anchor_check.h"

namespace opbench {
namespace {

using Halide::Expr;

constexpr float kReduceInfinity = std::numeric_limits<float>::infinity();

const std::set<std::string> kReduceTypes = {
    "ReduceL1",  "ReduceL2",   "ReduceLogSum", "ReduceLogSumExp", "ReduceMax",
    "ReduceMin", "ReduceMean", "ReduceProd",   "ReduceSum",       "ReduceSumSquare"};

/// Axes in an attribute, or in a constant operand; nothing where they are an operand of the run.
std::optional<std::vector<int64_t>> reduce_axes_of(const KernelSpec& spec) {
  const Node& node = anchor_of(spec);
  if (node.inputs.size() < 2 || node.inputs[1].empty()) return ints_attribute(node, "axes", {});
  const auto constant = spec.workload.graph.constants.find(node.inputs[1]);
  if (constant == spec.workload.graph.constants.end()) return std::nullopt;
  return integers(constant->second);
}

}  // namespace

std::optional<std::vector<ReduceAxis>> merged_axes(const KernelSpec& spec) {
  const Shape& shape = anchor_type(spec, 0).shape;
  const auto given = reduce_axes_of(spec);
  if (!given) return std::nullopt;
  std::set<int64_t> reduced;
  for (const int64_t axis : *given) reduced.insert(normal_axis(axis, shape.size()));
  const bool is_all = given->empty();
  if (is_all && int_attribute(anchor_of(spec), "noop_with_empty_axes", 0) != 0) return std::nullopt;
  std::vector<ReduceAxis> axes;
  int64_t stride = 1;
  for (size_t i = shape.size(); i-- > 0;) {
    if (shape[i] == 1) continue;
    const bool is_reduced = is_all || reduced.contains(static_cast<int64_t>(i));
    if (axes.empty() || axes.back().is_reduced != is_reduced)
      axes.push_back({1, stride, is_reduced, i, i + 1});
    axes.back().extent *= shape[i];
    axes.back().first = i;
    stride *= shape[i];
  }
  // All that is reduced has extent 1: one element makes a result.
  const bool has_reduced = is_all || !reduced.empty();
  if (has_reduced && std::ranges::none_of(axes, &ReduceAxis::is_reduced))
    axes.push_back({1, stride, true, 0, 0});
  return axes;
}

bool is_reduction(const KernelSpec& spec) {
  const std::string& type = anchor_of(spec).type;
  if (!kReduceTypes.contains(type) || !takes_anchor(spec, type)) return false;
  const auto axes = merged_axes(spec);
  return axes && std::ranges::any_of(*axes, &ReduceAxis::is_reduced);
}

Expr identity_of_reduction(const std::string& type) {
  if (type == "ReduceMax") return -kReduceInfinity;
  if (type == "ReduceMin") return kReduceInfinity;
  return type == "ReduceProd" ? 1.0f : 0.0f;
}

Expr entering_reduction(const std::string& type, const Expr& x) {
  if (type == "ReduceL1") return Halide::abs(x);
  return type == "ReduceSumSquare" || type == "ReduceL2" ? x * x : x;
}

Expr joined_in_reduction(const std::string& type, const Expr& a, const Expr& b) {
  if (type == "ReduceMax") return Halide::max(a, b);
  if (type == "ReduceMin") return Halide::min(a, b);
  return type == "ReduceProd" ? a * b : a + b;
}

Expr finished_reduction(const std::string& type, const Expr& x, const Expr& elements) {
  if (type == "ReduceMean") return x / Halide::cast<float>(elements);
  if (type == "ReduceL2") return Halide::sqrt(x);
  return type == "ReduceLogSum" ? Halide::log(x) : x;
}

}  // namespace opbench
