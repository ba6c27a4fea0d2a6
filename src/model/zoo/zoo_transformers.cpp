#include "model/zoo/zoo_models.h"

// BERT and RoBERTa, base configurations (Devlin et al. 2019, Liu et al. 2019), as their libraries
// run them when given `input_ids` alone: every word counts, one type of segment.

namespace opbench {
namespace {

constexpr int64_t kLength = 128;
constexpr int64_t kHidden = 768;
constexpr int64_t kHeads = 12;
constexpr int64_t kHeadWidth = kHidden / kHeads;
constexpr int64_t kIntermediate = 3072;
constexpr int kLayers = 12;

struct Configuration {
  int64_t words = 0;
  int64_t positions = 0;
  int64_t first_position = 0;
  int64_t segments = 0;
  float epsilon = 0;
};

std::string embeddings(ZooBuilder& b, const Configuration& c) {
  const std::string words = b.embedding("words", b.word_ids(kLength), c.words, kHidden);
  const std::string segments = b.fixed_embedding("segments", c.segments, kHidden, 0, 0, kLength);
  const std::string positions =
      b.fixed_embedding("positions", c.positions, kHidden, c.first_position, 1, kLength);
  std::string x = b.add_broadcast("words_segments", words, segments);
  x = b.add_broadcast("embeddings", x, positions);
  return b.layer_norm("embeddings_norm", x, c.epsilon);
}

/// N x T x hidden to N x heads x T x width, the last two exchanged if asked.
std::string heads(ZooBuilder& b, const std::string& name, const std::string& x,
                  bool is_transposed) {
  const std::string y =
      b.reshape(name + "_heads", x, {b.batch_size(), kLength, kHeads, kHeadWidth});
  const std::vector<int64_t> order =
      is_transposed ? std::vector<int64_t>{0, 2, 3, 1} : std::vector<int64_t>{0, 2, 1, 3};
  return b.transpose(name + "_transposed", y, order);
}

std::string attention(ZooBuilder& b, const std::string& layer, const std::string& x) {
  const std::string query = b.linear(layer + "_query", x, kHidden);
  const std::string key = b.linear(layer + "_key", x, kHidden);
  const std::string value = b.linear(layer + "_value", x, kHidden);
  std::string y = b.matmul(layer + "_scores", heads(b, layer + "_query", query, false),
                           heads(b, layer + "_key", key, true));
  y = b.softmax(layer + "_probabilities", b.scale(layer + "_scaled", y, 0.125F), -1);
  y = b.matmul(layer + "_context", y, heads(b, layer + "_value", value, false));
  y = b.transpose(layer + "_context_transposed", y, {0, 2, 1, 3});
  return b.reshape(layer + "_context_joined", y, {b.batch_size(), kLength, kHidden});
}

std::string encoder_layer(ZooBuilder& b, const std::string& layer, const std::string& x,
                          float epsilon) {
  std::string y = b.linear(layer + "_output", attention(b, layer, x), kHidden);
  const std::string attended =
      b.layer_norm(layer + "_attention_norm", b.add(layer + "_attention_add", y, x), epsilon);
  y = b.gelu(layer + "_gelu", b.linear(layer + "_up", attended, kIntermediate));
  y = b.linear(layer + "_down", y, kHidden);
  return b.layer_norm(layer + "_norm", b.add(layer + "_add", y, attended), epsilon);
}

std::string encoder(ZooBuilder& b, const Configuration& c) {
  std::string x = embeddings(b, c);
  for (int i = 0; i < kLayers; ++i) {
    x = encoder_layer(b, "layer" + std::to_string(i), x, c.epsilon);
  }
  b.also_output(x);
  const std::string pooled = b.dense("pooler", b.part("first_word", x, 1, 0), kHidden);
  return b.tanh("pooler_output", pooled);
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
      {{"bert", "transformers", "BERT base, 128 words, states and pooled output"}, bert},
      {{"roberta", "transformers", "RoBERTa base, 128 words, states and pooled output"}, roberta},
  };
}

}  // namespace opbench
