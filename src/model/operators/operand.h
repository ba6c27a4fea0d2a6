#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/operators/operator.h"

namespace opbench {

using Integers = std::vector<int64_t>;

/// Why a call cannot be: `Conv "conv1": <reason>`, kInvalidInput.
Error misfit(const OperatorCall& call, const std::string& reason);

bool has_input(const OperatorCall& call, size_t index);
const Shape& shape_of(const OperatorCall& call, size_t index);
int64_t rank_of(const OperatorCall& call, size_t index);

/// `kInvalidInput` unless inputs 0 … least-1 are there and there are at most `most`.
Result<void> require_inputs(const OperatorCall& call, size_t least, size_t most);
Result<void> require_rank(const OperatorCall& call, size_t index, int64_t least, int64_t most);

/// `kInvalidInput` when the node asks for more than `most` outputs by name.
Result<void> require_outputs(const OperatorCall& call, size_t most);

/// `kInvalidInput` with the known values unless the string attribute is one of them.
Result<std::string> choice_attribute(const OperatorCall& call, const std::string& name,
                                     const std::string& otherwise,
                                     const std::vector<std::string>& known);

/// Counted from the front. `kInvalidInput` unless -rank <= axis < rank.
Result<int64_t> axis_of(const OperatorCall& call, int64_t axis, int64_t rank);

/// The elements of an integer input, which must be known before the run.
Result<Integers> known_integers(const OperatorCall& call, size_t index, std::string_view what);

/// The elements of a float input, which must be known before the run.
Result<std::vector<float>> known_floats(const OperatorCall& call, size_t index,
                                        std::string_view what);

/// A list that is input `index` in newer opsets and attribute `name` in older ones; nothing when
/// the node has neither.
Result<std::optional<Integers>> integers_of(const OperatorCall& call, const std::string& name,
                                            size_t index);

/// The first input's type as the only output.
Result<std::vector<TensorType>> same_as_first(const OperatorCall& call);

/// 1 operation a result element.
double one_per_result(const OperatorCall& call, const std::vector<TensorType>& outputs);
double no_flops(const OperatorCall& call, const std::vector<TensorType>& outputs);

/// A one-dimensional int64 tensor.
Tensor integer_tensor(const Integers& values);
/// A float32 scalar.
Tensor float_scalar(float value);

/// Makes `value` the constant input `index` of `node`, filling skipped positions with omitted ones.
void set_constant_input(Node& node, size_t index, Tensor value,
                        std::map<std::string, Tensor>& constants);

/// For modern forms: input `index` becomes the list attribute `name` of older opsets, if it is
/// there.
void move_to_input(const OperatorCall& call, Node& node, const std::string& name, size_t index,
                   std::map<std::string, Tensor>& constants);

}  // namespace opbench
