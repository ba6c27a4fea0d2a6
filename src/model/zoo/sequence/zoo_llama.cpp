#include <cmath>

#include "model/zoo/sequence/zoo_cache.h"
#include "model/zoo/sequence/zoo_sequence.h"
#include "model/zoo/zoo_models.h"

// A small decoder of the form of Llama 2 and 3 (Touvron et al. 2023): root-mean-square norms,
// rotary positions, four query heads for each key head, SwiGLU, no biases, language-model head.

namespace opbench {
namespace {

constexpr int64_t kZooLlamaWords = 32000;
constexpr int64_t kZooLlamaPositions = 1024;
constexpr int64_t kZooLlamaHidden = 1024;
constexpr int64_t kZooLlamaHeads = 16;
constexpr int64_t kKeyHeads = 4;
constexpr int64_t kZooLlamaWidth = kZooLlamaHidden / kZooLlamaHeads;
constexpr int64_t kZooLlamaIntermediate = 2816;
constexpr int64_t kZooLlamaLayers = 6;
constexpr float kZooLlamaEpsilon = 1e-5F;

std::string zoo_llama_product(ZooBuilder& b, const std::string& name, const std::string& x,
                              int64_t units) {
  return linear(b, name, x, {.units = units, .bias = false, .gain = 1});
}

/// Cosine or sine of position / 10000^(2 i / width), for both halves of a head (Su et al. 2021).
std::string rotation_table(ZooBuilder& b, const std::string& name, double (*function)(double)) {
  Tensor table = Tensor::empty({DataType::kFloat32, {kZooLlamaPositions, kZooLlamaWidth}});
  const std::span<float> values = table.as<float>();
  for (int64_t i = 0; i < kZooLlamaPositions * kZooLlamaWidth; ++i) {
    const auto pair = static_cast<double>(i % kZooLlamaWidth % (kZooLlamaWidth / 2));
    const double angle = static_cast<double>(i / kZooLlamaWidth) *
                         std::pow(10000.0, -2.0 * pair / static_cast<double>(kZooLlamaWidth));
    values[static_cast<size_t>(i)] = static_cast<float>(function(angle));
  }
  return b.constant(name, std::move(table));
}

/// For the positions of the new words.
struct Rotation {
  std::string cosines;
  std::string sines;
};

std::string rotated(ZooBuilder& b, const std::string& name, const std::string& x,
                    const Rotation& rotation) {
  const std::string low = slice(b, name + "_low", x, 3, 0, kZooLlamaWidth / 2);
  const std::string high = slice(b, name + "_high", x, 3, kZooLlamaWidth / 2, kZooLlamaWidth);
  const std::string turned =
      concat(b, name + "_turned", {unary(b, "Neg", name + "_negative", high), low}, 3);
  return binary(b, "Add", name + "_rotated",
                binary(b, "Mul", name + "_cosine", x, rotation.cosines),
                binary(b, "Mul", name + "_sine", turned, rotation.sines));
}

/// Every key head for as many query heads as share it.
std::string repeated(ZooBuilder& b, const std::string& name, const std::string& x) {
  constexpr int64_t kShare = kZooLlamaHeads / kKeyHeads;
  Shape shape = b.shape_of(x);
  shape.insert(shape.begin() + 2, 1);
  std::string y =
      b.node("Unsqueeze", name + "_single", {x, b.integers("repeated_axis", {2})}, {}, shape);
  shape[2] = kShare;
  y = b.node("Expand", name + "_expanded", {y, b.integers("repeated_shape", {1, 1, kShare, 1, 1})},
             {}, shape);
  const std::string joined =
      b.integers("repeated_joined", {b.batch_size(), kZooLlamaHeads, -1, kZooLlamaWidth});
  return b.node("Reshape", name + "_repeated", {y, joined}, {},
                {b.batch_size(), kZooLlamaHeads, shape[3], kZooLlamaWidth});
}

struct Decoder {
  KeyValueCache cache;
  Rotation rotation;
  std::string mask;  ///< added to the scores
};

std::string zoo_llama_attention(ZooBuilder& b, const std::string& layer, const std::string& x,
                                Decoder& d) {
  const auto heads = [&](const char* name, int64_t count) {
    return split_heads(b, layer + name,
                       zoo_llama_product(b, layer + name, x, count * kZooLlamaWidth), count);
  };
  const std::string query =
      rotated(b, layer + "_query", heads("_query", kZooLlamaHeads), d.rotation);
  const std::string key = rotated(b, layer + "_key", heads("_key", kKeyHeads), d.rotation);
  const auto [keys, values] = d.cache.append(b, key, heads("_value", kKeyHeads));
  std::string y =
      transpose(b, layer + "_keys_transposed", repeated(b, layer + "_keys", keys), {0, 1, 3, 2});
  y = scale(b, layer + "_scaled", matmul(b, layer + "_scores", query, y), 0.125F);
  y = b.softmax(layer + "_probabilities", binary(b, "Add", layer + "_masked", y, d.mask), -1);
  y = matmul(b, layer + "_context", y, repeated(b, layer + "_values", values));
  return zoo_llama_product(b, layer + "_output", join_heads(b, layer + "_context", y),
                           kZooLlamaHidden);
}

std::string zoo_llama_feed_forward(ZooBuilder& b, const std::string& layer, const std::string& x) {
  const std::string gate = zoo_llama_product(b, layer + "_gate", x, kZooLlamaIntermediate);
  const std::string open =
      binary(b, "Mul", layer + "_swish", gate, unary(b, "Sigmoid", layer + "_sigmoid", gate));
  const std::string y = binary(b, "Mul", layer + "_gated", open,
                               zoo_llama_product(b, layer + "_up", x, kZooLlamaIntermediate));
  return zoo_llama_product(b, layer + "_down", y, kZooLlamaHidden);
}

/// 0 where a new word sees a word, the lowest number elsewhere.
std::string additive_mask(ZooBuilder& b, const KeyValueCache& cache) {
  const std::string mask = cache.causal_mask(b, kZooLlamaPositions);
  return b.node("Where", "additive_mask",
                {mask, b.constant("zero", 0.0F), b.constant("lowest", -3.4028235e38F)}, {},
                b.shape_of(mask));
}

std::string llama_of(ZooBuilder& b, int64_t length, int64_t past) {
  b.use_opset(17);
  const std::string ids = word_ids(b, length);
  Decoder d{{b, ids, {kZooLlamaLayers, kKeyHeads, kZooLlamaWidth, past}}, {}, ""};
  d.rotation.cosines =
      d.cache.of_new_words(b, "cosines", rotation_table(b, "cosine_table", std::cos), 0);
  d.rotation.sines = d.cache.of_new_words(b, "sines", rotation_table(b, "sine_table", std::sin), 0);
  d.mask = additive_mask(b, d.cache);
  std::string x = embedding(b, "words", ids, kZooLlamaWords, kZooLlamaHidden);
  for (int64_t i = 0; i < kZooLlamaLayers; ++i) {
    const std::string layer = "layer" + std::to_string(i);
    const std::string normed = rms_norm(b, layer + "_norm1", x, kZooLlamaEpsilon);
    x = b.add(layer + "_attention_add", zoo_llama_attention(b, layer, normed, d), x);
    const std::string y = rms_norm(b, layer + "_norm2", x, kZooLlamaEpsilon);
    x = b.add(layer + "_add", zoo_llama_feed_forward(b, layer, y), x);
  }
  return zoo_llama_product(b, "logits", rms_norm(b, "norm", x, kZooLlamaEpsilon), kZooLlamaWords);
}

constexpr int64_t kZooLlamaLength = 128;

std::string prefill(ZooBuilder& b) { return llama_of(b, kZooLlamaLength, 0); }
std::string decode(ZooBuilder& b) { return llama_of(b, 1, kZooLlamaLength); }

}  // namespace

std::vector<ZooModel> llama_models() {
  return {
      {{"llama-prefill", "local",
        "A Llama of 6 layers, 1024 wide, 4 query heads a key head, 128 words",
        KeyValueCache::dimensions(kZooLlamaLength, 0)},
       prefill},
      {{"llama-decode", "local", "The same, one word after 128",
        KeyValueCache::dimensions(1, kZooLlamaLength)},
       decode},
  };
}

}  // namespace opbench
