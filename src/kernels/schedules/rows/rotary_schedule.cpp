#include <halide14/Halide.h>

#include <optional>

#include "kernels/schedules/kernel_builder.h"
#include "kernels/schedules/narrow.h"
#include "kernels/schedules/operands/anchor_check.h"
#include "kernels/schedules/rows/flat_loops.h"

namespace opbench {
namespace {

using Halide::Expr;
using Halide::Func;
using Halide::TailStrategy;
using Halide::Var;

/// Heads whose elements turn in pairs: [batch, heads, steps, 2 half], or [batch, steps, heads,
/// 2 half] where they are flat.
struct Heads {
  int64_t batch = 1, heads = 1, steps = 1, half = 1;
  bool is_flat = false;
  bool is_interleaved = false;
};

enum Operand : size_t { kRotaryData, kCosines, kSines };

/// Without positions, and with heads that turn as a whole.
std::optional<Heads> heads_of(const KernelSpec& spec) {
  const Node& node = anchor_of(spec);
  if (node.inputs.size() != 3) return std::nullopt;
  const Shape& x = anchor_type(spec, kRotaryData).shape;
  const Shape& cache = anchor_type(spec, kCosines).shape;
  if (cache.size() != 3) return std::nullopt;
  Heads h{.half = cache[2], .is_interleaved = int_attribute(node, "interleaved", 0) != 0};
  if (x.size() == 4) {
    h.batch = x[0], h.heads = x[1], h.steps = x[2];
    return x[3] == 2 * h.half ? std::optional(h) : std::nullopt;
  }
  h.is_flat = true;
  h.batch = x[0], h.steps = x[1], h.heads = int_attribute(node, "num_heads", 0);
  return h.heads > 0 && x[2] == h.heads * 2 * h.half ? std::optional(h) : std::nullopt;
}

std::optional<Config> rotary_default_config(const KernelSpec& spec) {
  if (spec.workload.graph.nodes.size() != 1 || !takes_anchor(spec, "RotaryEmbedding"))
    return std::nullopt;
  if (!is_plain(spec)) return std::nullopt;
  for (const size_t operand : {kCosines, kSines})
    if (!input_index(spec.workload, 0, operand)) return std::nullopt;
  return heads_of(spec) ? std::optional(Config{}) : std::nullopt;
}

Func build_rotary(const KernelSpec& spec, KernelBuilder& builder) {
  const Heads h = heads_of(spec).value();
  const int half = narrow(h.half), lanes = builder.lanes();
  const auto element = [&](size_t operand, const Expr& offset) {
    std::vector<Expr> at(anchor_type(spec, operand).shape.size(), Expr(0));
    at[0] = offset;  // dimension 0 runs on over all elements
    return Expr(builder.operand(*input_index(spec.workload, 0, operand))(at));
  };
  const Var i("i"), side("side"), inner("inner"), outer("outer"), n("n");
  // Of the two dimensions between the head's elements and the batch, the inner one is `inner`.
  const int64_t inner_extent = h.is_flat ? h.heads : h.steps;
  const int64_t outer_extent = h.is_flat ? h.steps : h.heads;
  const Expr step = (h.is_flat ? outer : inner) + n * narrow(h.steps);
  const Expr head = (inner + (outer + n * narrow(outer_extent)) * narrow(inner_extent)) * 2 * half;
  const Expr cosine = element(kCosines, i + step * half), sine = element(kSines, i + step * half);
  const auto of_pair = [&](int which) {
    return element(kRotaryData, head + (h.is_interleaved ? 2 * i + which : i + which * half));
  };
  const Expr a = of_pair(0), b = of_pair(1);
  const Expr turned = Halide::select(side == 0, a * cosine - b * sine, a * sine + b * cosine);
  Func out("out");
  std::vector<int64_t> extents = {h.half, 2, inner_extent, outer_extent, h.batch};
  if (h.is_interleaved) {
    out(side, i, inner, outer, n) = turned;
    std::swap(extents[0], extents[1]);
  } else {
    out(i, side, inner, outer, n) = turned;
  }
  builder.set_output_extents(extents);
  out.bound(side, 0, 2).bound(i, 0, half);
  if (h.is_interleaved) {
    const Var pairs("pairs"), piece("piece");
    if (h.half % lanes == 0)
      out.split(i, i, pairs, lanes).reorder(side, pairs, i).vectorize(side).vectorize(pairs);
  } else {
    out.reorder(side, i).unroll(side);
    if (half >= lanes) out.vectorize(i, lanes, TailStrategy::ShiftInwards);
  }
  parallelize(out, {inner, outer, n}, {inner_extent, outer_extent, h.batch}, 2 * h.half);
  return out;
}

}  // namespace

ScheduleDef rotary_schedule() {
  return {.name = "rotary",
          .summary = "heads turned in pairs of elements, one pass",
          .default_config = rotary_default_config,
          .priority = 5,
          .pack = nullptr,
          .build = build_rotary};
}

}  // namespace opbench
