#include "model/operators/quantised/blocked_weights.h"

#include <fmt/format.h>

#include <algorithm>

namespace opbench {
namespace {

Error blocked_weights_unfit(const OperatorCall& call, size_t index, const char* name,
                            int64_t elements) {
  return misfit(call, fmt::format("{} {} has not {} elements", name,
                                  shape_text(shape_of(call, index)), elements));
}

Result<void> require_elements(const OperatorCall& call, size_t index, const char* name,
                              int64_t elements) {
  if (!has_input(call, index) || call.inputs[index]->size() == elements) return {};
  return blocked_weights_unfit(call, index, name, elements);
}

bool is_packed(const OperatorCall& call, size_t index) {
  return call.inputs[index]->data_type == DataType::kUint8;
}

}  // namespace

Result<BlockedWeights> blocked_weights(const OperatorCall& call) {
  BlockedWeights w{.n = int_attribute(*call.node, "N", 0),
                   .k = int_attribute(*call.node, "K", 0),
                   .block = int_attribute(*call.node, "block_size", 0),
                   .bits = int_attribute(*call.node, "bits", 4)};
  const bool has_bits = w.bits == 2 || w.bits == 4 || w.bits == 8;
  const bool has_block = w.block >= 16 && (w.block & (w.block - 1)) == 0;
  constexpr int64_t kMost = int64_t{1} << 31;
  if (!has_bits || !has_block || w.n < 1 || w.k < 1 || w.n > kMost || w.k > kMost) {
    return misfit(call,
                  fmt::format("bits {}, block_size {}, N {} and K {} make no matrix (bits: 2, "
                              "4, 8; block_size: a power of two from 16 on)",
                              w.bits, w.block, w.n, w.k));
  }
  if (!is_packed(call, kBlockedWeights)) {
    return misfit(call, fmt::format("weights are {}, not uint8",
                                    name_of(call.inputs[kBlockedWeights]->data_type)));
  }
  OPBENCH_CHECK(require_elements(call, kBlockedWeights, "weights", w.n * w.row_bytes()));
  OPBENCH_CHECK(require_elements(call, kBlockedScales, "scales", w.n * w.blocks()));
  if (has_input(call, kBlockedZeroPoints)) {
    const int64_t row = is_packed(call, kBlockedZeroPoints) ? w.zero_point_bytes() : w.blocks();
    OPBENCH_CHECK(require_elements(call, kBlockedZeroPoints, "zero_points", w.n * row));
  }
  OPBENCH_CHECK(require_elements(call, kBlockedBias, "bias", w.n));
  return w;
}

void decode_row(const OperatorCall& call, const BlockedWeights& weights,
                std::span<const TensorView> inputs, int64_t n, std::span<float> row) {
  const uint8_t* integers = inputs[kBlockedWeights].as<uint8_t>().data() + n * weights.row_bytes();
  const float* scales = inputs[kBlockedScales].as<float>().data() + n * weights.blocks();
  const auto zero_point = [&](int64_t block) -> float {
    if (!has_input(call, kBlockedZeroPoints)) return static_cast<float>(weights.usual_zero_point());
    const TensorView& all = inputs[kBlockedZeroPoints];
    if (all.type.data_type != DataType::kUint8)
      return all.as<float>()[static_cast<size_t>(n * weights.blocks() + block)];
    return static_cast<float>(
        weights.unpacked(all.as<uint8_t>().data() + n * weights.zero_point_bytes(), block));
  };
  for (int64_t block = 0; block < weights.blocks(); ++block) {
    const int64_t first = block * weights.block;
    const float zero = zero_point(block);
    for (int64_t i = first; i < std::min(first + weights.block, weights.k); ++i) {
      row[static_cast<size_t>(i)] =
          (static_cast<float>(weights.unpacked(integers, i)) - zero) * scales[block];
    }
  }
}

}  // namespace opbench
