#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "model/operators/elements/element_type.h"
#include "model/operators/elements/float32_run.h"

namespace opbench {
namespace {

using EmbedLayerNormViews = std::span<const TensorView>;

enum EmbedLayerNormInput : size_t {
  kWords,
  kSegments,
  kWordTable,
  kPositionTable,
  kSegmentTable,
  kGamma,
  kBeta,
  kEmbedLayerNormMask,
  kEmbedLayerNormPositions
};

enum EmbedLayerNormOutput : size_t { kResult, kMaskIndex, kEmbedLayerNormSum };

Result<void> check_tables(const OperatorCall& call) {
  if (has_input(call, kSegments) != has_input(call, kSegmentTable)) {
    return misfit(call, "segment_ids and segment_embedding go together");
  }
  const int64_t width = shape_of(call, kWordTable).back();
  for (const size_t i : {kWordTable, kPositionTable, kSegmentTable}) {
    if (!has_input(call, i)) continue;
    OPBENCH_CHECK(require_rank(call, i, 2, 2));
    if (shape_of(call, i)[1] == width) continue;
    return misfit(call,
                  fmt::format("table {} has no rows of {}", shape_text(shape_of(call, i)), width));
  }
  for (const size_t i : {kGamma, kBeta}) {
    if (shape_of(call, i) == Shape{width}) continue;
    return misfit(call, fmt::format("operand {} of shape {} does not fit rows of {}", i,
                                    shape_text(shape_of(call, i)), width));
  }
  return {};
}

/// The normalised sum of embeddings [batch, steps, width], the number of steps that the mask leaves
/// of every image, the sum itself.
Result<std::vector<TensorType>> infer_embed_layer_norm(const OperatorCall& call) {
  OPBENCH_CHECK(require_inputs(call, 1, 9));
  for (const size_t i : {kWordTable, kPositionTable, kGamma, kBeta}) {
    if (!has_input(call, i)) return misfit(call, fmt::format("operand {} is missing", i));
  }
  OPBENCH_CHECK(require_outputs(call, 3));
  OPBENCH_CHECK(require_rank(call, kWords, 2, 2));
  OPBENCH_CHECK(check_tables(call));
  const Shape& words = shape_of(call, kWords);
  for (const size_t i : {kWords, kSegments, kEmbedLayerNormMask, kEmbedLayerNormPositions}) {
    if (!has_input(call, i)) continue;
    const bool fits = shape_of(call, i) == words ||
                      (i == kEmbedLayerNormPositions && shape_of(call, i) == Shape{1, words[1]});
    if (fits && call.inputs[i]->data_type == DataType::kInt32) continue;
    return misfit(call, fmt::format("operand {} of type {}:{} does not fit {}:int32", i,
                                    shape_text(shape_of(call, i)),
                                    name_of(call.inputs[i]->data_type), shape_text(words)));
  }
  const TensorType result{call.inputs[kWordTable]->data_type,
                          {words[0], words[1], shape_of(call, kWordTable)[1]}};
  std::vector<TensorType> types{result, {DataType::kInt32, {words[0]}}, result};
  types.resize(std::clamp<size_t>(call.node->outputs.size(), 1, types.size()));
  return types;
}

/// Two sums, and 7 for the normalisation of each element.
double embed_layer_norm_flops(const OperatorCall&, const std::vector<TensorType>& outputs) {
  return 9.0 * static_cast<double>(outputs[0].size());
}

/// Adds row `index` of a table.
Result<void> add_row(const OperatorCall& call, const TensorView& table, int64_t index,
                     std::vector<float>& row) {
  if (index < 0 || index >= table.type.shape[0]) {
    return misfit(call, fmt::format("index {} is outside {} rows", index, table.type.shape[0]));
  }
  const float* from = table.as<float>().data() + index * std::ssize(row);
  for (size_t i = 0; i < row.size(); ++i) row[i] += from[i];
  return {};
}

void normalise_embed_layer_norm(const std::vector<float>& x, double epsilon, const float* gamma,
                                const float* beta, float* y) {
  const auto length = static_cast<double>(x.size());
  double mean = 0;
  for (const float value : x) mean += value / length;
  double squares = 0;
  for (const float value : x) squares += (value - mean) * (value - mean);
  const double factor = 1 / std::sqrt(squares / length + epsilon);
  for (size_t i = 0; i < x.size(); ++i) {
    y[i] = static_cast<float>((x[i] - mean) * factor * gamma[i] + beta[i]);
  }
}

/// Of every image the steps whose mask is 1; 0 without a mask.
void count_steps(const OperatorCall& call, EmbedLayerNormViews inputs, const TensorView& out) {
  const auto counts = out.as<int32_t>();
  std::ranges::fill(counts, 0);
  if (!has_input(call, kEmbedLayerNormMask)) return;
  const auto mask = inputs[kEmbedLayerNormMask].as<int32_t>();
  const size_t steps = mask.size() / std::max<size_t>(counts.size(), 1);
  for (size_t i = 0; i < mask.size(); ++i) counts[i / steps] += mask[i] == 1 ? 1 : 0;
}

Result<void> run_embed_layer_norm(const OperatorCall& call, EmbedLayerNormViews inputs,
                                  EmbedLayerNormViews outputs) {
  OPBENCH_CHECK(
      require_float32(call, inputs.subspan(kWordTable, kEmbedLayerNormMask - kWordTable)));
  const auto words = inputs[kWords].as<int32_t>();
  const auto width = static_cast<size_t>(shape_of(call, kWordTable)[1]);
  const auto steps = static_cast<size_t>(shape_of(call, kWords)[1]);
  const double epsilon = float_attribute(*call.node, "epsilon", 1e-12F);
  const auto has_output = [&](size_t i) { return i < outputs.size() && outputs[i].data; };
  for (size_t i = 0; i < words.size(); ++i) {
    std::vector<float> row(width);
    OPBENCH_CHECK(add_row(call, inputs[kWordTable], words[i], row));
    auto position = static_cast<int64_t>(i % steps);
    if (has_input(call, kEmbedLayerNormPositions)) {
      const auto positions = inputs[kEmbedLayerNormPositions].as<int32_t>();
      position = positions[i % positions.size()];
    }
    OPBENCH_CHECK(add_row(call, inputs[kPositionTable], position, row));
    if (has_input(call, kSegments)) {
      OPBENCH_CHECK(add_row(call, inputs[kSegmentTable], inputs[kSegments].as<int32_t>()[i], row));
    }
    if (has_output(kEmbedLayerNormSum)) {
      std::ranges::copy(row, outputs[kEmbedLayerNormSum].as<float>().data() + i * width);
    }
    if (!has_output(kResult)) continue;
    normalise_embed_layer_norm(row, epsilon, inputs[kGamma].as<float>().data(),
                               inputs[kBeta].as<float>().data(),
                               outputs[kResult].as<float>().data() + i * width);
  }
  if (has_output(kMaskIndex)) count_steps(call, inputs, outputs[kMaskIndex]);
  return {};
}

}  // namespace

OperatorDef embed_layer_norm_operator() {
  return {
      .name = "embed_layer_norm",
      .summary = "Sum of word, position and segment embeddings, normalised",
      .onnx_types = {"EmbedLayerNormalization"},
      .onnx_domain = "com.microsoft",
      .infer = infer_embed_layer_norm,
      .flops = embed_layer_norm_flops,
      .run = run_in_float32<run_embed_layer_norm>,
      .attributes = {{"epsilon", 1e-12F}},
  };
}

}  // namespace opbench
