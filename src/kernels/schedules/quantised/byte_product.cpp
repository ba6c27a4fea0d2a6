#include "kernels/schedules/quantised/byte_product.h"

#include <halide14/Halide.h>

#include <algorithm>
#include <limits>

#include "kernels/schedules/expressions/quantised_expr.h"
#include "kernels/schedules/kernel_builder.h"
#include "kernels/schedules/narrow.h"
#include "kernels/schedules/operands/anchor_check.h"
#include "kernels/schedules/operands/anchor_operand.h"
#include "kernels/schedules/operands/epilogue_operand.h"
#include "kernels/schedules/operands/workload_operands.h"
#include "model/operators/quantised/quantization.h"

namespace opbench {
namespace {

using Halide::Expr;
using Halide::Func;
using Halide::Var;

constexpr int kSignBit = 128;  ///< added to a signed byte it makes an unsigned one

/// True if operand `index` is one byte or float that the workload holds.
bool is_known_number(const KernelSpec& spec, size_t index) {
  const auto constant = spec.workload.graph.constants.find(anchor_of(spec).inputs[index]);
  if (constant == spec.workload.graph.constants.end()) return false;
  const TensorType& type = constant->second.type;
  return type.size() == 1 && type.data_type != DataType::kInt32;
}

/// True if operand `index` is a tensor that an expression reads, of `type`, one element or `count`.
bool is_parameter(const KernelSpec& spec, size_t index, DataType type, int64_t count) {
  if (!has_operand(spec, index)) return false;
  const TensorType& found = anchor_type(spec, index);
  const bool is_there = input_index(spec.workload, 0, index) || is_known_number(spec, index);
  const bool is_line = found.shape.size() <= 1 && (found.size() == 1 || found.size() == count);
  return is_there && is_line && found.data_type == type;
}

bool has_parameters(const KernelSpec& spec, const ByteProduct& p) {
  if (has_operand(spec, p.x_zero) &&
      !is_parameter(spec, p.x_zero, anchor_type(spec, p.x).data_type, 1))
    return false;
  if (!p.scaling) return true;
  const ByteProduct::Scaling& at = *p.scaling;
  if (has_operand(spec, at.bias) && !is_parameter(spec, at.bias, DataType::kInt32, p.channels))
    return false;
  return is_parameter(spec, at.x_scale, DataType::kFloat32, 1) &&
         is_parameter(spec, at.w_scale, DataType::kFloat32, p.channels) &&
         is_parameter(spec, at.y_scale, DataType::kFloat32, 1) &&
         is_parameter(spec, at.y_zero, anchor_result(spec).data_type, 1);
}

/// The value of the weights' zero point; nothing where it is not known, or not one number.
std::optional<int> weight_zero(const KernelSpec& spec, size_t index) {
  if (!has_operand(spec, index)) return 0;
  if (!is_known_number(spec, index)) return std::nullopt;
  return byte_at(spec.workload.graph.constants.at(anchor_of(spec).inputs[index]), 0);
}

/// True if weights less their zero point are signed bytes.
bool fits_signed_byte(DataType type, int zero) {
  return type == DataType::kInt8 ? zero == 0 : zero == kSignBit;
}

/// Element `c` of a parameter, or its only one.
Expr parameter_at(const KernelSpec& spec, KernelBuilder& builder, size_t index, const Expr& c) {
  const TensorType& type = anchor_type(spec, index);
  const Expr at = type.size() == 1 ? Expr(0) : Halide::min(c, narrow(type.size() - 1));
  const auto input = input_index(spec.workload, 0, index);
  const std::vector<Expr> position(type.shape.size(), at);
  if (input) return builder.operand(*input)(position);
  const Tensor& constant = spec.workload.graph.constants.at(anchor_of(spec).inputs[index]);
  const Halide::Type byte = type.data_type == DataType::kInt8 ? Halide::Int(8) : Halide::UInt(8);
  if (is_byte(type.data_type)) return Halide::cast(byte, byte_at(constant, 0));
  return constant.as<float>()[0];
}

void compute_once(Func& func, const Var& c, int64_t padded, int lanes) {
  func.bound(c, 0, narrow(padded)).compute_root().vectorize(c, lanes);
}

template <class T>
Tensor pack_as(const ByteProduct& product, DataType type, const PackedWeights& extents,
               const WeightAt& value) {
  const int64_t planes = static_cast<int64_t>(sizeof(int32_t) / sizeof(T));
  Tensor packed = Tensor::empty({type, {extents.size() + planes * extents.channels()}});
  T* to = packed.as<T>().data();
  T* const sums = to + extents.size();
  for (int64_t tile = 0; tile < extents.tiles; ++tile)
    for (int64_t lane = 0; lane < extents.lanes; ++lane) {
      const int64_t channel = tile * extents.lanes + lane;
      uint32_t sum = 0;
      for (int64_t step = 0; step < extents.steps; ++step)
        for (int64_t i = 0; i < extents.group; ++i) {
          const std::optional<int> weight = value(channel, step, i);
          const int centred = weight ? *weight - product.weight_zero : 0;
          to[((tile * extents.steps + step) * extents.lanes + lane) * extents.group + i] =
              static_cast<T>(centred);
          sum += static_cast<uint32_t>(centred);
        }
      for (int64_t plane = 0; plane < planes; ++plane)
        sums[plane * extents.channels() + channel] =
            static_cast<T>(sum >> (8 * sizeof(T) * static_cast<size_t>(plane)));
    }
  return packed;
}

}  // namespace

std::optional<ByteProduct> byte_product(const KernelSpec& spec, const std::string& type,
                                        const std::string& requantised, int64_t channels,
                                        int64_t terms) {
  constexpr int64_t kMostTerms = std::numeric_limits<int32_t>::max() / (2 * 255 * 255);
  const bool is_requantised = anchor_of(spec).type == requantised;
  if (!takes_integer_anchor(spec, is_requantised ? requantised : type)) return std::nullopt;
  ByteProduct p{.x = 0, .x_zero = 2, .w = 1, .w_zero = 3};
  if (is_requantised) p = {.x = 0, .x_zero = 2, .w = 3, .w_zero = 5, .scaling = {{}}};
  p.channels = channels;
  const DataType x = anchor_type(spec, p.x).data_type;
  const DataType w = anchor_type(spec, p.w).data_type;
  if (!is_byte(x) || !is_byte(w) || terms > kMostTerms) return std::nullopt;
  const bool is_known = spec.workload.is_weight(anchor_of(spec).inputs[p.w]);
  const std::optional<int> zero = weight_zero(spec, p.w_zero);
  if (!is_known || !zero || !has_parameters(spec, p)) return std::nullopt;
  p.weight_zero = *zero;
  p.is_dot = has_dot_products(spec.target) && fits_signed_byte(w, *zero);
  p.shift = p.is_dot && x == DataType::kInt8 ? kSignBit : 0;
  return p;
}

Result<Tensor> pack_other_weight(const KernelSpec& spec, size_t index, const Tensor& weight) {
  for (size_t operand = 0; operand < anchor_of(spec).inputs.size(); ++operand) {
    if (index == input_index(spec.workload, 0, operand)) return weight;
  }
  return pack_epilogue_weight(spec, index, weight);
}

Tensor pack_weights(const ByteProduct& product, const PackedWeights& extents,
                    const WeightAt& value) {
  if (product.is_dot) return pack_as<int8_t>(product, DataType::kInt8, extents, value);
  return pack_as<int16_t>(product, DataType::kInt16, extents, value);
}

Func packed_weights(const KernelSpec& spec, KernelBuilder& builder, const ByteProduct& product,
                    const PackedWeights& extents) {
  if (product.is_dot) builder.use_dot_products();
  return builder.packed(*input_index(spec.workload, 0, product.w),
                        {extents.group, extents.lanes, extents.steps, extents.tiles},
                        product.is_dot ? DataType::kInt8 : DataType::kInt16);
}

Expr x_zero_point(const KernelSpec& spec, KernelBuilder& builder, const ByteProduct& product) {
  if (has_operand(spec, product.x_zero)) return parameter_at(spec, builder, product.x_zero, 0);
  return anchor_type(spec, product.x).data_type == DataType::kInt8 ? Halide::cast<int8_t>(0)
                                                                   : Halide::cast<uint8_t>(0);
}

Expr shifted(const ByteProduct& product, const Expr& x) {
  if (product.shift == 0) return x;
  return Halide::cast<uint8_t>(x) ^ Halide::cast<uint8_t>(product.shift);
}

Expr product_of(const Expr& x, const Expr& weight) {
  return Halide::cast<int32_t>(weight.type().bits() == 16 ? Halide::cast<int16_t>(x) : x) *
         Halide::cast<int32_t>(weight);
}

Func channel_starts(const KernelSpec& spec, KernelBuilder& builder, const ByteProduct& product,
                    const PackedWeights& extents) {
  const Func weights = packed_weights(spec, builder, product, extents);
  const Var c("c");
  Expr sum = Halide::cast<int32_t>(0);
  const int bits = product.is_dot ? 8 : 16;
  for (int plane = 0; plane < 32 / bits; ++plane) {
    const Expr at = narrow(extents.size() + plane * extents.channels()) + c;
    const Expr digits = Halide::cast(Halide::UInt(bits), weights(at, 0, 0, 0));
    sum = sum | (Halide::cast<int32_t>(digits) << (bits * plane));
  }
  const Expr zero = Halide::cast<int32_t>(x_zero_point(spec, builder, product)) + product.shift;
  Expr start = -zero * sum;
  if (product.scaling && has_operand(spec, product.scaling->bias))
    start += parameter_at(spec, builder, product.scaling->bias, c);
  Func starts("starts");
  starts(c) = start;
  compute_once(starts, c, extents.channels(), builder.lanes());
  return starts;
}

Func channel_factors(const KernelSpec& spec, KernelBuilder& builder, const ByteProduct& product,
                     const PackedWeights& extents) {
  if (!product.scaling) return {};
  const ByteProduct::Scaling& at = *product.scaling;
  const Var c("c");
  Func factors("factors");
  factors(c) = Halide::strict_float(parameter_at(spec, builder, at.x_scale, 0) *
                                    parameter_at(spec, builder, at.w_scale, c) /
                                    parameter_at(spec, builder, at.y_scale, 0));
  compute_once(factors, c, extents.channels(), builder.lanes());
  return factors;
}

Expr integer_result(const KernelSpec& spec, KernelBuilder& builder, const ByteProduct& product,
                    const Expr& sum, const Func& factors, const Expr& c) {
  if (!product.scaling) return sum;
  const Expr zero = parameter_at(spec, builder, product.scaling->y_zero, 0);
  return saturated_to(zero.type(), Halide::cast<float>(sum) * factors(c), zero);
}

}  // namespace opbench
