#pragma once

#include <optional>
#include <string>

namespace opbench {

/// One primitive as a line of oneDNN's verbose log names it.
struct OnednnProblem {
  std::string primitive;   ///< convolution, matmul, …
  std::string prop_kind;   ///< forward_inference, …
  std::string memory;      ///< src_f32::blocked:acdb::f0 wei_f32::…
  std::string attributes;  ///< attr-post-ops:eltwise_relu …
  std::string auxiliary;   ///< alg:convolution_direct
  std::string problem;     ///< mb1_ic3oc64_ih224oh112kh7sh2dh0ph3_iw…
};

/// The workload in OpBench's words, as `op` takes it: convolutions, inner products, products of two
/// matrices, poolings, softmax, elementwise and binary operators of float32, forward, with at most
/// one elementwise post-op. Nothing for all others.
std::optional<std::string> workload_of_onednn(const OnednnProblem& problem);

}  // namespace opbench
