#include "model/zoo/sequence/zoo_sequence.h"
#include "model/zoo/zoo_models.h"

// A network for speech in the manner of Deep Speech 2 (Amodei et al. 2016): two convolutions over a
// spectrogram, five GRU layers in both directions whose results are added, and letters.

namespace opbench {
namespace {

constexpr int64_t kFrequencies = 161;
constexpr int64_t kFrames = 256;
constexpr int64_t kZooDeepspeechUnits = 800;
constexpr int kZooDeepspeechLayers = 5;
constexpr int64_t kLetters = 29;
const Dimension kTime{kFrames, "frames"};

/// Batch norm and a rectifier that ends at 20.
std::string limited(ZooBuilder& b, const std::string& name, const std::string& x) {
  return b.node("Clip", name + "_clip",
                {b.batch_norm(name + "_bn", x), b.constant("limit_low", 0.0F),
                 b.constant("limit_high", 20.0F)},
                {}, b.shape_of(x));
}

/// N x 1 x frequencies x frames to T x N x C, half as many steps as frames.
std::string features(ZooBuilder& b) {
  std::string x = b.named_input("spectrogram", DataType::kFloat32,
                                {{b.batch_size(), ""}, {1, ""}, {kFrequencies, ""}, kTime});
  x = limited(
      b, "conv1",
      b.conv("conv1", x, {.channels = 32, .kernel = {41, 11}, .stride = {2, 2}, .pad = {20, 5}}));
  x = limited(
      b, "conv2",
      b.conv("conv2", x, {.channels = 32, .kernel = {21, 11}, .stride = {2, 1}, .pad = {10, 5}}));
  const Shape shape = b.shape_of(x);
  x = reshape(b, "features", x, {shape[0], shape[1] * shape[2], -1});
  return transpose(b, "features_by_time", x, {2, 0, 1});
}

/// Over the channels of T x N x C.
std::string zoo_deepspeech_norm(ZooBuilder& b, const std::string& name, const std::string& x) {
  const Shape shape = b.shape_of(x);
  const std::string rows = reshape(b, name + "_rows", x, {-1, shape[2]});
  return reshape(b, name + "_steps", b.batch_norm(name, rows), {-1, shape[1], shape[2]});
}

/// Forward plus backward.
std::string zoo_deepspeech_layer(ZooBuilder& b, const std::string& name, const std::string& x) {
  const Shape in = b.shape_of(x);
  constexpr int64_t kRows = 3 * kZooDeepspeechUnits;
  std::vector<std::string> inputs = {
      x, b.normal_weight(name + "_w", {2, kRows, in[2]}, in[2], 1),
      b.normal_weight(name + "_r", {2, kRows, kZooDeepspeechUnits}, kZooDeepspeechUnits, 1),
      b.uniform_weight(name + "_b", {2, 2 * kRows}, -0.05F, 0.05F)};
  b.count_multiply_adds(2 * in[0] * in[1] * kRows * (in[2] + kZooDeepspeechUnits));
  const std::string y = b.node("GRU", name + "_states", std::move(inputs),
                               {{"hidden_size", kZooDeepspeechUnits},
                                {"direction", std::string("bidirectional")},
                                {"linear_before_reset", int64_t{1}}},
                               {in[0], 2, in[1], kZooDeepspeechUnits});
  return b.add(name, part(b, name + "_forward", y, 1, 0), part(b, name + "_backward", y, 1, 1));
}

std::string deepspeech2(ZooBuilder& b) {
  std::string x = features(b);
  for (int i = 0; i < kZooDeepspeechLayers; ++i) {
    const std::string name = "gru" + std::to_string(i);
    if (i > 0) x = zoo_deepspeech_norm(b, name + "_norm", x);
    x = zoo_deepspeech_layer(b, name, x);
  }
  x = linear(b, "letters", zoo_deepspeech_norm(b, "norm", x),
             {.units = kLetters, .bias = false, .gain = 1});
  return b.softmax("softmax", transpose(b, "letters_by_batch", x, {1, 0, 2}), -1);
}

}  // namespace

std::vector<ZooModel> deepspeech_models() {
  return {{{"deepspeech2",
            "local",
            "Deep Speech 2: two convolutions, five GRU layers, 256 frames",
            {kTime}},
           deepspeech2}};
}

}  // namespace opbench
