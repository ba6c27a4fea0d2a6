#include "model/operators/elements/float32_run.h"

#include <algorithm>

#include "base/tensors/half.h"

namespace opbench {
namespace {

bool is_narrow(const TensorView& view) {
  return view.type.data_type == DataType::kFloat16 || view.type.data_type == DataType::kBFloat16;
}

template <class From, class To>
void convert(const TensorView& from, const TensorView& to) {
  std::ranges::transform(from.as<From>(), to.as<To>().begin(),
                         [](From value) { return static_cast<To>(value); });
}

void widen(const TensorView& from, const TensorView& to) {
  if (from.type.data_type == DataType::kFloat16) convert<Float16, float>(from, to);
  if (from.type.data_type == DataType::kBFloat16) convert<BFloat16, float>(from, to);
}

void narrow(const TensorView& from, const TensorView& to) {
  if (to.type.data_type == DataType::kFloat16) convert<float, Float16>(from, to);
  if (to.type.data_type == DataType::kBFloat16) convert<float, BFloat16>(from, to);
}

}  // namespace

bool has_narrow_floats(std::span<const TensorView> inputs, std::span<const TensorView> outputs) {
  return std::ranges::any_of(inputs, is_narrow) || std::ranges::any_of(outputs, is_narrow);
}

Float32Call::Float32Call(const OperatorCall& call, std::span<const TensorView> inputs,
                         std::span<const TensorView> outputs)
    : call_(call), narrow_outputs_(outputs) {
  for (size_t i = 0; i < inputs.size(); ++i) {
    inputs_.push_back(widened(inputs[i], true));
    if (i >= call_.inputs.size() || call_.inputs[i] == nullptr || !is_narrow(inputs[i])) continue;
    call_.inputs[i] = types_.emplace_back(std::make_unique<TensorType>(inputs_[i].type)).get();
    if (call_.constants[i] != nullptr) call_.constants[i] = copies_.back().get();
  }
  for (const TensorView& output : outputs) outputs_.push_back(widened(output, false));
}

TensorView Float32Call::widened(const TensorView& view, bool is_input) {
  if (!is_narrow(view) || view.data == nullptr) return view;
  const TensorType type{DataType::kFloat32, view.type.shape};
  Tensor& copy = *copies_.emplace_back(std::make_unique<Tensor>(Tensor::empty(type)));
  const TensorView wide{type, copy.data.data()};
  if (is_input) widen(view, wide);
  return wide;
}

void Float32Call::store_results() const {
  for (size_t i = 0; i < outputs_.size(); ++i) {
    if (outputs_[i].data != nullptr) narrow(outputs_[i], narrow_outputs_[i]);
  }
}

}  // namespace opbench
