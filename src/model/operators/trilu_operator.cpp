#include <fmt/format.h>

#include <algorithm>

#include "model/operators/axes/indices.h"
#include "model/operators/elements/element_type.h"

namespace opbench {
namespace {

Result<std::vector<TensorType>> infer_trilu(const OperatorCall& call) {
  OPBENCH_CHECK(require_inputs(call, 1, 2));
  if (rank_of(call, 0) < 2) {
    return misfit(call, fmt::format("operand 0 has rank {}, needs 2 or more", rank_of(call, 0)));
  }
  return same_as_first(call);
}

Result<void> run_trilu(const OperatorCall& call, std::span<const TensorView> inputs,
                       std::span<const TensorView> outputs) {
  int64_t diagonal = 0;
  if (has_input(call, 1)) {
    OPBENCH_TRY(diagonal, index_value(call, inputs[1], "k"));
  }
  const bool is_upper = int_attribute(*call.node, "upper", 1) != 0;
  const Shape& shape = inputs[0].type.shape;
  const int64_t rows = shape[shape.size() - 2];
  const int64_t columns = shape.back();
  return with_width(call, inputs[0].type.data_type, [&](auto zero) {
    using T = decltype(zero);
    const auto x = inputs[0].as<T>();
    const auto y = outputs[0].as<T>();
    std::ranges::copy(x, y.begin());
    for (int64_t row = 0; columns > 0 && row < std::ssize(y) / columns; ++row) {
      T* to = y.data() + row * columns;
      const int64_t middle = row % rows + diagonal;  // column of the diagonal
      const int64_t split = std::clamp<int64_t>(is_upper ? middle : middle + 1, 0, columns);
      std::fill(is_upper ? to : to + split, is_upper ? to + split : to + columns, T{0});
    }
  });
}

}  // namespace

OperatorDef trilu_operator() {
  return {
      .name = "trilu",
      .summary = "The upper or lower triangle of matrices, zeros elsewhere",
      .onnx_types = {"Trilu"},
      .infer = infer_trilu,
      .flops = no_flops,
      .run = run_trilu,
      .attributes = {{"upper", int64_t{1}}},
      .parameters = {1},
  };
}

}  // namespace opbench
