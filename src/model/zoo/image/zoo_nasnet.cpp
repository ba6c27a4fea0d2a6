#include "model/zoo/image/zoo_image.h"
#include "model/zoo/zoo_models.h"

// NASNet-A large (Zoph et al. 2018), 6 cells a stage, 4032 channels at last, without the auxiliary
// head. Padding is TensorFlow's: for ceil(extent / stride) results, the odd one at the end.

namespace opbench {
namespace {

constexpr BatchNormOptions kZooNasnetNorm = {.epsilon = 1e-3F};
constexpr int64_t kZooNasnetChannels = 168;  ///< of a branch in the first stage

struct Branch {
  int64_t kernel = 3;
  int64_t stride = 1;
  int64_t channels = 0;
};

/// ReLU, depthwise, pointwise to `middle` channels, batch norm; the same again without stride.
std::string zoo_nasnet_separable(ZooBuilder& b, const std::string& name, const std::string& x,
                                 const Branch& branch, int64_t middle) {
  std::string y = x;
  for (int i = 1; i <= 2; ++i) {
    const std::string half = name + "_sep" + std::to_string(i);
    const int64_t in = b.shape_of(y)[1];
    y = b.relu(half + "_relu", y);
    y = b.conv(half + "_depthwise", y,
               {.channels = in,
                .kernel = {branch.kernel},
                .stride = {i == 1 ? branch.stride : 1},
                .groups = in,
                .same = true});
    y = b.conv(half, y, {.channels = i == 1 ? middle : branch.channels, .gain = kAfterLinear});
    y = b.batch_norm(half + "_bn", y, kZooNasnetNorm);
  }
  return y;
}

std::string zoo_nasnet_separable(ZooBuilder& b, const std::string& name, const std::string& x,
                                 const Branch& branch) {
  return zoo_nasnet_separable(b, name, x, branch, b.shape_of(x)[1]);
}

/// ReLU, 1x1, batch norm. The gain makes up for the sums of a cell.
std::string squeezed(ZooBuilder& b, const std::string& name, const std::string& x,
                     int64_t channels) {
  const std::string y = b.conv(name, b.relu(name + "_relu", x), {.channels = channels, .gain = 1});
  return b.batch_norm(name + "_bn", y, kZooNasnetNorm);
}

std::string max3(ZooBuilder& b, const std::string& name, const std::string& x) {
  return b.max_pool(name, x, {.kernel = {3}, .stride = {2}, .same = true});
}

std::string mean3(ZooBuilder& b, const std::string& name, const std::string& x, int64_t stride) {
  return b.average_pool(name, x,
                        {.kernel = {3}, .stride = {stride}, .same = true, .counts_padding = false});
}

/// Half as high and wide: every other position, beside those a row and a column further, each by
/// half of the channels.
std::string halved(ZooBuilder& b, const std::string& name, const std::string& x, int64_t channels) {
  const std::string active = b.relu(name + "_relu", x);
  Shape padded = b.shape_of(x);
  ++padded[2];
  ++padded[3];
  std::string moved =
      b.node("Pad", name + "_padded", {active, b.integers("moved_pads", {0, 0, 0, 0, 0, 0, 1, 1})},
             {}, padded);
  for (const int64_t axis : {2, 3}) {
    moved = slice(b, name + "_moved" + std::to_string(axis), moved, axis, 1,
                  padded[static_cast<size_t>(axis)]);
  }
  std::vector<std::string> parts;
  for (const std::string& from : {active, moved}) {
    const std::string path = name + "_path" + std::to_string(parts.size() + 1);
    const std::string pooled =
        b.average_pool(path + "_pool", from, {.stride = {2}, .counts_padding = false});
    parts.push_back(b.conv(path, pooled, {.channels = channels / 2, .gain = 1}));
  }
  return b.batch_norm(name + "_bn", b.concat(name + "_concat", parts), kZooNasnetNorm);
}

/// What a cell reads: the result of the cell before, squeezed, and of the one before that.
struct Operands {
  std::string right;
  std::string left;
};

std::string normal_cell(ZooBuilder& b, const std::string& name, const Operands& x,
                        int64_t channels) {
  const auto branch = [&](const char* suffix, const std::string& from, int64_t kernel) {
    return zoo_nasnet_separable(b, name + suffix, from, {kernel, 1, channels});
  };
  const std::string first =
      b.add(name + "_0", branch("_0_left", x.right, 5), branch("_0_right", x.left, 3));
  const std::string second =
      b.add(name + "_1", branch("_1_left", x.left, 5), branch("_1_right", x.left, 3));
  const std::string third = b.add(name + "_2", mean3(b, name + "_2_left", x.right, 1), x.left);
  const std::string fourth = b.add(name + "_3", mean3(b, name + "_3_left", x.left, 1),
                                   mean3(b, name + "_3_right", x.left, 1));
  const std::string fifth = b.add(name + "_4", branch("_4_left", x.right, 3), x.right);
  return b.concat(name, {x.left, first, second, third, fourth, fifth});
}

/// Half as high and wide. The left operand's branches may widen at once (the first stem).
std::string reduction_cell(ZooBuilder& b, const std::string& name, const Operands& x,
                           int64_t channels) {
  const auto branch = [&](const char* suffix, const std::string& from, int64_t kernel,
                          int64_t stride) {
    return zoo_nasnet_separable(b, name + suffix, from, {kernel, stride, channels}, channels);
  };
  const std::string first =
      b.add(name + "_0", branch("_0_left", x.right, 5, 2), branch("_0_right", x.left, 7, 2));
  const std::string second =
      b.add(name + "_1", max3(b, name + "_1_left", x.right), branch("_1_right", x.left, 7, 2));
  const std::string third =
      b.add(name + "_2", mean3(b, name + "_2_left", x.right, 2), branch("_2_right", x.left, 5, 2));
  const std::string fourth = b.add(name + "_3", mean3(b, name + "_3_right", first, 1), second);
  const std::string fifth =
      b.add(name + "_4", branch("_4_left", first, 3, 1), max3(b, name + "_4_right", x.right));
  return b.concat(name, {second, third, fourth, fifth});
}

/// The last two results.
struct Chain {
  std::string last;
  std::string before;
  void push(std::string next) { before = std::exchange(last, std::move(next)); }
};

/// Both results at half the size, for the first stage.
Chain zoo_nasnet_stem(ZooBuilder& b) {
  std::string x =
      b.conv("conv0", b.input({3, 331, 331}), {.channels = 96, .kernel = {3}, .stride = {2}});
  x = b.batch_norm("conv0_bn", x, kZooNasnetNorm);
  const int64_t quarter = kZooNasnetChannels / 4;
  const std::string first =
      reduction_cell(b, "stem0", {squeezed(b, "stem0_squeezed", x, quarter), x}, quarter);
  const int64_t half = kZooNasnetChannels / 2;
  const std::string second = reduction_cell(
      b, "stem1", {squeezed(b, "stem1_squeezed", first, half), halved(b, "stem1_halved", x, half)},
      half);
  return {second, first};
}

std::string nasnetalarge(ZooBuilder& b) {
  Chain chain = zoo_nasnet_stem(b);
  for (int stage = 0; stage < 3; ++stage) {
    const int64_t channels = kZooNasnetChannels << stage;
    if (stage > 0) {
      const std::string name = "reduction" + std::to_string(stage - 1);
      const Operands x = {squeezed(b, name + "_right", chain.last, channels),
                          squeezed(b, name + "_left", chain.before, channels)};
      // The first cell behind reads what was before the reduction, at twice the size.
      const std::string large = chain.before;
      chain.push(reduction_cell(b, name, x, channels));
      chain.before = large;
    }
    for (int i = 0; i < 6; ++i) {
      const std::string name = "cell" + std::to_string(6 * stage + i);
      const std::string right = squeezed(b, name + "_right", chain.last, channels);
      const std::string left = i == 0 ? halved(b, name + "_halved", chain.before, channels)
                                      : squeezed(b, name + "_left", chain.before, channels);
      chain.push(normal_cell(b, name, {right, left}, channels));
    }
  }
  const std::string x = b.global_average_pool("global_pool", b.relu("relu", chain.last));
  return b.dense("fc", b.flatten("flatten", x), 1000);
}

}  // namespace

std::vector<ZooModel> nasnet_models() {
  return {{{"nasnetalarge", "transformers", "NASNet-A large, 3x331x331"}, nasnetalarge}};
}

}  // namespace opbench
