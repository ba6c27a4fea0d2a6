#include <fmt/format.h>

#include <utility>

#include "model/operators/attention/head_layout.h"
#include "model/operators/attention/rotary_pairs.h"
#include "model/operators/elements/element_type.h"
#include "model/operators/elements/float32_run.h"
#include "model/operators/modern_form/node_parts.h"

namespace opbench {
namespace {

enum MicrosoftRotaryInput : size_t {
  kMicrosoftRotaryData,
  kMicrosoftRotaryPositions,
  kMicrosoftRotaryCosines,
  kMicrosoftRotarySines
};

struct MicrosoftRotaryRequest {
  HeadLayout heads;
  RotaryPairs pairs;
  int64_t positions = 0;  ///< that the caches know
};

/// Heads without a count are as long as the caches turn.
Result<MicrosoftRotaryRequest> request_of(const OperatorCall& call) {
  OPBENCH_CHECK(require_rank(call, kMicrosoftRotaryData, 3, 4));
  OPBENCH_CHECK(require_rank(call, kMicrosoftRotaryCosines, 2, 2));
  const Shape& x = shape_of(call, kMicrosoftRotaryData);
  const Shape& cache = shape_of(call, kMicrosoftRotaryCosines);
  const int64_t rotated = 2 * cache[1];
  const int64_t count = int_attribute(*call.node, "num_heads", 0);
  MicrosoftRotaryRequest r;
  if (x.size() == 4) {
    r.heads = {x[0], x[1], x[2], x[3], false};
  } else {
    const int64_t size = count > 0 ? x[2] / count : rotated;
    if (size < 1 || x[2] % size != 0) {
      return misfit(call, fmt::format("heads of {} do not divide the last extent of {}", size,
                                      shape_text(x)));
    }
    r.heads = {x[0], x[2] / size, x[1], size, true};
  }
  const int64_t wanted = int_attribute(*call.node, "rotary_embedding_dim", 0);
  const bool fits = shape_of(call, kMicrosoftRotarySines) == cache && rotated <= r.heads.size &&
                    rotated == (wanted > 0 ? wanted : r.heads.size);
  if (!fits) {
    return misfit(call,
                  fmt::format("caches {} and {} do not fit heads of {}", shape_text(cache),
                              shape_text(shape_of(call, kMicrosoftRotarySines)), r.heads.size));
  }
  r.pairs = {r.heads.size, rotated, int_attribute(*call.node, "interleaved", 0) != 0};
  r.positions = cache[0];
  return r;
}

Result<std::vector<TensorType>> infer_microsoft_rotary(const OperatorCall& call) {
  OPBENCH_CHECK(require_inputs(call, 4, 4));
  OPBENCH_TRY(const MicrosoftRotaryRequest r, request_of(call));
  const Shape& positions = shape_of(call, kMicrosoftRotaryPositions);
  const bool fits = call.inputs[kMicrosoftRotaryPositions]->data_type == DataType::kInt64 &&
                    (positions == Shape{1} || positions == Shape{r.heads.batch, r.heads.steps});
  if (!fits) {
    return misfit(call, fmt::format("position_ids {}:{} are not 1:int64 or {}x{}:int64",
                                    shape_text(positions),
                                    name_of(call.inputs[kMicrosoftRotaryPositions]->data_type),
                                    r.heads.batch, r.heads.steps));
  }
  if (int_attribute(*call.node, "is_packed_batching", 0) != 0) {
    return misfit(call, "is_packed_batching is not known");
  }
  return same_as_first(call);
}

/// Four products, a sum and a difference for each pair.
double microsoft_rotary_flops(const OperatorCall& call, const std::vector<TensorType>&) {
  const auto r = request_of(call);
  if (!r) return 0;
  const HeadLayout& h = r->heads;
  return 3.0 * static_cast<double>(h.batch * h.steps * h.heads * r->pairs.rotated);
}

/// One position is that of the first step.
Result<void> run_microsoft_rotary(const OperatorCall& call, std::span<const TensorView> inputs,
                                  std::span<const TensorView> outputs) {
  for (const size_t i : {kMicrosoftRotaryData, kMicrosoftRotaryCosines, kMicrosoftRotarySines}) {
    OPBENCH_CHECK(require_float32(call, inputs.subspan(i, 1)));
  }
  OPBENCH_TRY(const MicrosoftRotaryRequest r, request_of(call));
  const HeadLayout& h = r.heads;
  const auto given = inputs[kMicrosoftRotaryPositions].as<int64_t>();
  const bool is_first = inputs[kMicrosoftRotaryPositions].type.shape.size() == 1;
  const float* x = inputs[kMicrosoftRotaryData].as<float>().data();
  float* y = outputs[0].as<float>().data();
  for (int64_t i = 0; i < h.batch * h.steps; ++i) {
    const int64_t position = is_first ? given[0] + i % h.steps : given[static_cast<size_t>(i)];
    if (position < 0 || position >= r.positions) {
      return misfit(call, fmt::format("position {} is outside {} rows", position, r.positions));
    }
    const int64_t cache = position * (r.pairs.rotated / 2);
    for (int64_t head = 0; head < h.heads; ++head) {
      const int64_t at = h.offset(i / h.steps, head, i % h.steps);
      r.pairs.turn(inputs[kMicrosoftRotaryCosines].as<float>().data() + cache,
                   inputs[kMicrosoftRotarySines].as<float>().data() + cache, x + at, y + at);
    }
  }
  return {};
}

/// ONNX's operator with the rows of the caches that the positions name.
bool microsoft_rotary_take_apart(const OperatorCall& call, NodeParts& parts) {
  const auto r = request_of(call);
  if (!r || call.inputs[kMicrosoftRotaryData]->data_type != DataType::kFloat32 ||
      call.inputs[0]->size() == 0)
    return false;
  const HeadLayout& h = r->heads;
  std::string positions = parts.operand(kMicrosoftRotaryPositions);
  if (shape_of(call, kMicrosoftRotaryPositions).size() == 1) {  // that of the first step
    Tensor steps = Tensor::empty({DataType::kInt64, {h.batch, h.steps}});
    for (int64_t i = 0; i < h.batch * h.steps; ++i)
      steps.as<int64_t>()[static_cast<size_t>(i)] = i % h.steps;
    positions = parts.add("positions", "Add",
                          {positions, parts.constant("positions/steps", std::move(steps))});
  }
  const auto rows = [&](const std::string& part, size_t cache) {
    return parts.add(part, "Gather", {parts.operand(cache), positions}, {{"axis", int64_t{0}}});
  };
  Attributes attributes{{"num_heads", h.heads}, {"rotary_embedding_dim", r->pairs.rotated}};
  if (r->pairs.is_interleaved) attributes["interleaved"] = int64_t{1};
  const std::string cosines = rows("cosines", kMicrosoftRotaryCosines),
                    sines = rows("sines", kMicrosoftRotarySines);
  parts.add("rotated", "RotaryEmbedding", {parts.operand(kMicrosoftRotaryData), cosines, sines},
            std::move(attributes), parts.result(0));
  return true;
}

}  // namespace

OperatorDef microsoft_rotary_operator() {
  return {
      .name = "microsoft_rotary",
      .summary = "Pairs of elements of every head turned by angles of their position",
      .onnx_types = {"RotaryEmbedding"},
      .onnx_domain = "com.microsoft",
      .infer = infer_microsoft_rotary,
      .flops = microsoft_rotary_flops,
      .run = run_in_float32<run_microsoft_rotary>,
      .attributes = {{"interleaved", int64_t{0}},
                     {"is_packed_batching", int64_t{0}},
                     {"num_heads", int64_t{0}},
                     {"rotary_embedding_dim", int64_t{0}}},
      .take_apart = microsoft_rotary_take_apart,
  };
}

}  // namespace opbench
