#pragma once

#include "model/operators/windows/window.h"

namespace opbench {

/// What max and average pools share: one input, the window its attributes ask for.
Result<Window> pool_window(const OperatorCall& call);
/// The pooled values; and the indices of a MaxPool that has a second output.
Result<std::vector<TensorType>> infer_pool(const OperatorCall& call);

/// One operation for every element of a window that is not padding.
double pool_flops(const OperatorCall& call, const std::vector<TensorType>& outputs);

/// The window with kernel_shape. An output count that only `ceil_mode` explains stays explained:
/// the attribute is kept when floor division would give fewer outputs.
Attributes normal_pool(const OperatorCall& call);

/// The taps of one output along each axis, and where they read.
struct PoolTaps {
  std::array<std::array<int64_t, 2>, 3> taps;
  std::array<int64_t, 3> output;
};

/// Calls `f(plane, flat output index, taps)` for every output of every plane.
template <class F>
void for_each_output(const std::array<WindowAxis, 3>& axes, int64_t planes, F&& f) {
  int64_t flat = 0;
  for (int64_t plane = 0; plane < planes; ++plane) {
    for (int64_t z = 0; z < axes[0].output; ++z) {
      for (int64_t y = 0; y < axes[1].output; ++y) {
        for (int64_t x = 0; x < axes[2].output; ++x, ++flat) {
          f(plane, flat, PoolTaps{{axes[0].taps(z), axes[1].taps(y), axes[2].taps(x)}, {z, y, x}});
        }
      }
    }
  }
}

/// Calls `f(offset inside the plane)` for every tap that is not padding.
template <class F>
void for_each_tap(const std::array<WindowAxis, 3>& axes, const PoolTaps& at, F&& f) {
  const auto& [az, ay, ax] = axes;
  for (int64_t z = at.taps[0][0]; z < at.taps[0][1]; ++z) {
    for (int64_t y = at.taps[1][0]; y < at.taps[1][1]; ++y) {
      const int64_t row = az.position(at.output[0], z) * ay.input + ay.position(at.output[1], y);
      for (int64_t x = at.taps[2][0]; x < at.taps[2][1]; ++x) {
        f(row * ax.input + ax.position(at.output[2], x));
      }
    }
  }
}

}  // namespace opbench
