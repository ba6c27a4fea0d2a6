#include "model/zoo/sequence/zoo_sequence.h"
#include "model/zoo/zoo_models.h"

// BERT and RoBERTa, base configurations (Devlin et al. 2019, Liu et al. 2019), as their libraries
// run them when given `input_ids` alone: every word counts, one type of segment.

namespace opbench {
namespace {

constexpr int64_t kZooTransformersLength = 128;
constexpr int64_t kMostWords = 512;
constexpr int64_t kZooTransformersHidden = 768;
constexpr int64_t kZooTransformersHeads = 12;
constexpr int64_t kZooTransformersHeadWidth = kZooTransformersHidden / kZooTransformersHeads;
constexpr int64_t kZooTransformersIntermediate = 3072;
constexpr int kZooTransformersLayers = 12;

struct Configuration {
  int64_t words = 0;
  int64_t positions = 0;
  int64_t first_position = 0;
  int64_t segments = 0;
  float epsilon = 0;
};

/// The same rows for all of the batch: of the numbers `first`, `first + step`, …, one for each
/// word.
std::string fixed_embedding(ZooBuilder& b, const std::string& name, int64_t rows, int64_t first,
                            int64_t step) {
  std::vector<int64_t> numbers;
  for (int64_t i = 0; i < kMostWords; ++i) numbers.push_back(first + i * step);
  const std::string ids =
      slice_between(b, name + "_ids", b.integers(name + "_numbers", numbers), 0,
                    b.integers("first_word", {0}), "length", kZooTransformersLength);
  return embedding(b, name, ids, rows, kZooTransformersHidden);
}

std::string zoo_transformers_embeddings(ZooBuilder& b, const Configuration& c) {
  const std::string ids = word_ids(b, kZooTransformersLength);
  const std::string words = embedding(b, "words", ids, c.words, kZooTransformersHidden);
  extent(b, "length", ids, 1);
  const std::string segments = fixed_embedding(b, "segments", c.segments, 0, 0);
  const std::string positions = fixed_embedding(b, "positions", c.positions, c.first_position, 1);
  std::string x = binary(b, "Add", "words_segments", words, segments);
  x = binary(b, "Add", "embeddings", x, positions);
  return layer_norm(b, "embeddings_norm", x, c.epsilon);
}

std::string zoo_transformers_attention(ZooBuilder& b, const std::string& layer,
                                       const std::string& x) {
  const std::string query = linear(b, layer + "_query", x, {kZooTransformersHidden});
  const std::string key = linear(b, layer + "_key", x, {kZooTransformersHidden});
  const std::string value = linear(b, layer + "_value", x, {kZooTransformersHidden});
  // The heads' keys come transposed.
  const std::string keys = transpose(b, layer + "_key_transposed",
                                     reshape(b, layer + "_key_heads", key,
                                             {b.batch_size(), kZooTransformersLength,
                                              kZooTransformersHeads, kZooTransformersHeadWidth}),
                                     {0, 2, 3, 1});
  std::string y = matmul(b, layer + "_scores",
                         split_heads(b, layer + "_query", query, kZooTransformersHeads), keys);
  y = b.softmax(layer + "_probabilities", scale(b, layer + "_scaled", y, 0.125F), -1);
  y = matmul(b, layer + "_context", y,
             split_heads(b, layer + "_value", value, kZooTransformersHeads));
  return join_heads(b, layer + "_context", y);
}

std::string encoder_layer(ZooBuilder& b, const std::string& layer, const std::string& x,
                          float epsilon) {
  std::string y = linear(b, layer + "_output", zoo_transformers_attention(b, layer, x),
                         {kZooTransformersHidden});
  const std::string attended =
      layer_norm(b, layer + "_attention_norm", b.add(layer + "_attention_add", y, x), epsilon);
  y = gelu(b, layer + "_gelu", linear(b, layer + "_up", attended, {kZooTransformersIntermediate}));
  y = linear(b, layer + "_down", y, {kZooTransformersHidden});
  return layer_norm(b, layer + "_norm", b.add(layer + "_add", y, attended), epsilon);
}

std::string encoder(ZooBuilder& b, const Configuration& c) {
  std::string x = zoo_transformers_embeddings(b, c);
  for (int i = 0; i < kZooTransformersLayers; ++i) {
    x = encoder_layer(b, "layer" + std::to_string(i), x, c.epsilon);
  }
  b.also_output(x);
  const std::string pooled =
      b.dense("pooler", part(b, "first_word_state", x, 1, 0), kZooTransformersHidden);
  return unary(b, "Tanh", "pooler_output", pooled);
}

std::string bert(ZooBuilder& b) {
  return encoder(b, {.words = 30522, .positions = 512, .segments = 2, .epsilon = 1e-12F});
}

/// Positions count from the number of the padding word, 1, on.
std::string roberta(ZooBuilder& b) {
  return encoder(
      b, {.words = 50265, .positions = 514, .first_position = 2, .segments = 1, .epsilon = 1e-5F});
}

}  // namespace

std::vector<ZooModel> transformer_models() {
  return {
      {{"bert",
        "transformers",
        "BERT base, 128 words, states and pooled output",
        {sequence(kZooTransformersLength)}},
       bert},
      {{"roberta",
        "transformers",
        "RoBERTa base, 128 words, states and pooled output",
        {sequence(kZooTransformersLength)}},
       roberta},
  };
}

}  // namespace opbench
