#pragma once

#include <memory>
#include <span>
#include <vector>

#include "model/operators/operator.h"

namespace opbench {

/// Tensors of one call, the 16-bit floats among them as float32 copies.
class Float32Call {
 public:
  Float32Call(const OperatorCall& call, std::span<const TensorView> inputs,
              std::span<const TensorView> outputs);

  const OperatorCall& call() const { return call_; }
  std::span<const TensorView> inputs() const { return inputs_; }
  std::span<const TensorView> outputs() const { return outputs_; }

  /// Rounds the float32 results back to the types of the call's outputs.
  void store_results() const;

 private:
  TensorView widened(const TensorView& view, bool is_input);

  OperatorCall call_;
  std::vector<TensorView> inputs_, outputs_;
  std::span<const TensorView> narrow_outputs_;
  std::vector<std::unique_ptr<Tensor>> copies_;
  std::vector<std::unique_ptr<TensorType>> types_;
};

/// True if a tensor of the call is float16 or bfloat16.
bool has_narrow_floats(std::span<const TensorView> inputs, std::span<const TensorView> outputs);

/// A reference for float32 that takes 16-bit floats too: it computes on them in float32 and rounds
/// the results once.
template <auto Run>
Result<void> run_in_float32(const OperatorCall& call, std::span<const TensorView> inputs,
                            std::span<const TensorView> outputs) {
  if (!has_narrow_floats(inputs, outputs)) return Run(call, inputs, outputs);
  const Float32Call wide(call, inputs, outputs);
  OPBENCH_CHECK(Run(wide.call(), wide.inputs(), wide.outputs()));
  wide.store_results();
  return {};
}

}  // namespace opbench
