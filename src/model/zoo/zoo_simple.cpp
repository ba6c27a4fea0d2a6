#include "model/zoo/zoo_models.h"

// Models of one or a few operators, to try things on.

namespace opbench {
namespace {

constexpr int64_t kSide = 1024;

/// Rows are the batch: 1024 for each of it.
std::string zoo_simple_square(ZooBuilder& b) { return b.input_rows(kSide, kSide); }

std::string zoo_simple_matmul(ZooBuilder& b) {
  return b.dense("matmul", zoo_simple_square(b), kSide, false);
}

std::string matmul_matmul_add(ZooBuilder& b) {
  const std::string x = zoo_simple_square(b);
  const std::string left = b.dense("matmul1", x, kSide, false);
  const std::string right = b.dense("matmul2", x, kSide, false);
  return b.add("add", left, right);
}

std::string zoo_simple_dense(ZooBuilder& b) { return b.dense("dense", b.input({512}), 1000); }

std::string conv2d(ZooBuilder& b) {
  const std::string x = b.conv("conv", b.input({64, 56, 56}),
                               {.channels = 64, .kernel = {3, 3}, .pad = {1, 1}, .bias = true});
  return b.relu("relu", x);
}

}  // namespace

std::vector<ZooModel> simple_models() {
  return {
      {{"matmul", "simple", "1024x1024 input times a transposed 1024x1024 weight"},
       zoo_simple_matmul},
      {{"matmul_matmul_add", "simple", "sum of two such products of one input"}, matmul_matmul_add},
      {{"dense", "simple", "512 features to 1000, with bias"}, zoo_simple_dense},
      {{"conv2d", "simple", "64x56x56, 64 filters 3x3, pad 1, bias, ReLU"}, conv2d},
  };
}

}  // namespace opbench
