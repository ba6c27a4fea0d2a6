#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "kernels/schedules/schedule.h"

namespace Halide {
struct Expr;
class Func;
}  // namespace Halide

namespace opbench {

class KernelBuilder;

// Convolutions and matrix products of 8-bit integers: what they have in common. The sum over
// (x - x_zero) * (w - w_zero) is that over x * (w - w_zero), less x_zero times the sum of the
// weights, which `pack` adds up ahead of time. So padding has the value x_zero.

/// An anchor that sums products of 8-bit integers, and how its kernel multiplies: in groups along
/// the sum, which one instruction multiplies and adds up.
struct ByteProduct {
  // Operands' positions: x is computed, w known before the run.
  size_t x = 0, x_zero = 0, w = 0, w_zero = 0;
  // Of an anchor whose result is quantised again, nothing for one whose result is the int32 sum.
  struct Scaling {
    size_t x_scale = 1, w_scale = 4, y_scale = 6, y_zero = 7, bias = 8;
  };
  std::optional<Scaling> scaling;

  int64_t channels = 0;  ///< of the result: filters, or columns of the matrix
  int weight_zero = 0;   ///< the value of w_zero
  int shift = 0;         ///< added to x and x_zero so that they are unsigned
  bool is_dot = false;   ///< 4 unsigned by 4 signed bytes (VNNI); else 2 by 2 factors of 16 bits

  int group() const { return is_dot ? 4 : 2; }
};

/// The anchor's product; nothing unless all of this holds. The anchor is a node `type`, or a node
/// `requantised`, which is the same product with a result that is quantised again. x is computed
/// and w is known before the run. The zero point of w is absent, or one number that is known before
/// the run. There is one scale, or one for each of the channels. An int32 holds the sum of `terms`
/// products. An epilogue can compute the steps after it.
std::optional<ByteProduct> byte_product(const KernelSpec& spec, const std::string& type,
                                        const std::string& requantised, int64_t channels,
                                        int64_t terms);

/// Extents of the packed weights, outermost first: tiles of channels, steps along the sum, the
/// channels of a tile, the factors of a group. Channels past the last one have zeros.
struct PackedWeights {
  int64_t tiles = 1, steps = 1, lanes = 1, group = 1;
  int64_t channels() const { return tiles * lanes; }
  int64_t size() const { return tiles * steps * lanes * group; }
};

/// int8 or int16 by the product: the weights less their zero point, then the sum of every channel's
/// weights. `value(channel, step, factor)` is the weight as the model has it; nothing: none there.
using WeightAt = std::function<std::optional<int>(int64_t, int64_t, int64_t)>;
Tensor pack_weights(const ByteProduct& product, const PackedWeights& extents,
                    const WeightAt& value);

/// Weights other than w as kernels read them: those of the anchor as they are, those of steps after
/// it as the epilogue does. `index`: an input of the workload.
Result<Tensor> pack_other_weight(const KernelSpec& spec, size_t index, const Tensor& weight);

/// The packed weights: (factor, lane, step, tile).
Halide::Func packed_weights(const KernelSpec& spec, KernelBuilder& builder,
                            const ByteProduct& product, const PackedWeights& extents);

/// The value of x's zero point, of x's type.
Halide::Expr x_zero_point(const KernelSpec& spec, KernelBuilder& builder,
                          const ByteProduct& product);

/// x as the product reads it.
Halide::Expr shifted(const ByteProduct& product, const Halide::Expr& x);

/// One factor of x and one of the packed weights multiplied, int32.
Halide::Expr product_of(const Halide::Expr& x, const Halide::Expr& weight);

/// What the sums of every channel start with: the bias, less the zero point of x times the sum of
/// the weights; computed once a call.
Halide::Func channel_starts(const KernelSpec& spec, KernelBuilder& builder,
                            const ByteProduct& product, const PackedWeights& extents);

/// What the sums of every channel are multiplied by before they are rounded; computed once a call.
/// Undefined where results are sums.
Halide::Func channel_factors(const KernelSpec& spec, KernelBuilder& builder,
                             const ByteProduct& product, const PackedWeights& extents);

/// The anchor's result of channel `c` from its sum.
Halide::Expr integer_result(const KernelSpec& spec, KernelBuilder& builder,
                            const ByteProduct& product, const Halide::Expr& sum,
                            const Halide::Func& factors, const Halide::Expr& c);

}  // namespace opbench
