#include "model/zoo/zoo_models.h"

// Inception v3 (Szegedy et al. 2015, "Rethinking the Inception architecture") without its auxiliary
// head. Of the last two blocks the first pools with the average, the second with the maximum.

namespace opbench {
namespace {

/// One convolution of a tower.
struct Layer {
  int64_t channels = 0;
  Extents kernel = {1};
  Extents stride = {1};
  Extents pad = {0};
};

const PoolOptions kSamePool = {.kernel = {3, 3}, .stride = {1}, .pad = {1, 1}};
const PoolOptions kHalvingPool = {.kernel = {3, 3}, .stride = {2, 2}};

Layer wide(int64_t channels, int64_t width) {
  return {.channels = channels, .kernel = {1, width}, .pad = {0, width / 2}};
}

Layer tall(int64_t channels, int64_t height) {
  return {.channels = channels, .kernel = {height, 1}, .pad = {height / 2, 0}};
}

Layer zoo_inception_square(int64_t channels, int64_t side) {
  return {.channels = channels, .kernel = {side, side}, .pad = {side / 2, side / 2}};
}

Layer halving(int64_t channels) {
  return {.channels = channels, .kernel = {3, 3}, .stride = {2, 2}};
}

/// Convolutions one after the other, each with BN and ReLU.
std::string tower(ZooBuilder& b, const std::string& name, std::string x,
                  const std::vector<Layer>& layers) {
  int number = 1;
  for (const Layer& layer : layers) {
    x = b.conv_bn_relu(name + "_conv" + std::to_string(number++), x,
                       {.channels = layer.channels,
                        .kernel = layer.kernel,
                        .stride = layer.stride,
                        .pad = layer.pad},
                       {.epsilon = 1e-3F});
  }
  return x;
}

/// 35x35
std::string block_a(ZooBuilder& b, const std::string& name, const std::string& x,
                    int64_t pooled_channels) {
  const std::string pool = b.average_pool(name + "_pool", x, kSamePool);
  return b.concat(
      name + "_concat",
      {tower(b, name + "_tower1", x, {zoo_inception_square(64, 1)}),
       tower(b, name + "_tower2", x, {zoo_inception_square(48, 1), zoo_inception_square(64, 5)}),
       tower(
           b, name + "_tower3", x,
           {zoo_inception_square(64, 1), zoo_inception_square(96, 3), zoo_inception_square(96, 3)}),
       tower(b, name + "_tower4", pool, {zoo_inception_square(pooled_channels, 1)})});
}

/// 35x35 to 17x17
std::string block_b(ZooBuilder& b, const std::string& name, const std::string& x) {
  return b.concat(name + "_concat",
                  {tower(b, name + "_tower1", x, {halving(384)}),
                   tower(b, name + "_tower2", x,
                         {zoo_inception_square(64, 1), zoo_inception_square(96, 3), halving(96)}),
                   b.max_pool(name + "_pool", x, kHalvingPool)});
}

/// 17x17, with 7x7 convolutions taken apart; `n` channels inside
std::string block_c(ZooBuilder& b, const std::string& name, const std::string& x, int64_t n) {
  const std::string pool = b.average_pool(name + "_pool", x, kSamePool);
  return b.concat(
      name + "_concat",
      {tower(b, name + "_tower1", x, {zoo_inception_square(192, 1)}),
       tower(b, name + "_tower2", x, {zoo_inception_square(n, 1), wide(n, 7), tall(192, 7)}),
       tower(b, name + "_tower3", x,
             {zoo_inception_square(n, 1), tall(n, 7), wide(n, 7), tall(n, 7), wide(192, 7)}),
       tower(b, name + "_tower4", pool, {zoo_inception_square(192, 1)})});
}

/// 17x17 to 8x8
std::string block_d(ZooBuilder& b, const std::string& name, const std::string& x) {
  return b.concat(name + "_concat",
                  {tower(b, name + "_tower1", x, {zoo_inception_square(192, 1), halving(320)}),
                   tower(b, name + "_tower2", x,
                         {zoo_inception_square(192, 1), wide(192, 7), tall(192, 7), halving(192)}),
                   b.max_pool(name + "_pool", x, kHalvingPool)});
}

/// 8x8
std::string block_e(ZooBuilder& b, const std::string& name, const std::string& x, bool max_pool) {
  const std::string pool = max_pool ? b.max_pool(name + "_pool", x, kSamePool)
                                    : b.average_pool(name + "_pool", x, kSamePool);
  const std::string second = tower(b, name + "_tower2", x, {zoo_inception_square(384, 1)});
  const std::string third =
      tower(b, name + "_tower3", x, {zoo_inception_square(448, 1), zoo_inception_square(384, 3)});
  return b.concat(name + "_concat",
                  {tower(b, name + "_tower1", x, {zoo_inception_square(320, 1)}),
                   tower(b, name + "_tower2_wide", second, {wide(384, 3)}),
                   tower(b, name + "_tower2_tall", second, {tall(384, 3)}),
                   tower(b, name + "_tower3_wide", third, {wide(384, 3)}),
                   tower(b, name + "_tower3_tall", third, {tall(384, 3)}),
                   tower(b, name + "_tower4", pool, {zoo_inception_square(192, 1)})});
}

std::string inception_v3(ZooBuilder& b) {
  std::string x =
      tower(b, "stem1", b.input({3, 299, 299}),
            {halving(32), {.channels = 32, .kernel = {3, 3}}, zoo_inception_square(64, 3)});
  x = b.max_pool("pool1", x, kHalvingPool);
  x = tower(b, "stem2", x, {zoo_inception_square(80, 1), {.channels = 192, .kernel = {3, 3}}});
  x = b.max_pool("pool2", x, kHalvingPool);
  x = block_a(b, "mixed0", x, 32);
  x = block_a(b, "mixed1", x, 64);
  x = block_a(b, "mixed2", x, 64);
  x = block_b(b, "mixed3", x);
  x = block_c(b, "mixed4", x, 128);
  x = block_c(b, "mixed5", x, 160);
  x = block_c(b, "mixed6", x, 160);
  x = block_c(b, "mixed7", x, 192);
  x = block_d(b, "mixed8", x);
  x = block_e(b, "mixed9", x, false);
  x = block_e(b, "mixed10", x, true);
  x = b.flatten("flatten", b.global_average_pool("global_pool", x));
  return b.softmax("softmax", b.dense("fc", x, 1000));
}

}  // namespace

std::vector<ZooModel> inception_models() {
  return {{{"inception_v3", "local", "Inception v3, 3x299x299"}, inception_v3}};
}

}  // namespace opbench
