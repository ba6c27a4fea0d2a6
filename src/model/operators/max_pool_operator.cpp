#include <algorithm>
#include <limits>

#include "model/operators/element_type.h"
#include "model/operators/pooling.h"

namespace opbench {
namespace {

template <class T>
void pool(const std::array<WindowAxis, 3>& axes, const TensorView& in, const TensorView& out) {
  const int64_t plane_size = axes[0].input * axes[1].input * axes[2].input;
  const T* x = static_cast<const T*>(in.data);
  T* y = static_cast<T*>(out.data);
  for_each_output(axes, in.type.shape[0] * in.type.shape[1],
                  [&](int64_t plane, int64_t flat, const PoolTaps& at) {
                    T best = std::numeric_limits<T>::lowest();
                    for_each_tap(axes, at, [&](int64_t offset) {
                      best = std::max(best, x[plane * plane_size + offset]);
                    });
                    y[flat] = best;
                  });
}

Result<void> run(const OperatorCall& call, std::span<const TensorView> inputs,
                 std::span<const TensorView> outputs) {
  OPBENCH_TRY(const Window window, pool_window(call));
  return with_element(call, inputs[0].type.data_type, [&](auto zero) {
    pool<decltype(zero)>(three_axes(window), inputs[0], outputs[0]);
  });
}

}  // namespace

OperatorDef max_pool_operator() {
  std::vector<AttributeDef> attributes = window_attributes();
  attributes.push_back({"ceil_mode", int64_t{0}});
  return {
      .name = "max_pool",
      .summary = "Largest element of a sliding window",
      .onnx_types = {"MaxPool"},
      .layout = LayoutRole::kBlocked,
      .infer = infer_pool,
      .flops = pool_flops,
      .run = run,
      .normal_form = normal_pool,
      .attributes = attributes,
  };
}

}  // namespace opbench
