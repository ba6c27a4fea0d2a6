#pragma once

#include "model/operators/attention/head_layout.h"
#include "model/operators/attention/head_mask.h"

namespace opbench {

/// The operands of com.microsoft Attention.
enum PackedInput : size_t {
  kPackedInput,
  kPackedWeights,
  kPackedBias,
  kPackedPadding,
  kPackedPast,
  kPackedScoreBias
};

/// What a com.microsoft Attention node computes: its input times one matrix makes rows of queries,
/// keys and values.
struct PackedRequest {
  HeadLayout key;      ///< flat; of queries too
  HeadLayout value;    ///< flat
  int64_t hidden = 0;  ///< elements of a step of the input
  int64_t past = 0;
  double scale = 1;
  HeadMask mask;

  int64_t total() const { return past + key.steps; }
  int64_t columns() const { return key.heads * (2 * key.size + value.size); }
};

/// The request of a call. `kInvalidInput` when operands or attributes do not fit together.
Result<PackedRequest> packed_request(const OperatorCall& call);

}  // namespace opbench
