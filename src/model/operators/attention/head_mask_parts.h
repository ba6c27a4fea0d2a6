#pragma once

#include "model/operators/attention/attention_parts.h"
#include "model/operators/attention/head_mask.h"

namespace opbench {

/// What head_bias adds to the scores, as values of their own.
ScoreMask head_mask_parts(const OperatorCall& call, const HeadMask& mask, NodeParts& parts);

/// True if every operand but `index` is float32.
bool is_float_but(const OperatorCall& call, size_t index);

}  // namespace opbench
