#pragma once

#include "model/operators/modern_form/node_parts.h"

namespace opbench {

/// OperatorDef::take_apart of the operators of attention.
bool take_apart_attention(const OperatorCall& call, NodeParts& parts);
bool take_apart_multi_head(const OperatorCall& call, NodeParts& parts);
bool take_apart_packed(const OperatorCall& call, NodeParts& parts);
/// Of prompts, and of one step or one image with a cache (GroupQueryCache).
bool take_apart_group_query(const OperatorCall& call, NodeParts& parts);

}  // namespace opbench
