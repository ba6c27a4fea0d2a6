#include <algorithm>
#include <vector>

#include "model/operators/elements/element_type.h"
#include "model/operators/elements/float32_run.h"
#include "model/operators/products/matrix_product.h"
#include "model/operators/quantised/blocked_weights.h"

namespace opbench {
namespace {

/// A[…, k] times the transposed weights. Rows of the weights are never out of order: `g_idx` is of
/// no use for the product of their blocks.
Result<std::vector<TensorType>> infer_matmul_nbits(const OperatorCall& call) {
  OPBENCH_CHECK(require_inputs(call, 3, 6));
  OPBENCH_TRY(const BlockedWeights w, blocked_weights(call));
  if (has_input(call, kBlockedGroups)) return misfit(call, "g_idx is not supported");
  Shape shape = shape_of(call, kBlockedData);
  if (shape.empty() || shape.back() != w.k) {
    return misfit(call,
                  "operand " + shape_text(shape) + " does not end in K " + std::to_string(w.k));
  }
  shape.back() = w.n;
  return std::vector<TensorType>{{call.inputs[kBlockedData]->data_type, shape}};
}

double matmul_nbits_flops(const OperatorCall& call, const std::vector<TensorType>& outputs) {
  const auto w = blocked_weights(call);
  const double bias = has_input(call, kBlockedBias) ? 1 : 0;
  return w ? static_cast<double>(outputs[0].size()) * (2.0 * static_cast<double>(w->k) + bias) : 0;
}

/// The weights are decoded a row at a time.
Result<void> run_matmul_nbits(const OperatorCall& call, std::span<const TensorView> inputs,
                              std::span<const TensorView> outputs) {
  OPBENCH_CHECK(require_float32(call, inputs.first(1)));
  OPBENCH_CHECK(require_float32(call, inputs.subspan(kBlockedScales, 1)));
  OPBENCH_TRY(const BlockedWeights w, blocked_weights(call));
  const float* a = inputs[kBlockedData].as<float>().data();
  const auto y = outputs[0].as<float>();
  const int64_t rows = std::ssize(y) / w.n;
  std::vector<float> row(static_cast<size_t>(w.k));
  for (int64_t n = 0; n < w.n; ++n) {
    decode_row(call, w, inputs, n, row);
    matrix_product({a, w.k, 1}, {row.data(), 1, 1}, y.data() + n, w.n, rows, 1, w.k);
  }
  if (!has_input(call, kBlockedBias)) return {};
  const auto bias = inputs[kBlockedBias].as<float>();
  for (size_t i = 0; i < y.size(); ++i) y[i] += bias[i % bias.size()];
  return {};
}

}  // namespace

OperatorDef matmul_nbits_operator() {
  return {
      .name = "matmul_nbits",
      .summary = "Matrix product with weights of 2, 4 or 8 bits in blocks with a scale each",
      .onnx_types = {"MatMulNBits"},
      .onnx_domain = "com.microsoft",
      .fusion = FusionRole::kAnchor,
      .infer = infer_matmul_nbits,
      .flops = matmul_nbits_flops,
      .run = run_in_float32<run_matmul_nbits>,
      .attributes = {{"K", int64_t{0}},
                     {"N", int64_t{0}},
                     {"bits", int64_t{4}},
                     {"block_size", int64_t{0}}},
  };
}

}  // namespace opbench
