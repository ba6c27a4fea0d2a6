#include <fmt/format.h>

#include <type_traits>

#include "model/operators/einsum/einsum_equation.h"
#include "model/operators/elements/element_type.h"

namespace opbench {
namespace {

Result<std::vector<TensorType>> infer_einsum(const OperatorCall& call) {
  OPBENCH_CHECK(require_inputs(call, std::max<size_t>(call.inputs.size(), 1), call.inputs.size()));
  OPBENCH_CHECK(require_outputs(call, 1));
  const DataType type = call.inputs[0]->data_type;
  for (size_t i = 1; i < call.inputs.size(); ++i) {
    if (call.inputs[i]->data_type == type) continue;
    return misfit(call, fmt::format("operand {} is {}, the first {}", i,
                                    name_of(call.inputs[i]->data_type), name_of(type)));
  }
  OPBENCH_TRY(const EinsumLoops loops, einsum_loops(call));
  return std::vector<TensorType>{{type, loops.result}};
}

/// A multiply for every operand but the first at every point of the loops, and an add where there
/// is a sum.
double einsum_flops(const OperatorCall& call, const std::vector<TensorType>&) {
  const auto loops = einsum_loops(call);
  if (!loops) return 0;
  const double multiplies = static_cast<double>(call.inputs.size()) - 1;
  const double adds = loops->summed.empty() ? 0 : 1;
  return (multiplies + adds) * static_cast<double>(element_count(loops->all()));
}

/// A position in loops over several dense tensors at once.
class Position {
 public:
  Position(Shape extents, const std::vector<Integers>& strides)
      : extents_(std::move(extents)),
        strides_(strides),
        index_(extents_.size(), 0),
        offsets_(strides.size(), 0) {}

  const Integers& offsets() const { return offsets_; }

  /// To the next point, the last loop running fastest.
  void advance() {
    for (size_t d = extents_.size(); d-- > 0;) {
      const bool carries = ++index_[d] == extents_[d];
      for (size_t n = 0; n < offsets_.size(); ++n) {
        offsets_[n] += strides_[n][d] - (carries ? extents_[d] * strides_[n][d] : 0);
      }
      if (!carries) return;
      index_[d] = 0;
    }
  }

 private:
  Shape extents_;
  const std::vector<Integers>& strides_;
  Integers index_;
  Integers offsets_;
};

/// Integers are multiplied and added modulo 2^64, reals in double.
template <class T>
using EinsumSum = std::conditional_t<is_real_v<T>, double, uint64_t>;

template <class T>
void contract(const EinsumLoops& loops, std::span<const TensorView> inputs, std::span<T> y) {
  const int64_t terms = element_count(loops.summed);
  Position at(loops.all(), loops.strides);
  for (T& result : y) {
    EinsumSum<T> sum = 0;
    for (int64_t i = 0; i < terms; ++i) {
      EinsumSum<T> product = 1;
      for (size_t n = 0; n < inputs.size(); ++n) {
        product *=
            static_cast<EinsumSum<T>>(static_cast<const T*>(inputs[n].data)[at.offsets()[n]]);
      }
      sum += product;
      at.advance();
    }
    result = static_cast<T>(sum);
  }
}

Result<void> run_einsum(const OperatorCall& call, std::span<const TensorView> inputs,
                        std::span<const TensorView> outputs) {
  OPBENCH_TRY(const EinsumLoops loops, einsum_loops(call));
  return with_element(call, inputs[0].type.data_type,
                      [&](auto zero) { contract(loops, inputs, outputs[0].as<decltype(zero)>()); });
}

Attributes einsum_normal_form(const OperatorCall& call) {
  return {{"equation", explicit_equation(string_attribute(*call.node, "equation", ""))}};
}

}  // namespace

/// https://onnx.ai/onnx/operators/onnx__Einsum.html
OperatorDef einsum_operator() {
  return {
      .name = "einsum",
      .summary = "Sums of products over named dimensions",
      .onnx_types = {"Einsum"},
      .infer = infer_einsum,
      .flops = einsum_flops,
      .run = run_einsum,
      .normal_form = einsum_normal_form,
      .attributes = {{"equation", std::string()}},
  };
}

}  // namespace opbench
