#pragma once

#include "model/operators/node_parts.h"

namespace opbench {

/// OperatorDef::take_apart of the operators of attention.
bool take_apart_attention(const OperatorCall& call, NodeParts& parts);
bool take_apart_multi_head(const OperatorCall& call, NodeParts& parts);
bool take_apart_packed(const OperatorCall& call, NodeParts& parts);
/// Of prompts alone: where a cache comes in, only the run tells how much of it is filled.
bool take_apart_group_query(const OperatorCall& call, NodeParts& parts);

}  // namespace opbench
