#pragma once

#include <string_view>

#include "model/operators/operand.h"

namespace opbench {

/// The only element of an integer input, which must be known before the run.
Result<int64_t> known_integer(const OperatorCall& call, size_t index, std::string_view what);

/// The only element of an input of any type, which must be known before the run; exact for
/// integers up to 2^53.
Result<double> known_number(const OperatorCall& call, size_t index, std::string_view what);

/// An input that must be known before the run. Its elements must only be read.
Result<TensorView> known_view(const OperatorCall& call, size_t index, std::string_view what);

/// All elements of an int32 or int64 tensor. `kInvalidInput` for other types.
Result<Integers> index_values(const OperatorCall& call, const TensorView& view);

/// The only element of an int32 or int64 tensor; errors call it `what`.
Result<int64_t> index_value(const OperatorCall& call, const TensorView& view,
                            std::string_view what);

/// Counted from the front. `kInvalidInput` unless -extent <= index < extent.
Result<int64_t> index_within(const OperatorCall& call, int64_t index, int64_t extent);

/// All elements of an int32 or int64 tensor, each as `index_within` says.
Result<Integers> indices_within(const OperatorCall& call, const TensorView& view, int64_t extent);

/// GatherElements and ScatterElements: the axis, counted from the front. `kInvalidInput` unless
/// indices (operand 1) have the rank of the data (operand 0), and are no larger except along it.
Result<int64_t> axis_of_elements(const OperatorCall& call);

/// GatherND and ScatterND: `view` holds indices [..., n] into dimensions `skipped` …
/// `skipped` + n - 1 of `shape`. For every tuple of n, the flat offset of the part it picks, inside
/// the part of `shape` that the skipped dimensions pick.
Result<Integers> tuple_offsets(const OperatorCall& call, const TensorView& view, const Shape& shape,
                               int64_t skipped);

}  // namespace opbench
