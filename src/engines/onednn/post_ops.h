#pragma once

#include <string>
#include <vector>

#include "base/errors/failure.h"
#include "model/operators/workloads/workload.h"

namespace opbench {

enum class PostOpKind { kEltwise, kBinary, kSum };

/// A step that a primitive computes on its result before it is stored.
struct PostOp {
  PostOpKind kind = PostOpKind::kEltwise;
  std::string type;  ///< ONNX type, which names the function
  float alpha = 0;   ///< as oneDNN's eltwise algorithms define them
  float beta = 0;
  std::string operand;  ///< of kBinary and kSum: a value of the workload's graph
};

/// The steps after the first. An addend of the output's shape becomes a sum into the output, once
/// and only when `can_sum`. kUnsupported naming the step that oneDNN has no post-op for.
Outcome<std::vector<PostOp>> post_ops_of(const Workload& workload, bool can_sum);

}  // namespace opbench
