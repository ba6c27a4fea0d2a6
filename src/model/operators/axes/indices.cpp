#include "model/operators/axes/indices.h"

#include <fmt/format.h>

#include "model/operators/axes/strided.h"
#include "model/operators/elements/element_type.h"

namespace opbench {
namespace {

Result<int64_t> only_value(const OperatorCall& call, const Integers& values,
                           std::string_view what) {
  if (values.size() == 1) return values[0];
  return misfit(call, fmt::format("its {} has {} elements, not 1", what, values.size()));
}

}  // namespace

Result<int64_t> known_integer(const OperatorCall& call, size_t index, std::string_view what) {
  OPBENCH_TRY(const Integers values, known_integers(call, index, what));
  return only_value(call, values, what);
}

Result<double> known_number(const OperatorCall& call, size_t index, std::string_view what) {
  const Tensor* tensor = index < call.constants.size() ? call.constants[index] : nullptr;
  if (tensor == nullptr || tensor->type.size() != 1) {
    return misfit(call, fmt::format("its {} (operand {}) must be one number known before the run",
                                    what, index));
  }
  double value = 0;
  OPBENCH_CHECK(with_element(call, tensor->type.data_type, [&](auto zero) {
    value = static_cast<double>(tensor->as<decltype(zero)>()[0]);
  }));
  return value;
}

Result<TensorView> known_view(const OperatorCall& call, size_t index, std::string_view what) {
  const Tensor* tensor = index < call.constants.size() ? call.constants[index] : nullptr;
  if (tensor == nullptr) {
    return misfit(call,
                  fmt::format("its {} (operand {}) must be known before the run", what, index));
  }
  return TensorView{tensor->type, const_cast<std::byte*>(tensor->data.data())};
}

Result<Integers> index_values(const OperatorCall& call, const TensorView& view) {
  if (view.type.data_type == DataType::kInt64) {
    const auto values = view.as<int64_t>();
    return Integers(values.begin(), values.end());
  }
  if (view.type.data_type == DataType::kInt32) {
    const auto values = view.as<int32_t>();
    return Integers(values.begin(), values.end());
  }
  return misfit(call, fmt::format("indices are {}", name_of(view.type.data_type)));
}

Result<int64_t> index_value(const OperatorCall& call, const TensorView& view,
                            std::string_view what) {
  OPBENCH_TRY(const Integers values, index_values(call, view));
  return only_value(call, values, what);
}

Result<int64_t> index_within(const OperatorCall& call, int64_t index, int64_t extent) {
  if (index < -extent || index >= extent) {
    return misfit(call, fmt::format("index {} is outside extent {}", index, extent));
  }
  return index < 0 ? index + extent : index;
}

Result<Integers> indices_within(const OperatorCall& call, const TensorView& view, int64_t extent) {
  OPBENCH_TRY(Integers indices, index_values(call, view));
  for (int64_t& index : indices) {
    OPBENCH_TRY(index, index_within(call, index, extent));
  }
  return indices;
}

Result<int64_t> axis_of_elements(const OperatorCall& call) {
  const int64_t rank = rank_of(call, 0);
  OPBENCH_TRY(const int64_t axis, axis_of(call, int_attribute(*call.node, "axis", 0), rank));
  OPBENCH_CHECK(require_rank(call, 1, rank, rank));
  const Shape& data = shape_of(call, 0);
  const Shape& indices = shape_of(call, 1);
  for (size_t i = 0; i < data.size(); ++i) {
    if (static_cast<int64_t>(i) == axis || indices[i] <= data[i]) continue;
    return misfit(call, fmt::format("indices {} do not fit data {} along axis {}",
                                    shape_text(indices), shape_text(data), axis));
  }
  return axis;
}

Result<Integers> tuple_offsets(const OperatorCall& call, const TensorView& view, const Shape& shape,
                               int64_t skipped) {
  OPBENCH_TRY(const Integers values, index_values(call, view));
  const Integers strides = dense_strides(shape);
  const auto width = static_cast<size_t>(view.type.shape.back());
  const auto first = static_cast<size_t>(skipped);
  const int64_t count = element_count({view.type.shape.begin(), view.type.shape.end() - 1});
  Integers offsets(static_cast<size_t>(count), 0);
  for (size_t i = 0; i < offsets.size(); ++i) {
    for (size_t d = 0; d < width; ++d) {
      const int64_t wanted = values[i * width + d];
      OPBENCH_TRY(const int64_t at, index_within(call, wanted, shape[first + d]));
      offsets[i] += at * strides[first + d];
    }
  }
  return offsets;
}

}  // namespace opbench
