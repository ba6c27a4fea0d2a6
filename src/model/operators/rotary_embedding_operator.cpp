#include <fmt/format.h>

#include "model/operators/attention/head_layout.h"
#include "model/operators/attention/rotary_pairs.h"
#include "model/operators/elements/element_type.h"
#include "model/operators/elements/float32_run.h"

namespace opbench {
namespace {

enum RotaryEmbeddingInput : size_t {
  kRotaryEmbeddingData,
  kRotaryEmbeddingCosines,
  kRotaryEmbeddingSines,
  kRotaryEmbeddingPositions
};

/// The heads, and how many elements of each turn; the others stay.
struct Heads : HeadLayout {
  int64_t rotated = 0;
};

Result<Heads> rotary_embedding_heads_of(const OperatorCall& call) {
  OPBENCH_TRY(const HeadLayout layout, head_layout(call, kRotaryEmbeddingData, "num_heads"));
  Heads h{layout, int_attribute(*call.node, "rotary_embedding_dim", 0)};
  if (h.rotated == 0) h.rotated = h.size;
  if (h.rotated < 0 || h.rotated > h.size || h.rotated % 2 != 0) {
    return misfit(
        call, fmt::format("{} elements of a head of {} do not turn in pairs", h.rotated, h.size));
  }
  return h;
}

/// Caches are [positions, rotated / 2], or [batch, steps, rotated / 2] without positions.
Result<std::vector<TensorType>> infer_rotary_embedding(const OperatorCall& call) {
  OPBENCH_CHECK(require_inputs(call, 3, 4));
  OPBENCH_TRY(const Heads h, rotary_embedding_heads_of(call));
  const bool has_positions = has_input(call, kRotaryEmbeddingPositions);
  Shape cache{h.batch, h.steps, h.rotated / 2};
  if (has_positions && rank_of(call, kRotaryEmbeddingCosines) == 2) {
    cache = {shape_of(call, kRotaryEmbeddingCosines)[0], h.rotated / 2};
  }
  if (shape_of(call, kRotaryEmbeddingCosines) != cache ||
      shape_of(call, kRotaryEmbeddingSines) != cache || cache.size() != (has_positions ? 2 : 3)) {
    return misfit(call, fmt::format("caches {} and {} do not fit input {}",
                                    shape_text(shape_of(call, kRotaryEmbeddingCosines)),
                                    shape_text(shape_of(call, kRotaryEmbeddingSines)),
                                    shape_text(shape_of(call, kRotaryEmbeddingData))));
  }
  if (has_positions && shape_of(call, kRotaryEmbeddingPositions) != Shape{h.batch, h.steps}) {
    return misfit(
        call, fmt::format("positions {} are not {}x{}",
                          shape_text(shape_of(call, kRotaryEmbeddingPositions)), h.batch, h.steps));
  }
  return same_as_first(call);
}

/// Four products, a sum and a difference for each pair.
double rotary_embedding_flops(const OperatorCall& call, const std::vector<TensorType>&) {
  const auto h = rotary_embedding_heads_of(call);
  return h ? 3.0 * static_cast<double>(h->batch * h->steps * h->heads * h->rotated) : 0;
}

/// The row of the caches for every image and step.
Result<Integers> rows_of(const OperatorCall& call, std::span<const TensorView> inputs,
                         const Heads& h) {
  Integers rows;
  if (!has_input(call, kRotaryEmbeddingPositions)) {
    for (int64_t i = 0; i < h.batch * h.steps; ++i) rows.push_back(i);
    return rows;
  }
  if (inputs[kRotaryEmbeddingPositions].type.data_type != DataType::kInt64) {
    return misfit(call, fmt::format("positions are {}",
                                    name_of(inputs[kRotaryEmbeddingPositions].type.data_type)));
  }
  const int64_t extent = inputs[kRotaryEmbeddingCosines].type.shape[0];
  for (const int64_t position : inputs[kRotaryEmbeddingPositions].as<int64_t>()) {
    if (position < 0 || position >= extent) {
      return misfit(call, fmt::format("position {} is outside {} rows", position, extent));
    }
    rows.push_back(position);
  }
  return rows;
}

Result<void> run_rotary_embedding(const OperatorCall& call, std::span<const TensorView> inputs,
                                  std::span<const TensorView> outputs) {
  OPBENCH_CHECK(require_float32(call, inputs.first(kRotaryEmbeddingPositions)));
  OPBENCH_TRY(const Heads h, rotary_embedding_heads_of(call));
  OPBENCH_TRY(const Integers rows, rows_of(call, inputs, h));
  const RotaryPairs pairs{h.size, h.rotated, int_attribute(*call.node, "interleaved", 0) != 0};
  const float* x = inputs[kRotaryEmbeddingData].as<float>().data();
  float* y = outputs[0].as<float>().data();
  for (int64_t i = 0; i < h.batch * h.steps; ++i) {
    const int64_t cache = rows[static_cast<size_t>(i)] * (h.rotated / 2);
    for (int64_t head = 0; head < h.heads; ++head) {
      const int64_t at = h.offset(i / h.steps, head, i % h.steps);
      pairs.turn(inputs[kRotaryEmbeddingCosines].as<float>().data() + cache,
                 inputs[kRotaryEmbeddingSines].as<float>().data() + cache, x + at, y + at);
    }
  }
  return {};
}

/// The rotated part goes where it is the whole head, the heads go where the shape has them.
Attributes rotary_embedding_normal_form(const OperatorCall& call) {
  Attributes result;
  const auto h = rotary_embedding_heads_of(call);
  if (!h) return result;
  if (int_attribute(*call.node, "interleaved", 0) != 0) result["interleaved"] = int64_t{1};
  if (h->is_flat) result["num_heads"] = h->heads;
  if (h->rotated != h->size) result["rotary_embedding_dim"] = h->rotated;
  return result;
}

int64_t rotary_embedding_least_opset(const Node&) { return 23; }

}  // namespace

OperatorDef rotary_embedding_operator() {
  return {
      .name = "rotary_embedding",
      .summary = "Pairs of elements of every head turned by angles of their position",
      .onnx_types = {"RotaryEmbedding"},
      .infer = infer_rotary_embedding,
      .flops = rotary_embedding_flops,
      .run = run_in_float32<run_rotary_embedding>,
      .normal_form = rotary_embedding_normal_form,
      .attributes = {{"interleaved", int64_t{0}},
                     {"num_heads", int64_t{0}},
                     {"rotary_embedding_dim", int64_t{0}}},
      .domains = {{"RotaryEmbedding", kRotaryEmbeddingPositions, {0, 1}}},
      .least_opset = rotary_embedding_least_opset,
  };
}

}  // namespace opbench
