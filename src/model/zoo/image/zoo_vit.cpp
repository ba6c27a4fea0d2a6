#include "model/zoo/sequence/zoo_sequence.h"
#include "model/zoo/zoo_models.h"

// The vision transformer, base, patches of 16x16 (Dosovitskiy et al. 2021), as in torchvision.

namespace opbench {
namespace {

constexpr int64_t kPatch = 16;
constexpr int64_t kPatches = (224 / kPatch) * (224 / kPatch);
constexpr int64_t kZooVitHidden = 768;
constexpr int64_t kZooVitHeads = 12;
constexpr int kZooVitLayers = 12;
constexpr float kZooVitEpsilon = 1e-6F;

/// N x 3 x 224 x 224 to N x 197 x 768: a row for the class, then one for each patch.
std::string zoo_vit_embeddings(ZooBuilder& b) {
  std::string x = b.conv(
      "patches", b.input({3, 224, 224}),
      {.channels = kZooVitHidden, .kernel = {kPatch}, .stride = {kPatch}, .bias = true, .gain = 1});
  x = reshape(b, "patches_flat", x, {b.batch_size(), kZooVitHidden, kPatches});
  x = transpose(b, "patches_rows", x, {0, 2, 1});
  const Shape row = {b.batch_size(), 1, kZooVitHidden};
  const std::string word = b.normal_weight("class_word", {1, 1, kZooVitHidden}, 1, 1);
  const std::string first =
      b.node("Expand", "class_words", {word, b.integers("class_words_shape", row)}, {}, row);
  x = concat(b, "words", {first, x}, 1);
  const std::string positions =
      b.normal_weight("positions", {1, kPatches + 1, kZooVitHidden}, 1, 0.1F);
  return binary(b, "Add", "embeddings", x, positions);
}

std::string zoo_vit_attention(ZooBuilder& b, const std::string& layer, const std::string& x) {
  const std::string joint = linear(b, layer + "_qkv", x, {3 * kZooVitHidden, true, 1.0F});
  const auto heads = [&](const char* name, int64_t i) {
    const std::string y =
        slice(b, layer + name, joint, 2, i * kZooVitHidden, (i + 1) * kZooVitHidden);
    return split_heads(b, layer + name, y, kZooVitHeads);
  };
  const std::string query = scale(b, layer + "_query_scaled", heads("_query", 0), 0.125F);
  const std::string keys = transpose(b, layer + "_keys_transposed", heads("_key", 1), {0, 1, 3, 2});
  std::string y =
      b.softmax(layer + "_probabilities", matmul(b, layer + "_scores", query, keys), -1);
  y = matmul(b, layer + "_context", y, heads("_value", 2));
  return linear(b, layer + "_output", join_heads(b, layer + "_context", y),
                {kZooVitHidden, true, 1.0F});
}

std::string vit_base(ZooBuilder& b) {
  std::string x = zoo_vit_embeddings(b);
  for (int i = 0; i < kZooVitLayers; ++i) {
    const std::string layer = "layer" + std::to_string(i);
    std::string y = zoo_vit_attention(b, layer, layer_norm(b, layer + "_norm1", x, kZooVitEpsilon));
    x = b.add(layer + "_attention_add", y, x);
    y = linear(b, layer + "_up", layer_norm(b, layer + "_norm2", x, kZooVitEpsilon),
               {4 * kZooVitHidden, true, 1.0F});
    y = linear(b, layer + "_down", gelu(b, layer + "_gelu", y), {kZooVitHidden});
    x = b.add(layer + "_add", y, x);
  }
  x = part(b, "class", layer_norm(b, "norm", x, kZooVitEpsilon), 1, 0);
  return b.softmax("softmax", b.dense("head", x, 1000));
}

}  // namespace

std::vector<ZooModel> vit_models() {
  return {{{"vit-base", "local", "Vision transformer, base, patches of 16, 3x224x224"}, vit_base}};
}

}  // namespace opbench
