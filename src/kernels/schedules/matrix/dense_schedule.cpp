#include <halide14/Halide.h>

#include <algorithm>
#include <utility>

#include "base/numbers/divisors.h"
#include "kernels/schedules/kernel_builder.h"
#include "kernels/schedules/knobs/ahead_knob.h"
#include "kernels/schedules/knobs/knob_values.h"
#include "kernels/schedules/knobs/thread_share.h"
#include "kernels/schedules/matrix/gemm_loops.h"
#include "kernels/schedules/narrow.h"
#include "kernels/schedules/operands/anchor_check.h"
#include "kernels/schedules/operands/free_axes.h"
#include "kernels/schedules/rows/flat_loops.h"

namespace opbench {
namespace {

using Halide::Expr;
using Halide::Func;
using Halide::Var;

/// A Gemm, or a MatMul whose right matrix is a weight: every row of A times one matrix.
struct Dense {
  GemmExtents extents;
  bool is_left_transposed = false;   ///< A is [k, m]
  bool is_right_transposed = false;  ///< the weight is [n, k]
};

Dense dense_of(const KernelSpec& spec) {
  const Node& node = anchor_of(spec);
  const Shape& left = anchor_type(spec, 0).shape;
  const Shape& right = anchor_type(spec, 1).shape;
  Dense dense;
  dense.is_left_transposed = int_attribute(node, "transA", 0) != 0;
  dense.is_right_transposed = int_attribute(node, "transB", 0) != 0;
  dense.extents.n = right[dense.is_right_transposed ? 0 : 1];
  dense.extents.k = right[dense.is_right_transposed ? 1 : 0];
  dense.extents.m = element_count(left) / dense.extents.k;
  return dense;
}

constexpr const char* kDenseParts = "k_parts";
constexpr int64_t kDenseMostParts = 16;

/// The default number of parts of the sum over k: one, or more where few rows leave too few panels
/// for the threads.
int64_t default_parts(const KernelSpec& spec, const GemmExtents& extents, const GemmTile& tile) {
  constexpr double kUneven = 1.2;
  constexpr int64_t kFewRows = 8;
  constexpr int64_t kLeastPart = 1 << 16;  // multiply-adds: longer than threads need to meet
  const int64_t work = extents.m * extents.n * extents.k;
  if (extents.m > kFewRows || work < 2 * kLeastPart) return 1;
  const int64_t panels = ceil_div(extents.n, tile.vectors * float_lanes(spec.target));
  const std::vector<int64_t> tasks(static_cast<size_t>(panels), 1);
  if (busiest_share(tasks, spec.threads) <= kUneven) return 1;
  return even_parts(extents.k, panels, 1, std::min(kDenseMostParts, work / kLeastPart),
                    spec.threads);
}

/// Knobs: those of a tile, and `k_parts`: parts of the sum over k that run in parallel.
std::optional<Config> dense_default_config(const KernelSpec& spec) {
  if (!takes_anchor(spec, "Gemm") && !takes_anchor(spec, "MatMul")) return std::nullopt;
  if (!is_plain(spec) || !is_addend_readable(spec)) return std::nullopt;
  const bool is_weight = spec.workload.is_weight(anchor_of(spec).inputs[1]);
  const TensorType& right = anchor_type(spec, 1);
  const bool is_matrix = right.shape.size() == 2 && anchor_type(spec, 0).shape.size() >= 2;
  if (!is_weight || !is_matrix || right.data_type != DataType::kFloat32) return std::nullopt;
  const GemmExtents extents = dense_of(spec).extents;
  const GemmTile tile = gemm_tile(spec.target, extents.m, extents.n, extents.k, 1);
  Config config = config_of(tile);
  config[kDenseParts] = default_parts(spec, extents, tile);
  return with_ahead(std::move(config), spec.target, extents.n * extents.k);
}

/// The rows may be free; columns and terms are those of the weight.
bool takes_dense_free(const KernelSpec& spec) {
  return are_free_axes_read(spec) && !dense_of(spec).is_left_transposed &&
         !is_free(spec, 0, anchor_type(spec, 0).shape.size() - 1);
}

std::vector<KnobRange> dense_knobs(const KernelSpec& spec) {
  const GemmExtents extents = dense_of(spec).extents;
  std::vector<KnobRange> dense_knobs = gemm_knobs(spec, extents.m, extents.n, extents.k, 1);
  dense_knobs.push_back({kDenseParts, doublings(std::min(kDenseMostParts, extents.k),
                                                dense_default_config(spec)->at(kDenseParts))});
  return with_ahead(std::move(dense_knobs), spec.target, extents.n * extents.k);
}

/// The weight in panels of `vectors` vectors, [panel, k, column], zeros past the last column.
Tensor pack_panels(const KernelSpec& spec, const Tensor& weight) {
  const Dense dense = dense_of(spec);
  const auto [n, m, k, b] = dense.extents;
  const int64_t width = tile_of(spec.config).vectors * float_lanes(spec.target);
  const int64_t panels = ceil_div(n, width);
  Tensor packed = Tensor::empty({DataType::kFloat32, {panels, k, width}});
  const auto from = weight.as<float>();
  const auto to = packed.as<float>();
  const int64_t column_stride = dense.is_right_transposed ? k : 1;
  const int64_t row_stride = dense.is_right_transposed ? 1 : n;
  for (int64_t p = 0; p < panels; ++p)
    for (int64_t row = 0; row < k; ++row)
      for (int64_t i = 0; i < width; ++i) {
        const int64_t column = p * width + i;
        const auto source = static_cast<size_t>(row * row_stride + column * column_stride);
        to[static_cast<size_t>((p * k + row) * width + i)] = column < n ? from[source] : 0.0f;
      }
  return packed;
}

Result<Tensor> pack_dense(const KernelSpec& spec, size_t index, const Tensor& weight) {
  if (index == input_index(spec.workload, 0, 1)) return pack_panels(spec, weight);
  if (index == input_index(spec.workload, 0, 2)) return weight;
  return pack_epilogue_weight(spec, index, weight);
}

Func build_dense(const KernelSpec& spec, KernelBuilder& builder) {
  const Dense dense = dense_of(spec);
  const GemmExtents& extents = dense.extents;
  const GemmTile tile = tile_of(spec.config);
  const int64_t parts = spec.config.at(kDenseParts);
  const int64_t depth = ceil_div(extents.k, parts);  // of a part
  const int width = static_cast<int>(tile.vectors) * builder.lanes();
  const Halide::Func left = builder.operand(*input_index(spec.workload, 0, 0));
  const Halide::Func right =
      builder.packed_stream(*input_index(spec.workload, 0, 1),
                            {width, extents.k, ceil_div(extents.n, width)}, {kRowTilesLoop});
  const Var n("n"), m("m"), part("part");
  Func sum("sum"), out("out");
  Halide::RDom r(0, static_cast<int>(depth), "k");
  const Expr k = parts == 1 ? Expr(r) : part * static_cast<int>(depth) + r;
  if (extents.k % parts != 0) r.where(k < static_cast<int>(extents.k));
  // Rows of all leading dimensions are counted by m: dimension 1 runs on into them.
  std::vector<Expr> at(anchor_type(spec, 0).shape.size(), Expr(0));
  at[0] = dense.is_left_transposed ? Expr(m) : k;
  at[1] = dense.is_left_transposed ? k : Expr(m);
  sum(n, m, part) = 0.0f;
  sum(n, m, part) += left(at) * right(n % width, k, n / width);
  Func tiles = out;
  Expr total = sum(n, m, part);
  if (parts > 1) {
    Func partial("partial");
    partial(n, m, part) = sum(n, m, part);
    total = partial(n, m, 0);
    for (int i = 1; i < static_cast<int>(parts); ++i) total += partial(n, m, i);
    tiles = partial;
  }
  const std::vector<Expr> shape = builder.output_sizes();
  std::vector<Expr> position = {n};
  for (const Expr& expr : unflatten(m, shape, 0, shape.size() - 1)) position.push_back(expr);
  out(n, m, part) = builder.epilogue(scaled_sum(spec, builder, total, n, m), position);
  builder.set_output_sizes({narrow(extents.n), product(shape, 0, shape.size() - 1), 1});
  schedule_gemm(tiles, sum, {extents.n, extents.m, depth, parts}, tile, builder.lanes(),
                {.is_padded = true});
  if (parts > 1) {
    tiles.compute_root();
    out.vectorize(n, builder.lanes(), Halide::TailStrategy::GuardWithIf);
  }
  return out;
}

Result<void> check_dense_config(const KernelSpec& spec) {
  const GemmExtents extents = dense_of(spec).extents;
  OPBENCH_CHECK(check_range(spec.config, kDenseParts, 1, std::min(kDenseMostParts, extents.k),
                            "the number of steps of the sum"));
  return check_tile(spec, extents.m);
}

}  // namespace

ScheduleDef dense_schedule() {
  return {.name = "dense",
          .summary = "matrix times a constant matrix in panels, sums in registers",
          .default_config = dense_default_config,
          .takes_free = takes_dense_free,
          .knobs = dense_knobs,
          .priority = 10,
          .pack = pack_dense,
          .check_config = check_dense_config,
          .build = build_dense};
}

}  // namespace opbench
