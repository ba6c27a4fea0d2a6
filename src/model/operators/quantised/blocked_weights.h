#pragma once

#include <cstdint>
#include <span>

#include "model/operators/operand.h"

namespace opbench {

/// The operands of com.microsoft MatMulNBits.
enum BlockedInput : size_t {
  kBlockedData,
  kBlockedWeights,
  kBlockedScales,
  kBlockedZeroPoints,
  kBlockedGroups,
  kBlockedBias
};

/// A matrix [n, k] of integers of a few bits: rows lie in blocks of `block` along k, each with a
/// scale and a zero point of its own. The first of the integers in a byte has its lowest bits.
struct BlockedWeights {
  int64_t n = 0, k = 0, block = 0, bits = 4;

  int64_t blocks() const { return (k + block - 1) / block; }
  int64_t block_bytes() const { return block * bits / 8; }
  int64_t row_bytes() const { return blocks() * block_bytes(); }
  /// Of the zero points of a row, which are packed alike.
  int64_t zero_point_bytes() const { return (blocks() * bits + 7) / 8; }
  /// Without zero points: the integer that stands for 0.
  int usual_zero_point() const { return 1 << (bits - 1); }

  /// Integer `at` of those that begin at `bytes`.
  int unpacked(const uint8_t* bytes, int64_t at) const {
    const int64_t bit = at * bits;
    return bytes[bit / 8] >> (bit % 8) & ((1 << bits) - 1);
  }
};

/// The weights of a call. `kInvalidInput` when operands or attributes do not fit together.
Result<BlockedWeights> blocked_weights(const OperatorCall& call);

/// Row `n` as numbers: (integer - zero point) scale. `inputs` as the call's.
void decode_row(const OperatorCall& call, const BlockedWeights& weights,
                std::span<const TensorView> inputs, int64_t n, std::span<float> row);

}  // namespace opbench
