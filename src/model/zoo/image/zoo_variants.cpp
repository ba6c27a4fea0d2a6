#include "model/zoo/image/zoo_variants.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <span>

#include "base/errors/suggestion.h"
#include "model/zoo/image/zoo_image.h"
#include "model/zoo/sequence/zoo_sequence.h"

namespace opbench {
namespace {

/// One draw of what the variants of a family differ in.
class Draw {
 public:
  explicit Draw(Random& random) : random_(random), width_(0.4 + 1.2 * random.uniform()) {}

  int64_t of(std::initializer_list<int64_t> values) {
    return values.begin()[random_.below(values.size())];
  }

  /// About `channels` times the width of this variant: a multiple of 8, now and then of 1.
  int64_t channels(int64_t channels) {
    const int64_t step = random_.below(8) == 0 ? 1 : 8;
    const double wanted = static_cast<double>(channels) * width_ * (0.85 + 0.3 * random_.uniform());
    return std::max<int64_t>(8, std::llround(wanted / static_cast<double>(step)) * step);
  }

  int64_t resolution() { return of({80, 96, 112, 128, 144, 160, 192, 224}); }
  bool coin() { return random_.below(2) == 0; }

 private:
  Random& random_;
  double width_;
};

ConvOptions zoo_variants_square(int64_t channels, int64_t kernel, int64_t stride) {
  return {.channels = channels, .kernel = {kernel}, .stride = {stride}, .pad = {kernel / 2}};
}

std::string zoo_variants_stem(ZooBuilder& b, Draw& draw) {
  const int64_t size = draw.resolution();
  const std::string x = b.input({3, size, size});
  if (draw.coin()) return b.conv_bn_relu("stem", x, zoo_variants_square(draw.channels(32), 3, 2));
  return b.max_pool("stem_pool",
                    b.conv_bn_relu("stem", x, zoo_variants_square(draw.channels(64), 7, 2)),
                    {.kernel = {3}, .stride = {2}, .pad = {1}});
}

std::string joined(ZooBuilder& b, const std::string& name, const std::string& x,
                   const std::string& y, int64_t stride) {
  std::string shortcut = x;
  if (b.shape_of(x) != b.shape_of(y)) {
    shortcut = conv_bn(b, name + "_shortcut", x, zoo_variants_square(b.shape_of(y)[1], 1, stride));
  }
  return b.relu(name + "_relu", b.add(name + "_add", y, shortcut));
}

/// `block(name, x, channels, stride)` in stages that halve the image.
template <class Block>
std::string stages(Draw& draw, std::string x, const Block& block) {
  const auto count = draw.of({2, 3, 4});
  for (int64_t stage = 0; stage < count; ++stage) {
    const int64_t channels = draw.channels(int64_t{64} << stage);
    const int64_t blocks = draw.of({1, 1, 2});
    for (int64_t i = 0; i < blocks; ++i) {
      x = block(fmt::format("s{}b{}", stage, i), x, channels, i == 0 && stage > 0 ? 2 : 1);
    }
  }
  return x;
}

std::string zoo_variants_resnet(ZooBuilder& b, Random& random) {
  Draw draw(random);
  const int64_t kernel = draw.of({3, 3, 3, 5});
  const std::string x = stages(
      draw, zoo_variants_stem(b, draw),
      [&](const std::string& name, const std::string& in, int64_t channels, int64_t stride) {
        const std::string y =
            b.conv_bn_relu(name + "_a", in, zoo_variants_square(channels, kernel, stride));
        return joined(b, name, in, conv_bn(b, name + "_b", y, zoo_variants_square(channels, 3, 1)),
                      stride);
      });
  return classifier(b, x);
}

std::string zoo_variants_bottleneck(ZooBuilder& b, Random& random) {
  Draw draw(random);
  const std::string x =
      stages(draw, zoo_variants_stem(b, draw),
             [&](const std::string& name, const std::string& in, int64_t channels, int64_t stride) {
               std::string y = b.conv_bn_relu(name + "_a", in, zoo_variants_square(channels, 1, 1));
               y = b.conv_bn_relu(name + "_b", y, zoo_variants_square(channels, 3, stride));
               const int64_t wide = channels * 4;
               return joined(b, name, in,
                             conv_bn(b, name + "_c", y, zoo_variants_square(wide, 1, 1)), stride);
             });
  return classifier(b, x);
}

ConvOptions each_channel(int64_t channels, int64_t kernel, int64_t stride) {
  ConvOptions options = zoo_variants_square(channels, kernel, stride);
  options.groups = channels;
  return options;
}

std::string zoo_variants_separable(ZooBuilder& b, Random& random) {
  Draw draw(random);
  const int64_t kernel = draw.of({3, 3, 5});
  const std::string x =
      stages(draw, zoo_variants_stem(b, draw),
             [&](const std::string& name, const std::string& in, int64_t channels, int64_t stride) {
               const int64_t before = b.shape_of(in)[1];
               const std::string y =
                   b.conv_bn_relu(name + "_depthwise", in, each_channel(before, kernel, stride));
               return b.conv_bn_relu(name + "_pointwise", y, zoo_variants_square(channels, 1, 1));
             });
  return classifier(b, x);
}

std::string inverted(ZooBuilder& b, Random& random) {
  Draw draw(random);
  const int64_t expansion = draw.of({3, 4, 6});
  const std::string x = stages(
      draw, zoo_variants_stem(b, draw),
      [&](const std::string& name, const std::string& in, int64_t channels, int64_t stride) {
        const int64_t narrow = std::max<int64_t>(8, channels / 4 / 8 * 8);
        const int64_t wide = b.shape_of(in)[1] * expansion;
        const int64_t kernel = draw.of({3, 3, 5});
        std::string y = b.conv_bn_relu(name + "_expand", in, zoo_variants_square(wide, 1, 1));
        y = b.conv_bn_relu(name + "_depthwise", y, each_channel(wide, kernel, stride));
        y = conv_bn(b, name + "_project", y, zoo_variants_square(narrow, 1, 1));
        return b.shape_of(y) == b.shape_of(in) ? b.add(name + "_add", in, y) : y;
      });
  return classifier(b, x);
}

std::string zoo_variants_vgg(ZooBuilder& b, Random& random) {
  Draw draw(random);
  const int64_t size = draw.resolution();
  std::string x = b.input({3, size, size});
  const int64_t count = draw.of({3, 4, 5});
  for (int64_t stage = 0; stage < count; ++stage) {
    const int64_t channels = draw.channels(std::min<int64_t>(32 << stage, 256));
    const int64_t layers = draw.of({1, 2});
    for (int64_t i = 0; i < layers; ++i) {
      ConvOptions options = zoo_variants_square(channels, 3, 1);
      options.bias = true;
      const std::string name = fmt::format("s{}c{}", stage, i);
      x = b.relu(name + "_relu", b.conv(name, x, options));
    }
    x = b.max_pool(fmt::format("pool{}", stage), x, {.kernel = {2}, .stride = {2}});
  }
  x = b.flatten("flatten", x);
  for (int64_t i = 0; i < 2; ++i) {
    const std::string name = fmt::format("dense{}", i);
    x = b.relu(name + "_relu", b.dense(name, x, draw.channels(512)));
  }
  return b.softmax("softmax", b.dense("dense", x, draw.of({10, 100, 1000})));
}

std::string squeeze(ZooBuilder& b, Random& random) {
  Draw draw(random);
  std::string x = zoo_variants_stem(b, draw);
  const int64_t count = draw.of({3, 5, 7});
  for (int64_t i = 0; i < count; ++i) {
    const std::string name = fmt::format("fire{}", i);
    const int64_t expanded = draw.channels(64 + 32 * i);
    const std::string y =
        b.conv_bn_relu(name + "_squeeze", x, zoo_variants_square(draw.channels(16 + 8 * i), 1, 1));
    x = b.concat(name, {b.conv_bn_relu(name + "_1x1", y, zoo_variants_square(expanded, 1, 1)),
                        b.conv_bn_relu(name + "_3x3", y, zoo_variants_square(expanded, 3, 1))});
    if (i % 2 == 1) x = b.max_pool(name + "_pool", x, {.kernel = {3}, .stride = {2}, .pad = {1}});
  }
  return classifier(b, x);
}

std::string inception(ZooBuilder& b, Random& random) {
  Draw draw(random);
  std::string x = zoo_variants_stem(b, draw);
  const int64_t count = draw.of({2, 3, 4});
  for (int64_t i = 0; i < count; ++i) {
    const std::string name = fmt::format("mixed{}", i);
    const int64_t wide = draw.channels(64 + 32 * i);
    std::vector<std::string> parts = {
        b.conv_bn_relu(name + "_1x1", x, zoo_variants_square(wide, 1, 1))};
    std::string y =
        b.conv_bn_relu(name + "_reduce", x, zoo_variants_square(draw.channels(48 + 16 * i), 1, 1));
    if (draw.coin()) {
      y = b.conv_bn_relu(name + "_5x5", y, zoo_variants_square(wide, 5, 1));
    } else {
      const int64_t taps = draw.of({3, 7});
      y = b.conv_bn_relu(
          name + "_row", y,
          {.channels = wide, .kernel = {1, taps}, .stride = {1, 1}, .pad = {0, taps / 2}});
      y = b.conv_bn_relu(
          name + "_column", y,
          {.channels = wide, .kernel = {taps, 1}, .stride = {1, 1}, .pad = {taps / 2, 0}});
    }
    parts.push_back(y);
    y = b.conv_bn_relu(name + "_double", x, zoo_variants_square(draw.channels(48), 1, 1));
    parts.push_back(b.conv_bn_relu(name + "_3x3", y, zoo_variants_square(wide, 3, 1)));
    y = b.average_pool(name + "_pool", x, {.kernel = {3}, .stride = {1}, .pad = {1}});
    parts.push_back(
        b.conv_bn_relu(name + "_pooled", y, zoo_variants_square(draw.channels(32), 1, 1)));
    x = b.concat(name, parts);
    if (i % 2 == 0) x = b.max_pool(name + "_down", x, {.kernel = {3}, .stride = {2}, .pad = {1}});
  }
  return classifier(b, x);
}

std::string zoo_variants_dense(ZooBuilder& b, Random& random) {
  Draw draw(random);
  std::string x = zoo_variants_stem(b, draw);
  const int64_t growth = draw.channels(24);
  const int64_t blocks = draw.of({2, 3});
  for (int64_t block = 0; block < blocks; ++block) {
    const int64_t layers = draw.of({2, 3, 4});
    for (int64_t i = 0; i < layers; ++i) {
      const std::string name = fmt::format("b{}l{}", block, i);
      std::string y = b.relu(name + "_in_relu", b.batch_norm(name + "_in_bn", x));
      y = b.conv_bn_relu(name + "_1x1", y, zoo_variants_square(4 * growth, 1, 1));
      x = b.concat(name, {x, b.conv(name + "_3x3", y, zoo_variants_square(growth, 3, 1))});
    }
    const std::string name = fmt::format("transition{}", block);
    x = b.conv_bn_relu(name, x,
                       zoo_variants_square(std::max<int64_t>(8, b.shape_of(x)[1] / 2), 1, 1));
    x = b.average_pool(name + "_pool", x, {.kernel = {2}, .stride = {2}});
  }
  return classifier(b, x);
}

std::string transformer(ZooBuilder& b, Random& random) {
  Draw draw(random);
  const int64_t heads = draw.of({3, 4, 6, 8, 12});
  const int64_t width = heads * draw.of({32, 64});
  const int64_t length = draw.of({32, 48, 64, 96, 128, 197, 256, 384});
  const float root = std::sqrt(static_cast<float>(width / heads));
  std::string x = b.named_input("data", DataType::kFloat32, {{1, ""}, {length, ""}, {width, ""}});
  const int64_t layers = draw.of({2, 3, 4, 6});
  for (int64_t i = 0; i < layers; ++i) {
    const std::string name = fmt::format("layer{}", i);
    const auto projected = [&](const std::string& part) {
      return split_heads(b, name + part + "_heads", linear(b, name + part, x, {.units = width}),
                         heads);
    };
    const std::string q = projected("_q");
    const std::string k = projected("_k");
    const std::string v = projected("_v");
    std::string y = matmul(b, name + "_scores", q, transpose(b, name + "_kt", k, {0, 1, 3, 2}));
    y = b.softmax(name + "_softmax", scale(b, name + "_scaled", y, 1 / root), 3);
    y = join_heads(b, name + "_joined", matmul(b, name + "_mixed", y, v));
    y = linear(b, name + "_out", y, {.units = width});
    x = layer_norm(b, name + "_norm", b.add(name + "_add", x, y), 1e-5F);
    y = gelu(b, name + "_gelu", linear(b, name + "_wide", x, {.units = width * draw.of({2, 4})}));
    y = linear(b, name + "_narrow", y, {.units = width});
    x = layer_norm(b, name + "_norm2", b.add(name + "_add2", x, y), 1e-5F);
  }
  return x;
}

/// Two dense layers over the last dimension.
std::string perceptron(ZooBuilder& b, const std::string& name, const std::string& x, int64_t wide) {
  const int64_t width = b.shape_of(x).back();
  return linear(b, name + "_narrow",
                gelu(b, name + "_gelu", linear(b, name + "_wide", x, {.units = wide})),
                {.units = width});
}

std::string mixer(ZooBuilder& b, Random& random) {
  Draw draw(random);
  const int64_t width = draw.of({96, 128, 192, 256, 384, 512, 768});
  const int64_t length = draw.of({36, 49, 64, 100, 144, 196, 256});
  const int64_t tokens = draw.of({64, 128, 192, 256, 384});
  const int64_t channels = width * draw.of({2, 3, 4});
  std::string x = b.named_input("data", DataType::kFloat32, {{1, ""}, {length, ""}, {width, ""}});
  const int64_t layers = draw.of({2, 3, 4, 6});
  for (int64_t i = 0; i < layers; ++i) {
    const std::string name = fmt::format("layer{}", i);
    std::string y = layer_norm(b, name + "_norm", x, 1e-6F);
    y = perceptron(b, name + "_tokens", transpose(b, name + "_turned", y, {0, 2, 1}), tokens);
    x = b.add(name + "_add", x, transpose(b, name + "_back", y, {0, 2, 1}));
    y = perceptron(b, name + "_channels", layer_norm(b, name + "_norm2", x, 1e-6F), channels);
    x = b.add(name + "_add2", x, y);
  }
  return x;
}

}  // namespace

const std::vector<VariantFamily>& variant_families() {
  static const std::vector<VariantFamily> families = {{"resnet", zoo_variants_resnet},
                                                      {"bottleneck", zoo_variants_bottleneck},
                                                      {"separable", zoo_variants_separable},
                                                      {"inverted", inverted},
                                                      {"vgg", zoo_variants_vgg},
                                                      {"squeeze", squeeze},
                                                      {"inception", inception},
                                                      {"dense", zoo_variants_dense},
                                                      {"transformer", transformer},
                                                      {"mixer", mixer}};
  return families;
}

Result<Model> zoo_variant(const std::string& family, uint64_t seed) {
  std::vector<std::string> known;
  for (const VariantFamily& candidate : variant_families()) {
    known.push_back(candidate.name);
    if (candidate.name != family) continue;
    const std::string name = fmt::format("{}-{}", family, seed);
    ZooBuilder builder(name, 1, seed, ZooWeights::kOutline);
    Random random(seed, "variant " + family);
    const std::string output = candidate.build(builder, random);
    return builder.finish(output);
  }
  return unknown_name("family", family, known);
}

}  // namespace opbench
