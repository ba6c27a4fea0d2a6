#include <halide14/Halide.h>

#include <algorithm>
#include <optional>
#include <string>

#include "kernels/schedules/kernel_builder.h"
#include "kernels/schedules/operands/anchor_check.h"
#include "kernels/schedules/rows/flat_loops.h"

namespace opbench {
namespace {

using Halide::Expr;
using Halide::Func;
using Halide::Var;

std::optional<Config> expand_default_config(const KernelSpec& spec) {
  if (spec.workload.graph.nodes.size() != 1 || !takes_moving_anchor(spec, "Expand"))
    return std::nullopt;
  return is_plain(spec) ? std::optional(Config{}) : std::nullopt;
}

/// Neighbouring dimensions that are all repeated or all copied, as one.
struct Run {
  int64_t extent = 1;
  bool is_repeated = false;
};

/// Innermost first. Dimensions of extent 1 join any run.
std::vector<Run> runs_of(const Shape& from, const Shape& to) {
  std::vector<Run> runs;
  for (size_t i = 0; i < to.size(); ++i) {
    const int64_t extent = to[to.size() - 1 - i];
    if (extent == 1) continue;
    const bool is_repeated = i >= from.size() || from[from.size() - 1 - i] == 1;
    if (runs.empty() || runs.back().is_repeated != is_repeated) runs.push_back({1, is_repeated});
    runs.back().extent *= extent;
  }
  if (runs.empty()) runs.push_back({1, true});
  return runs;
}

Func build_expand(const KernelSpec& spec, KernelBuilder& builder) {
  const Shape& from = anchor_type(spec, 0).shape;
  const std::vector<Run> runs = runs_of(from, anchor_result(spec).shape);
  std::vector<Var> vars;
  std::vector<int64_t> extents;
  Expr offset = 0;
  int64_t stride = 1;
  for (size_t i = 0; i < runs.size(); ++i) {
    vars.emplace_back("d" + std::to_string(i));
    extents.push_back(runs[i].extent);
    if (runs[i].is_repeated) continue;
    offset += vars[i] * static_cast<int>(stride);
    stride *= runs[i].extent;
  }
  std::vector<Expr> at(std::max<size_t>(from.size(), 1), Expr(0));
  at[0] = offset;  // dimension 0 runs on over all elements
  if (from.empty()) at.clear();
  Func out("out");
  out(vars) = builder.operand(*input_index(spec.workload, 0, 0))(at);
  builder.set_output_extents(extents);
  schedule_stream(out, vars, extents, builder.lanes());
  return out;
}

}  // namespace

ScheduleDef expand_schedule() {
  return {.name = "expand",
          .summary = "a tensor repeated along some dimensions, in one pass over the result",
          .default_config = expand_default_config,
          .priority = 5,
          .pack = nullptr,
          .build = build_expand};
}

}  // namespace opbench
