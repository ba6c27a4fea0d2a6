#include <halide14/Halide.h>

#include <algorithm>

#include "kernels/schedules/gpu/gpu_group.h"
#include "kernels/schedules/gpu/gpu_tile.h"
#include "kernels/schedules/kernel_builder.h"
#include "kernels/schedules/matrix/product_shape.h"
#include "kernels/schedules/narrow.h"
#include "kernels/schedules/operands/anchor_check.h"

namespace opbench {
namespace {

using Halide::Expr;
using Halide::Func;
using Halide::Var;

constexpr const char* kColumns = "tile_n";
constexpr const char* kRows = "tile_m";

/// True for a matrix of weights with the steps of the sum innermost: it is turned round, so that
/// neighbouring threads read neighbouring elements.
bool is_turned(const KernelSpec& spec) {
  return spec.workload.is_weight(anchor_of(spec).inputs[1]) &&
         anchor_type(spec, 1).shape.size() == 2 && product_of(spec).is_right_transposed;
}

/// One row leaves too few threads for tiles.
Config default_product_tile(const KernelSpec& spec) {
  const GemmExtents extents = product_of(spec).extents;
  const int64_t rows = std::min<int64_t>(4, extents.m);
  const int64_t columns = rows == 1 ? 1 : std::min<int64_t>(4, extents.n);
  return {{kGroupKnob, default_group(spec.target)}, {kColumns, columns}, {kRows, rows}};
}

std::optional<Config> product_gpu_default_config(const KernelSpec& spec) {
  if (!is_for_gpu(spec) || !takes_product(spec)) return std::nullopt;
  if (!is_argument(spec, 1) || !is_argument(spec, 2)) return std::nullopt;
  return default_product_tile(spec);
}

std::vector<KnobRange> product_gpu_knobs(const KernelSpec& spec) {
  const GemmExtents extents = product_of(spec).extents;
  const Config tile = default_product_tile(spec);
  return {group_range(spec.target), tile_range(kColumns, extents.n, tile.at(kColumns)),
          tile_range(kRows, extents.m, tile.at(kRows))};
}

Result<void> check_product_gpu(const KernelSpec& spec) {
  const GemmExtents extents = product_of(spec).extents;
  OPBENCH_CHECK(check_group(spec));
  return check_tile_of_thread(spec.config, {kColumns, extents.n, "the columns of the result"},
                              {kRows, extents.m, "the rows of the result"});
}

Result<Tensor> pack_product_gpu(const KernelSpec& spec, size_t index, const Tensor& weight) {
  if (index != input_index(spec.workload, 0, 1) || !is_turned(spec))
    return pack_product_operand(spec, index, weight);
  const auto [n, m, k, b] = product_of(spec).extents;
  Tensor packed = Tensor::empty({DataType::kFloat32, {k, n}});
  const auto from = weight.as<float>();
  const auto to = packed.as<float>();
  for (int64_t column = 0; column < n; ++column)
    for (int64_t step = 0; step < k; ++step)
      to[static_cast<size_t>(step * n + column)] = from[static_cast<size_t>(column * k + step)];
  return packed;
}

Func build_product_gpu(const KernelSpec& spec, KernelBuilder& builder) {
  const Product found = product_of(spec);
  const GemmExtents& extents = found.extents;
  const Func left = builder.operand(*input_index(spec.workload, 0, 0));
  const size_t right_index = *input_index(spec.workload, 0, 1);
  const Var n("n"), m("m"), b("b");
  Func sum("sum"), out("out");
  const Halide::RDom k(0, narrow(extents.k), "k");
  const Expr a = left(found.is_left_transposed ? position_of(spec, builder, found, 0, m, k, b)
                                               : position_of(spec, builder, found, 0, k, m, b));
  Expr weight;
  if (is_turned(spec)) {
    weight = builder.packed(right_index, {extents.n, extents.k})(n, k);
  } else {
    weight = builder.operand(right_index)(found.is_right_transposed
                                              ? position_of(spec, builder, found, 1, k, n, b)
                                              : position_of(spec, builder, found, 1, n, k, b));
  }
  sum(n, m, b) = 0.0f;
  sum(n, m, b) += a * weight;
  const Expr value = scaled_sum(spec, builder, sum(n, m, b), n, m);
  out(n, m, b) = builder.epilogue(value, result_position(builder, found, n, m, b));
  const std::vector<int64_t> all = {extents.n, extents.m, extents.b};
  builder.set_output_extents(all);
  const ThreadTile tile{.pixels = spec.config.at(kColumns), .channels = spec.config.at(kRows)};
  spread_tiles(out, sum, {0, 1}, all, tile, spec.config);
  sum.update().reorder({n, m, k.x});
  return out;
}

}  // namespace

ScheduleDef product_gpu_schedule() {
  return {.name = "product_gpu",
          .summary = "products of matrices and batches of them, a tile of sums a thread",
          .device_types = {DeviceType::kOpenCl, DeviceType::kCuda},
          .default_config = product_gpu_default_config,
          .knobs = product_gpu_knobs,
          .priority = 5,
          .pack = pack_product_gpu,
          .check_config = check_product_gpu,
          .build = build_product_gpu};
}

}  // namespace opbench
