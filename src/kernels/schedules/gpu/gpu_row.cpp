#include "kernels/schedules/gpu/gpu_row.h"

#include <halide14/Halide.h>

#include <algorithm>
#include <limits>

#include "kernels/schedules/gpu/gpu_group.h"
#include "kernels/schedules/narrow.h"

namespace opbench {
namespace {

using Halide::Expr;
using Halide::Func;
using Halide::RDom;
using Halide::TailStrategy;
using Halide::Var;

}  // namespace

int group_of_row(const Config& config, int64_t length) {
  return narrow(std::min(config.at(kGroupKnob), length));
}

Func join_rows(RowJoin join, const GroupRows& rows,
               const std::function<Expr(const Expr& place)>& read, std::vector<Func>& made) {
  const Expr neutral =
      join == RowJoin::kSum ? Expr(0.0f) : Expr(-std::numeric_limits<float>::infinity());
  const auto joined = [&](const Expr& a, const Expr& b) {
    return join == RowJoin::kSum ? a + b : Halide::max(a, b);
  };
  const RDom step(0, (rows.length + rows.group - 1) / rows.group, "step"),
      lanes(0, rows.group, "lanes");
  const Var lane("lane");
  const Expr place = lane + step * rows.group;
  const bool is_even = rows.length % rows.group == 0;
  const Expr value = read(is_even ? place : Halide::min(place, rows.length - 1));
  std::vector<Var> vars = {lane};
  vars.insert(vars.end(), rows.vars.begin(), rows.vars.end());
  std::vector<Expr> at = {Expr(lanes)};
  at.insert(at.end(), rows.vars.begin(), rows.vars.end());
  Func parts("parts"), all("all");
  parts(vars) = neutral;
  parts(vars) =
      joined(parts(vars), is_even ? value : Halide::select(place < rows.length, value, neutral));
  all(rows.vars) = neutral;
  all(rows.vars) = joined(all(rows.vars), parts(at));
  std::vector<Halide::VarOrRVar> order = {step.x};
  order.insert(order.end(), vars.begin(), vars.end());
  parts.gpu_threads(lane);
  parts.update().reorder(order).gpu_threads(lane);
  made.insert(made.end(), {parts, all});
  return all;
}

void spread_rows(Func& out, const Var& place, const GroupRows& rows, std::vector<Func>& made) {
  const Var chunk("chunk"), lane("lane");
  out.split(place, chunk, lane, rows.group,
            rows.length % rows.group == 0 ? TailStrategy::RoundUp : TailStrategy::GuardWithIf);
  std::vector<Halide::VarOrRVar> order = {chunk, lane};
  order.insert(order.end(), rows.vars.begin(), rows.vars.end());
  out.reorder(order);
  Var block = rows.vars.front();
  for (size_t i = 1; i < rows.vars.size(); ++i) {
    const Var next("block" + std::to_string(i));
    out.fuse(block, rows.vars[i], next);
    block = next;
  }
  out.gpu_blocks(block).gpu_threads(lane);
  for (Func& func : made) func.compute_at(out, block);
}

}  // namespace opbench
