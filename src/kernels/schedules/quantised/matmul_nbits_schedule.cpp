#include <halide14/Halide.h>

#include <algorithm>
#include <optional>

#include "base/numbers/divisors.h"
#include "kernels/schedules/kernel_builder.h"
#include "kernels/schedules/knobs/knob_values.h"
#include "kernels/schedules/narrow.h"
#include "kernels/schedules/operands/anchor_check.h"
#include "kernels/schedules/operands/epilogue_operand.h"
#include "kernels/schedules/operands/node_type.h"
#include "kernels/schedules/operands/workload_operands.h"
#include "kernels/schedules/rows/flat_loops.h"
#include "model/operators/quantised/blocked_weights.h"

namespace opbench {
namespace {

using Halide::Expr;
using Halide::Func;
using Halide::RDom;
using Halide::RVar;
using Halide::TailStrategy;
using Halide::Var;

constexpr const char* kMatmulNbitsRows = "rows";        ///< of a register tile
constexpr const char* kMatmulNbitsVectors = "vectors";  ///< of columns of a register tile
constexpr int64_t kMatmulNbitsMostRows = 6, kNbitsMostVectors = 8;

/// y[m, n] = Σ over blocks of scale[n] (Σ a[m, k] q[n, k] - zero[n] Σ a[m, k]): the integers become
/// floats in registers, once for all rows of a tile, and are scaled a block at a time.
struct MatmulNbitsProduct {
  BlockedWeights weights;
  int64_t m = 1;

  int64_t tiles(int lanes) const { return weights.n / lanes; }
  int64_t pairs() const { return weights.block / 2; }  ///< of integers, a byte each, in a block
};

std::optional<MatmulNbitsProduct> matmul_nbits_product_of(const KernelSpec& spec) {
  const Node& node = anchor_of(spec);
  if (full_type(node) != "com.microsoft.MatMulNBits") return std::nullopt;
  if (!takes_anchor(spec, "com.microsoft.MatMulNBits") || !is_plain(spec)) return std::nullopt;
  MatmulNbitsProduct product{.weights = {.n = int_attribute(node, "N", 0),
                                         .k = int_attribute(node, "K", 0),
                                         .block = int_attribute(node, "block_size", 0),
                                         .bits = int_attribute(node, "bits", 4)}};
  const BlockedWeights& w = product.weights;
  for (size_t i = kBlockedWeights; i < node.inputs.size(); ++i)
    if (!node.inputs[i].empty() && !spec.workload.is_weight(node.inputs[i])) return std::nullopt;
  const int lanes = float_lanes(spec.target);
  if (w.bits != 4 || w.k % w.block != 0 || w.n % lanes != 0 || lanes < 4) return std::nullopt;
  product.m = element_count(anchor_type(spec, 0).shape) / w.k;
  return product;
}

/// As many sums as hide the latency of multiply-adds, and no tile that has columns beyond the last.
std::optional<Config> matmul_nbits_default_config(const KernelSpec& spec) {
  const std::optional<MatmulNbitsProduct> product = matmul_nbits_product_of(spec);
  if (!product) return std::nullopt;
  const int64_t tiles = product->tiles(float_lanes(spec.target));
  const bool has_32_registers = vector_isa(spec.target) == VectorIsa::kAvx512;
  const int64_t rows = std::min<int64_t>(product->m, has_32_registers ? 4 : 2);
  int64_t vectors = rows == 1 ? (has_32_registers ? 4 : 2) : 2;
  while (tiles % vectors != 0) --vectors;
  return Config{{kMatmulNbitsRows, rows}, {kMatmulNbitsVectors, vectors}};
}

std::vector<KnobRange> matmul_nbits_knobs(const KernelSpec& spec) {
  const MatmulNbitsProduct product = *matmul_nbits_product_of(spec);
  return {
      {kMatmulNbitsRows, numbers(1, std::min(kMatmulNbitsMostRows, product.m))},
      {kMatmulNbitsVectors, divisors(product.tiles(float_lanes(spec.target)), kNbitsMostVectors)}};
}

Result<void> check_matmul_nbits_config(const KernelSpec& spec) {
  const MatmulNbitsProduct product = *matmul_nbits_product_of(spec);
  OPBENCH_CHECK(
      check_range(spec.config, kMatmulNbitsRows, 1, std::min(kMatmulNbitsMostRows, product.m)));
  return check_divisor(spec.config, kMatmulNbitsVectors, product.tiles(float_lanes(spec.target)),
                       "the vectors of columns");
}

/// [tile of columns, pair of integers along k, column]: bytes.
Tensor pack_integers(const KernelSpec& spec, const MatmulNbitsProduct& product,
                     const Tensor& weight) {
  const BlockedWeights& w = product.weights;
  const int64_t lanes = float_lanes(spec.target), bytes = w.k / 2;
  Tensor packed = Tensor::empty({DataType::kUint8, {w.n / lanes, bytes, lanes}});
  const auto from = weight.as<uint8_t>();
  auto to = packed.as<uint8_t>().begin();
  for (int64_t tile = 0; tile < w.n / lanes; ++tile)
    for (int64_t at = 0; at < bytes; ++at)
      for (int64_t lane = 0; lane < lanes; ++lane)
        *to++ = from[static_cast<size_t>((tile * lanes + lane) * bytes + at)];
  return packed;
}

/// A number for every block of every column as [tile of columns, block, column].
Tensor pack_of_blocks(const KernelSpec& spec, const MatmulNbitsProduct& product,
                      const Tensor& weight) {
  const BlockedWeights& w = product.weights;
  const int64_t lanes = float_lanes(spec.target);
  const auto value = [&](int64_t n, int64_t block) {
    if (weight.type.data_type != DataType::kUint8)
      return weight.as<float>()[static_cast<size_t>(n * w.blocks() + block)];
    const uint8_t* row = weight.as<uint8_t>().data() + n * w.zero_point_bytes();
    return static_cast<float>(w.unpacked(row, block));
  };
  Tensor packed = Tensor::empty({DataType::kFloat32, {w.n / lanes, w.blocks(), lanes}});
  auto to = packed.as<float>().begin();
  for (int64_t tile = 0; tile < w.n / lanes; ++tile)
    for (int64_t block = 0; block < w.blocks(); ++block)
      for (int64_t lane = 0; lane < lanes; ++lane) *to++ = value(tile * lanes + lane, block);
  return packed;
}

Result<Tensor> pack_matmul_nbits(const KernelSpec& spec, size_t index, const Tensor& weight) {
  const MatmulNbitsProduct product = *matmul_nbits_product_of(spec);
  const auto is = [&](BlockedInput operand) {
    return index == input_index(spec.workload, 0, operand);
  };
  if (is(kBlockedWeights)) return pack_integers(spec, product, weight);
  if (is(kBlockedScales) || is(kBlockedZeroPoints)) return pack_of_blocks(spec, product, weight);
  if (is(kBlockedBias)) return weight;
  return pack_epilogue_weight(spec, index, weight);
}

/// The packed operands of column n.
struct MatmulNbitsColumns {
  const KernelSpec& spec;
  KernelBuilder& builder;
  const MatmulNbitsProduct& product;
  int lanes = builder.lanes();

  std::optional<size_t> index(BlockedInput operand) const {
    return input_index(spec.workload, 0, operand);
  }
  Expr of_block(BlockedInput operand, const Expr& n, const Expr& block) const {
    const Func packed =
        builder.packed(*index(operand), {lanes, product.weights.blocks(), product.tiles(lanes)},
                       DataType::kFloat32);
    return packed(n % lanes, block, n / lanes);
  }
  Expr zero_point(const Expr& n, const Expr& block) const {
    if (!index(kBlockedZeroPoints)) return static_cast<float>(product.weights.usual_zero_point());
    return of_block(kBlockedZeroPoints, n, block);
  }
  Expr byte(const Expr& n, const Expr& pair) const {
    const Func packed =
        builder.packed(*index(kBlockedWeights),
                       {lanes, product.weights.k / 2, product.tiles(lanes)}, DataType::kUint8);
    return packed(n % lanes, pair, n / lanes);
  }
  Expr bias(const Expr& n) const {
    if (!index(kBlockedBias)) return 0.0f;
    return builder.packed(*index(kBlockedBias), {product.weights.n})(n);
  }
};

Func build_matmul_nbits(const KernelSpec& spec, KernelBuilder& builder) {
  const MatmulNbitsProduct product = *matmul_nbits_product_of(spec);
  const BlockedWeights& w = product.weights;
  const MatmulNbitsColumns columns{.spec = spec, .builder = builder, .product = product};
  const int lanes = builder.lanes();
  const int rows = narrow(spec.config.at(kMatmulNbitsRows)),
            width = narrow(spec.config.at(kMatmulNbitsVectors)) * lanes;
  const int block = narrow(w.block), pairs = narrow(product.pairs());
  const Func left = builder.operand(*input_index(spec.workload, 0, 0));
  const auto a = [&](const Expr& k, const Expr& m) {
    std::vector<Expr> at(anchor_type(spec, 0).shape.size(), Expr(0));
    at[0] = k + m * narrow(w.k);  // dimension 0 runs on over all elements
    return Expr(left(at));
  };
  const Var n("n"), m("m"), b("b");
  Func of_input("of_input"), part("part"), sum("sum"), out("out");
  const RDom all(0, block, "all"), r(0, pairs, "r"), blocks(0, narrow(w.blocks()), "blocks");

  of_input(b, m) = 0.0f;
  of_input(b, m) += a(b * block + all, m);
  const Expr byte = columns.byte(n, b * pairs + r);
  const Expr low = Halide::cast<float>(byte & Halide::cast<uint8_t>(15));
  const Expr high = Halide::cast<float>(byte >> Halide::cast<uint8_t>(4));
  const Expr at = b * block + 2 * r;
  part(n, m, b) = 0.0f;
  part(n, m, b) += a(at, m) * low + a(at + 1, m) * high;
  sum(n, m) = columns.bias(n);
  sum(n, m) += columns.of_block(kBlockedScales, n, blocks) *
               (part(n, m, blocks) - columns.zero_point(n, blocks) * of_input(blocks, m));
  const Shape& shape = output_type(spec.workload).shape;
  std::vector<Expr> position = {n};
  for (const Expr& expr : unflatten(m, shape, 0, shape.size() - 1)) position.push_back(expr);
  out(n, m) = builder.epilogue(sum(n, m), position);
  builder.set_output_extents({w.n, product.m});

  const Var no("no"), mo("mo"), ni("ni"), mi("mi"), task("task");
  out.split(n, no, ni, width, TailStrategy::RoundUp)
      .split(m, mo, mi, rows, TailStrategy::ShiftInwards)
      .reorder(ni, mi, mo, no)
      .vectorize(ni, lanes)
      .unroll(ni)
      .unroll(mi)
      .parallel(no);
  sum.compute_at(out, mo).vectorize(n, lanes).unroll(n).unroll(m);
  sum.update().reorder(n, m, blocks.x).vectorize(n, lanes).unroll(n).unroll(m);
  part.compute_at(sum, blocks.x).vectorize(n, lanes).unroll(n).unroll(m);
  part.update().reorder(n, m, r.x).vectorize(n, lanes).unroll(n).unroll(m);
  of_input.compute_root();
  const Var lane("lane");
  const RVar steps("steps"), of_step("of_step");
  if (block >= lanes) of_input.update().atomic().vectorize(all.x, lanes);
  return out;
}

}  // namespace

ScheduleDef matmul_nbits_schedule() {
  return {.name = "matmul_nbits",
          .summary = "matrix product with weights of four bits, decoded in registers",
          .default_config = matmul_nbits_default_config,
          .knobs = matmul_nbits_knobs,
          .priority = 20,
          .pack = pack_matmul_nbits,
          .check_config = check_matmul_nbits_config,
          .build = build_matmul_nbits};
}

}  // namespace opbench
