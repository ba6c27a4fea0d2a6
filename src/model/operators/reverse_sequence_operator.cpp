#include <fmt/format.h>

#include <algorithm>

#include "model/operators/axes/indices.h"
#include "model/operators/elements/element_type.h"

namespace opbench {
namespace {

int64_t batch_axis(const OperatorCall& call) { return int_attribute(*call.node, "batch_axis", 1); }
int64_t time_axis(const OperatorCall& call) { return int_attribute(*call.node, "time_axis", 0); }

Result<std::vector<TensorType>> infer_reverse_sequence(const OperatorCall& call) {
  OPBENCH_CHECK(require_inputs(call, 2, 2));
  if (rank_of(call, 0) < 2) {
    return misfit(call, fmt::format("operand 0 has rank {}, needs 2 or more", rank_of(call, 0)));
  }
  const int64_t batch = batch_axis(call);
  const int64_t time = time_axis(call);
  if (batch < 0 || time < 0 || batch + time != 1) {
    return misfit(call, fmt::format("batch_axis {} and time_axis {} are not 0 and 1 or 1 and 0",
                                    batch, time));
  }
  if (const Shape lengths{shape_of(call, 0)[batch]}; lengths != shape_of(call, 1)) {
    return misfit(call, fmt::format("lengths {} are not {}", shape_text(shape_of(call, 1)),
                                    shape_text(lengths)));
  }
  return same_as_first(call);
}

Result<Integers> reverse_sequence_lengths_of(const OperatorCall& call, const TensorView& view,
                                             int64_t extent) {
  OPBENCH_TRY(const Integers lengths, index_values(call, view));
  for (const int64_t length : lengths) {
    if (length < 0 || length > extent) {
      return misfit(call, fmt::format("length {} is not within {} steps", length, extent));
    }
  }
  return lengths;
}

Result<void> run_reverse_sequence(const OperatorCall& call, std::span<const TensorView> inputs,
                                  std::span<const TensorView> outputs) {
  const Shape& shape = inputs[0].type.shape;
  const bool is_time_first = time_axis(call) == 0;
  const int64_t steps = shape[is_time_first ? 0 : 1];
  const int64_t batches = shape[is_time_first ? 1 : 0];
  OPBENCH_TRY(const Integers lengths, reverse_sequence_lengths_of(call, inputs[1], steps));
  const int64_t part = element_count({shape.begin() + 2, shape.end()});
  const int64_t step_stride = is_time_first ? batches * part : part;
  const int64_t batch_stride = is_time_first ? part : steps * part;
  return with_width(call, inputs[0].type.data_type, [&](auto zero) {
    using T = decltype(zero);
    const T* x = static_cast<const T*>(inputs[0].data);
    T* y = static_cast<T*>(outputs[0].data);
    for (int64_t b = 0; b < batches; ++b) {
      const int64_t length = lengths[b];
      for (int64_t t = 0; t < steps; ++t) {
        const int64_t from = t < length ? length - 1 - t : t;
        const T* source = x + b * batch_stride + from * step_stride;
        std::copy(source, source + part, y + b * batch_stride + t * step_stride);
      }
    }
  });
}

}  // namespace

OperatorDef reverse_sequence_operator() {
  return {
      .name = "reverse_sequence",
      .summary = "Sequences of several lengths reversed, each within its length",
      .onnx_types = {"ReverseSequence"},
      .infer = infer_reverse_sequence,
      .flops = no_flops,
      .run = run_reverse_sequence,
      .attributes = {{"batch_axis", int64_t{1}}, {"time_axis", int64_t{0}}},
      .parameters = {1},
  };
}

}  // namespace opbench
