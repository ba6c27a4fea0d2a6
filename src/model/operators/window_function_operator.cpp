#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "model/operators/elements/element_number.h"
#include "model/operators/elements/element_type.h"

namespace opbench {
namespace {

/// A window as a sum of cosines: a - b cos(t) + c cos(2 t), with t from 0 to 2 pi.
struct WindowRow {
  const char* type;
  double a, b, c;
};

const WindowRow& window_function_row_of(const OperatorCall& call) {
  static constexpr std::array kRows = {
      WindowRow{"BlackmanWindow", 0.42, 0.5, 0.08},
      WindowRow{"HammingWindow", 25.0 / 46, 21.0 / 46, 0},
      WindowRow{"HannWindow", 0.5, 0.5, 0},
  };
  return *std::ranges::find_if(kRows,
                               [&](const WindowRow& row) { return row.type == call.node->type; });
}

Result<std::vector<TensorType>> infer_window_function(const OperatorCall& call) {
  OPBENCH_CHECK(require_inputs(call, 1, 1));
  OPBENCH_CHECK(require_outputs(call, 1));
  OPBENCH_TRY(const Integers size, known_integers(call, 0, "size"));
  if (size.size() != 1) return misfit(call, fmt::format("has {} sizes, needs 1", size.size()));
  if (size[0] < 0) return misfit(call, fmt::format("size {} is below 0", size[0]));
  OPBENCH_TRY(const DataType type, type_attribute(call, "output_datatype", 1));
  return std::vector<TensorType>{{type, {size[0]}}};
}

/// A periodic window leaves out the last element of a symmetric one that is longer by 1. A
/// symmetric window of one element is 1; the formula has none.
Result<void> run_window_function(const OperatorCall& call, std::span<const TensorView>,
                                 std::span<const TensorView> outputs) {
  const WindowRow& row = window_function_row_of(call);
  const bool is_periodic = int_attribute(*call.node, "periodic", 1) != 0;
  const auto steps = static_cast<double>(outputs[0].type.size() - (is_periodic ? 0 : 1));
  return with_element(call, outputs[0].type.data_type, [&](auto zero) {
    using T = decltype(zero);
    const auto y = outputs[0].as<T>();
    for (size_t i = 0; i < y.size(); ++i) {
      const double t = 2 * std::numbers::pi * static_cast<double>(i) / steps;
      const double value = row.a - row.b * std::cos(t) + row.c * std::cos(2 * t);
      y[i] = static_cast<T>(steps == 0 ? 1.0 : value);
    }
  });
}

/// Two cosines, products and sums for each result.
double window_function_flops(const OperatorCall&, const std::vector<TensorType>& outputs) {
  return 6.0 * static_cast<double>(outputs[0].size());
}

}  // namespace

/// https://onnx.ai/onnx/operators/onnx__HannWindow.html, onnx__HammingWindow.html and
/// onnx__BlackmanWindow.html
OperatorDef window_function_operator() {
  return {
      .name = "window_function",
      .summary = "Weights that fall off to both ends of a piece of a signal",
      .onnx_types = {"HannWindow", "HammingWindow", "BlackmanWindow"},
      .infer = infer_window_function,
      .flops = window_function_flops,
      .run = run_window_function,
      .attributes = {{"output_datatype", int64_t{1}}, {"periodic", int64_t{1}}},
      .parameters = {0},
  };
}

}  // namespace opbench
