#include <cmath>

#include "model/zoo/sequence/zoo_sequence.h"
#include "model/zoo/zoo_models.h"

// T5, small configuration (Raffel et al. 2020): root-mean-square norms, no biases, scores that are
// not scaled, and a bias for every distance between words. In two models of opset 12: the encoder,
// and the decoder with the language-model head, without a cache.

namespace opbench {
namespace {

constexpr int64_t kZooT5Words = 32128;
constexpr int64_t kZooT5Hidden = 512;
constexpr int64_t kZooT5Heads = 8;
constexpr int64_t kZooT5Width = kZooT5Hidden / kZooT5Heads;
constexpr int64_t kZooT5Intermediate = 2048;
constexpr int kZooT5Layers = 6;
constexpr int64_t kBuckets = 32;
constexpr int64_t kFarthest = 128;  ///< distances from here on share a bucket
constexpr int64_t kZooT5Length = 128;
constexpr float kZooT5Epsilon = 1e-6F;
constexpr int64_t kZooT5Opset = 12;

std::string zoo_t5_product(ZooBuilder& b, const std::string& name, const std::string& x,
                           int64_t units, float gain) {
  return linear(b, name, x, {.units = units, .bias = false, .gain = gain});
}

std::string cast(ZooBuilder& b, const std::string& name, const std::string& x, bool to_float) {
  constexpr int64_t kFloat = 1;  // ONNX's numbers of types
  constexpr int64_t kInteger = 7;
  return b.node("Cast", name, {x}, {{"to", to_float ? kFloat : kInteger}}, b.shape_of(x));
}

/// Numbers of the words as a row (`axis` 0) or a column (1).
std::string positions(ZooBuilder& b, const std::string& name, const std::string& numbers,
                      int64_t axis) {
  const Shape shape = axis == 0 ? Shape{1, kZooT5Length} : Shape{kZooT5Length, 1};
  return b.node("Unsqueeze", name, {numbers}, {{"axes", std::vector<int64_t>{axis}}}, shape);
}

/// Integer distances to bucket numbers: one for each small distance, then ever wider ones.
std::string buckets(ZooBuilder& b, const std::string& distance, int64_t count) {
  const int64_t exact = count / 2;
  const auto far =
      static_cast<float>(std::log(static_cast<double>(kFarthest) / static_cast<double>(exact)));
  const auto rest = static_cast<float>(count - exact);
  // Near distances are looked up as they are; that of no distance has no logarithm.
  std::string y = binary(b, "Max", "bucket_distance", distance, b.integers("one", {1}));
  y = binary(b, "Div", "bucket_ratio", cast(b, "bucket_float", y, true),
             b.constant("bucket_exact_float", static_cast<float>(exact)));
  y = scale(b, "bucket_part", unary(b, "Log", "bucket_log", y), 1.0F / far);
  y = cast(b, "bucket_integer", scale(b, "bucket_scaled", y, rest), false);
  y = binary(b, "Add", "bucket_moved", y, b.integers("bucket_exact", {exact}));
  y = binary(b, "Min", "bucket_far", y, b.integers("bucket_last", {count - 1}));
  const std::string is_near = binary(b, "Less", "bucket_is_near", distance, "bucket_exact");
  return b.node("Where", "bucket", {is_near, distance, y}, {}, b.shape_of(y));
}

/// Row and column numbers of words, and how far the column's lies behind the row's.
struct Distances {
  std::string rows;
  std::string columns;
  std::string differences;
};

Distances distances(ZooBuilder& b, const std::string& ids) {
  const std::string shape = b.node("Shape", "ids_shape", {ids}, {}, {2});
  const std::string length = part(b, "length", shape, 0, 1);
  const int64_t zero = 0;
  const int64_t one = 1;
  const std::string first =
      b.constant("range_first", Tensor::of<int64_t>(DataType::kInt64, {}, std::span(&zero, 1)));
  const std::string step =
      b.constant("range_step", Tensor::of<int64_t>(DataType::kInt64, {}, std::span(&one, 1)));
  const std::string numbers =
      b.node("Range", "word_numbers", {first, length, step}, {}, {kZooT5Length});
  Distances d{positions(b, "columns", numbers, 1), positions(b, "rows", numbers, 0), ""};
  d.differences =
      b.node("Sub", "differences", {d.columns, d.rows}, {}, {kZooT5Length, kZooT5Length});
  return d;
}

/// 1 x heads x T x T from the bucket numbers.
std::string bias_of(ZooBuilder& b, const std::string& numbers) {
  const std::string table =
      b.normal_weight("position_bias_weight", {kBuckets, kZooT5Heads}, 1, 0.25F);
  std::string y = b.node("Gather", "position_bias_rows", {table, numbers}, {{"axis", int64_t{0}}},
                         {kZooT5Length, kZooT5Length, kZooT5Heads});
  y = transpose(b, "position_bias_heads", y, {2, 0, 1});
  return b.node("Unsqueeze", "position_bias", {y}, {{"axes", std::vector<int64_t>{0}}},
                {1, kZooT5Heads, kZooT5Length, kZooT5Length});
}

/// Words before and after differ.
std::string encoder_bias(ZooBuilder& b, const std::string& ids) {
  const Distances d = distances(b, ids);
  const std::string zero = b.integers("zero", {0});
  std::string side = binary(b, "Greater", "is_after", d.differences, zero);
  side = binary(b, "Mul", "side", cast(b, "is_after_integer", side, false),
                b.integers("side_buckets", {kBuckets / 2}));
  const std::string near = buckets(b, unary(b, "Abs", "distance", d.differences), kBuckets / 2);
  return bias_of(b, binary(b, "Add", "bucket_of_side", near, side));
}

/// Words after are hidden.
std::string decoder_bias(ZooBuilder& b, const std::string& ids) {
  const Distances d = distances(b, ids);
  const std::string behind = binary(b, "Min", "not_after", d.differences, b.integers("zero", {0}));
  const std::string bias = bias_of(b, buckets(b, unary(b, "Neg", "distance", behind), kBuckets));
  std::string mask = binary(b, "Greater", "is_hidden", d.differences, "zero");
  mask = scale(b, "mask", cast(b, "is_hidden_float", mask, true), -10000.0F);
  return binary(b, "Add", "masked_bias", bias, mask);
}

/// Attention of the words in `x` to those in `memory`; without a bias if that is empty.
std::string zoo_t5_attention(ZooBuilder& b, const std::string& name, const std::string& x,
                             const std::string& memory, const std::string& bias) {
  const auto heads = [&](const char* word, const std::string& of, float gain) {
    return split_heads(b, name + word, zoo_t5_product(b, name + word, of, kZooT5Hidden, gain),
                       kZooT5Heads);
  };
  // Small weights stand for the scale that scores do not have.
  const std::string query = heads("_query", x, 1.0F / static_cast<float>(kZooT5Width));
  const std::string keys = transpose(b, name + "_keys", heads("_key", memory, 1), {0, 1, 3, 2});
  std::string y = matmul(b, name + "_scores", query, keys);
  if (!bias.empty()) y = binary(b, "Add", name + "_biased", y, bias);
  y = b.softmax(name + "_probabilities", y, -1);
  y = join_heads(b, name + "_context", matmul(b, name + "_context", y, heads("_value", memory, 1)));
  return zoo_t5_product(b, name + "_output", y, kZooT5Hidden, 1);
}

std::string zoo_t5_feed_forward(ZooBuilder& b, const std::string& layer, const std::string& x) {
  const std::string y = rms_norm(b, layer + "_norm_ff", x, kZooT5Epsilon);
  const std::string wide =
      b.relu(layer + "_relu", zoo_t5_product(b, layer + "_up", y, kZooT5Intermediate, 1));
  return b.add(layer + "_add_ff", x, zoo_t5_product(b, layer + "_down", wide, kZooT5Hidden, 2));
}

/// Attention of the words to each other.
std::string self_attention(ZooBuilder& b, const std::string& layer, const std::string& x,
                           const std::string& bias) {
  const std::string y = rms_norm(b, layer + "_norm_self", x, kZooT5Epsilon);
  return b.add(layer + "_add_self", x, zoo_t5_attention(b, layer + "_self", y, y, bias));
}

std::string t5_encoder(ZooBuilder& b) {
  b.use_opset(kZooT5Opset);
  const std::string ids = word_ids(b, kZooT5Length);
  const std::string bias = encoder_bias(b, ids);
  std::string x = embedding(b, "words", ids, kZooT5Words, kZooT5Hidden);
  for (int i = 0; i < kZooT5Layers; ++i) {
    const std::string layer = "layer" + std::to_string(i);
    x = zoo_t5_feed_forward(b, layer, self_attention(b, layer, x, bias));
  }
  return rms_norm(b, "hidden_states", x, kZooT5Epsilon);
}

const Dimension kMemory{kZooT5Length, "encoder_sequence"};

std::string t5_decoder(ZooBuilder& b) {
  b.use_opset(kZooT5Opset);
  const std::string ids = word_ids(b, kZooT5Length);
  const std::string memory = b.named_input("encoder_hidden_states", DataType::kFloat32,
                                           {{b.batch_size(), ""}, kMemory, {kZooT5Hidden, ""}});
  const std::string bias = decoder_bias(b, ids);
  std::string x = embedding(b, "words", ids, kZooT5Words, kZooT5Hidden);
  for (int i = 0; i < kZooT5Layers; ++i) {
    const std::string layer = "layer" + std::to_string(i);
    x = self_attention(b, layer, x, bias);
    const std::string y = rms_norm(b, layer + "_norm_cross", x, kZooT5Epsilon);
    x = b.add(layer + "_add_cross", x, zoo_t5_attention(b, layer + "_cross", y, memory, ""));
    x = zoo_t5_feed_forward(b, layer, x);
  }
  x = rms_norm(b, "norm", x, kZooT5Epsilon);
  x = scale(b, "norm_scaled", x, 1.0F / std::sqrt(static_cast<float>(kZooT5Hidden)));
  // The head's weights are the embedding's.
  const std::string head =
      b.node("Transpose", "head_weight_of_words", {"words_weight"},
             {{"perm", std::vector<int64_t>{1, 0}}}, {kZooT5Hidden, kZooT5Words});
  b.count_multiply_adds(b.batch_size() * kZooT5Length * kZooT5Hidden * kZooT5Words);
  return matmul(b, "logits", x, head);
}

}  // namespace

std::vector<ZooModel> t5_models() {
  return {
      {{"t5-encoder", "remoteonnx", "T5 small, encoder, 128 words", {sequence(kZooT5Length)}},
       t5_encoder},
      {{"t5-decoder-with-lm-head",
        "remoteonnx",
        "T5 small, decoder with its head, 128 words",
        {sequence(kZooT5Length), kMemory}},
       t5_decoder},
  };
}

}  // namespace opbench
