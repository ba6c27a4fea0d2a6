#include <algorithm>
#include <limits>

#include "model/operators/elements/element_type.h"
#include "model/operators/windows/pooling.h"

namespace opbench {
namespace {

/// Where an element lies when the last of its spatial axes changes slowest (storage_order 1).
int64_t column_major(const std::array<WindowAxis, 3>& axes, int64_t offset) {
  const auto& [az, ay, ax] = axes;
  const int64_t x = offset % ax.input;
  const int64_t y = offset / ax.input % ay.input;
  const int64_t z = offset / ax.input / ay.input;
  return (x * ay.input + y) * az.input + z;
}

/// The first largest element of every window; the lowest value and index -1 where all of it is
/// padding.
template <class T>
void pool(const std::array<WindowAxis, 3>& axes, bool by_columns, const TensorView& in,
          std::span<const TensorView> outputs) {
  const int64_t plane_size = axes[0].input * axes[1].input * axes[2].input;
  const T* x = static_cast<const T*>(in.data);
  T* y = static_cast<T*>(outputs[0].data);
  auto* indices = outputs.size() > 1 ? static_cast<int64_t*>(outputs[1].data) : nullptr;
  for_each_output(axes, in.type.shape[0] * in.type.shape[1],
                  [&](int64_t plane, int64_t flat, const PoolTaps& at) {
                    T best = std::numeric_limits<T>::lowest();
                    int64_t from = -1;
                    for_each_tap(axes, at, [&](int64_t offset) {
                      const T value = x[plane * plane_size + offset];
                      if (from >= 0 && !(value > best)) return;
                      best = value;
                      from = offset;
                    });
                    if (y != nullptr) y[flat] = best;
                    if (indices == nullptr) return;
                    if (by_columns && from >= 0) from = column_major(axes, from);
                    indices[flat] = from < 0 ? -1 : plane * plane_size + from;
                  });
}

Result<void> run_max_pool(const OperatorCall& call, std::span<const TensorView> inputs,
                          std::span<const TensorView> outputs) {
  OPBENCH_TRY(const Window window, pool_window(call));
  const bool by_columns = int_attribute(*call.node, "storage_order", 0) != 0;
  return with_element(call, inputs[0].type.data_type, [&](auto zero) {
    pool<decltype(zero)>(three_axes(window), by_columns, inputs[0], outputs);
  });
}

/// The order of the elements decides about the indices alone.
Attributes max_pool_normal_form(const OperatorCall& call) {
  Attributes result = normal_pool(call);
  const bool by_columns = int_attribute(*call.node, "storage_order", 0) != 0;
  if (by_columns && call.node->outputs.size() > 1) result["storage_order"] = int64_t{1};
  return result;
}

}  // namespace

OperatorDef max_pool_operator() {
  std::vector<AttributeDef> attributes = window_attributes();
  attributes.push_back({"ceil_mode", int64_t{0}});
  attributes.push_back({"storage_order", int64_t{0}});
  return {
      .name = "max_pool",
      .summary = "Largest element of a sliding window",
      .onnx_types = {"MaxPool"},
      .layout = LayoutRole::kBlocked,
      .infer = infer_pool,
      .flops = pool_flops,
      .run = run_max_pool,
      .normal_form = max_pool_normal_form,
      .attributes = attributes,
  };
}

}  // namespace opbench
