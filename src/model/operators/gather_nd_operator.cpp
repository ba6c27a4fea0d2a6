#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "model/operators/axes/indices.h"

namespace opbench {
namespace {

int64_t batch_dims(const OperatorCall& call) { return int_attribute(*call.node, "batch_dims", 0); }

/// How many dimensions lead both operands, and how many of the data's an index tuple picks from.
Result<void> check_ranks(const OperatorCall& call) {
  const Shape& data = shape_of(call, 0);
  const Shape& indices = shape_of(call, 1);
  const int64_t batch = batch_dims(call);
  if (batch < 0 || batch >= std::min(rank_of(call, 0), rank_of(call, 1))) {
    return misfit(call, fmt::format("batch_dims {} does not fit {} and {}", batch, shape_text(data),
                                    shape_text(indices)));
  }
  if (!std::equal(data.begin(), data.begin() + batch, indices.begin())) {
    return misfit(call, fmt::format("{} and {} differ in the first {} dimensions", shape_text(data),
                                    shape_text(indices), batch));
  }
  const int64_t most = rank_of(call, 0) - batch;
  if (indices.back() < 1 || indices.back() > most) {
    return misfit(call, fmt::format("tuples of {} indices, needs 1 to {}", indices.back(), most));
  }
  return {};
}

/// [batch…, rest of the indices' shape, rest of the data's shape].
Result<std::vector<TensorType>> infer_gather_nd(const OperatorCall& call) {
  OPBENCH_CHECK(require_inputs(call, 2, 2));
  OPBENCH_CHECK(check_ranks(call));
  const Shape& data = shape_of(call, 0);
  const Shape& indices = shape_of(call, 1);
  Shape shape(indices.begin(), indices.end() - 1);
  shape.insert(shape.end(), data.begin() + batch_dims(call) + indices.back(), data.end());
  return std::vector<TensorType>{{call.inputs[0]->data_type, shape}};
}

Result<void> run_gather_nd(const OperatorCall& call, std::span<const TensorView> inputs,
                           std::span<const TensorView> outputs) {
  const Shape& shape = inputs[0].type.shape;
  const int64_t batch = batch_dims(call);
  OPBENCH_TRY(const Integers offsets, tuple_offsets(call, inputs[1], shape, batch));
  const size_t width = size_of(inputs[0].type.data_type);
  const int64_t picked = batch + inputs[1].type.shape.back();
  const auto part =
      static_cast<size_t>(element_count({shape.begin() + picked, shape.end()})) * width;
  const int64_t batches = element_count({shape.begin(), shape.begin() + batch});
  const auto batch_bytes =
      static_cast<size_t>(element_count({shape.begin() + batch, shape.end()})) * width;
  if (part == 0 || offsets.empty()) return {};
  const size_t tuples = offsets.size() / static_cast<size_t>(batches);
  const auto* in = static_cast<const std::byte*>(inputs[0].data);
  auto* out = static_cast<std::byte*>(outputs[0].data);
  for (size_t i = 0; i < offsets.size(); ++i) {
    const size_t from = i / tuples * batch_bytes + static_cast<size_t>(offsets[i]) * width;
    std::memcpy(out + i * part, in + from, part);
  }
  return {};
}

}  // namespace

OperatorDef gather_nd_operator() {
  return {
      .name = "gather_nd",
      .summary = "Parts of a tensor, each picked by a tuple of indices",
      .onnx_types = {"GatherND"},
      .infer = infer_gather_nd,
      .flops = no_flops,
      .run = run_gather_nd,
      .attributes = {{"batch_dims", int64_t{0}}},
  };
}

}  // namespace opbench
