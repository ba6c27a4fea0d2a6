#include "model/zoo/sequence/zoo_cache.h"
#include "model/zoo/sequence/zoo_sequence.h"
#include "model/zoo/zoo_models.h"

// GPT-2, the smallest configuration (Radford et al. 2019), without the language-model head, as its
// library runs it: pre-normalised, one projection to queries, keys and values, and the keys and
// values of all layers as inputs and outputs.

namespace opbench {
namespace {

constexpr int64_t kZooGpt2Words = 50257;
constexpr int64_t kZooGpt2Positions = 1024;
constexpr int64_t kZooGpt2Hidden = 768;
constexpr int64_t kZooGpt2Heads = 12;
constexpr int64_t kZooGpt2HeadWidth = kZooGpt2Hidden / kZooGpt2Heads;
constexpr int64_t kZooGpt2Layers = 12;
constexpr float kZooGpt2Epsilon = 1e-5F;

/// x (1 + tanh(sqrt(2 / pi) (x + 0.044715 x³))) / 2 (Hendrycks and Gimpel 2016), in eight nodes.
std::string gelu_by_tanh(ZooBuilder& b, const std::string& name, const std::string& x) {
  std::string y = binary(b, "Pow", name + "_cube", x, b.constant("gelu_three", 3.0F));
  y = binary(b, "Mul", name + "_cube_part", y, b.constant("gelu_part", 0.044715F));
  y = binary(b, "Add", name + "_sum", x, y);
  y = binary(b, "Mul", name + "_scaled", y, b.constant("gelu_root", 0.7978845608F));
  y = binary(b, "Add", name + "_gate", unary(b, "Tanh", name + "_tanh", y),
             b.constant("gelu_one", 1.0F));
  const std::string half = binary(b, "Mul", name + "_half", x, b.constant("gelu_half", 0.5F));
  return binary(b, "Mul", name, half, y);
}

std::string zoo_gpt2_attention(ZooBuilder& b, const std::string& layer, const std::string& x,
                               KeyValueCache& cache, const std::string& mask) {
  const std::string joint = linear(b, layer + "_attn", x, {3 * kZooGpt2Hidden, true, 1.0F});
  std::vector<std::string> parts;
  for (const char* name : {"_query", "_key", "_value"}) {
    const auto i = static_cast<int64_t>(parts.size());
    parts.push_back(slice(b, layer + name, joint, 2, i * kZooGpt2Hidden, (i + 1) * kZooGpt2Hidden));
    parts.back() = split_heads(b, layer + name, parts.back(), kZooGpt2Heads);
  }
  const auto [keys, values] = cache.append(b, parts[1], parts[2]);
  std::string y = matmul(b, layer + "_scores", parts[0],
                         transpose(b, layer + "_keys_transposed", keys, {0, 1, 3, 2}));
  y = binary(b, "Div", layer + "_scaled", y, b.constant("score_scale", 8.0F));
  y = b.node("Where", layer + "_masked", {mask, y, b.constant("lowest", -3.4028235e38F)}, {},
             b.shape_of(y));
  y = b.softmax(layer + "_probabilities", y, -1);
  y = join_heads(b, layer + "_context", matmul(b, layer + "_context", y, values));
  return linear(b, layer + "_attn_output", y, {kZooGpt2Hidden, true, 1.0F});
}

std::string gpt2_of(ZooBuilder& b, int64_t length, int64_t past) {
  const std::string ids = word_ids(b, length);
  KeyValueCache cache(b, ids, {kZooGpt2Layers, kZooGpt2Heads, kZooGpt2HeadWidth, past});
  std::vector<int64_t> numbers;
  for (int64_t i = 0; i < kZooGpt2Positions; ++i) numbers.push_back(i);
  const std::string positions =
      cache.of_new_words(b, "position_ids", b.integers("position_numbers", numbers), 0);
  std::string x =
      binary(b, "Add", "embeddings", embedding(b, "words", ids, kZooGpt2Words, kZooGpt2Hidden),
             embedding(b, "positions", positions, kZooGpt2Positions, kZooGpt2Hidden));
  const std::string mask = cache.causal_mask(b, kZooGpt2Positions);
  for (int64_t i = 0; i < kZooGpt2Layers; ++i) {
    const std::string layer = "layer" + std::to_string(i);
    const std::string normed = layer_norm(b, layer + "_norm1", x, kZooGpt2Epsilon);
    x = b.add(layer + "_attn_add", zoo_gpt2_attention(b, layer, normed, cache, mask), x);
    std::string y = layer_norm(b, layer + "_norm2", x, kZooGpt2Epsilon);
    y = gelu_by_tanh(b, layer + "_gelu",
                     linear(b, layer + "_up", y, {4 * kZooGpt2Hidden, true, 1.0F}));
    x = b.add(layer + "_add", linear(b, layer + "_down", y, {kZooGpt2Hidden}), x);
  }
  return layer_norm(b, "last_hidden_state", x, kZooGpt2Epsilon);
}

constexpr int64_t kZooGpt2Length = 128;

std::string gpt2(ZooBuilder& b) { return gpt2_of(b, kZooGpt2Length, 0); }
std::string gpt2_decode(ZooBuilder& b) { return gpt2_of(b, 1, kZooGpt2Length); }

}  // namespace

std::vector<ZooModel> gpt2_models() {
  return {
      {{"gpt2", "transformers", "GPT-2 small without its language-model head, 128 words",
        KeyValueCache::dimensions(kZooGpt2Length, 0)},
       gpt2},
      {{"gpt2-decode", "transformers", "GPT-2 small, one word after 128",
        KeyValueCache::dimensions(1, kZooGpt2Length)},
       gpt2_decode},
  };
}

}  // namespace opbench
