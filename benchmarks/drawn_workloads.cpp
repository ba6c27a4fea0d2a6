#include "drawn_workloads.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/numbers/random.h"
#include "base/tensors/tensor.h"
#include "model/operators/workload.h"

namespace opbench {
namespace {

constexpr double kFewestFlops = 1e4;
constexpr double kMostFlops = 2e9;

class Draw {
 public:
  explicit Draw(uint64_t seed) : random_(seed) {}

  std::string workload() {
    switch (random_.below(12)) {
      case 0:
      case 1:
      case 2:
        return convolution(2) + after();
      case 3:
        return convolution(random_.below(2) == 0 ? 1 : 3);
      case 4:
        return transposed(1 + random_.below(2));
      case 5:
      case 6:
        return matmul();
      case 7:
        return dense() + after();
      case 8:
        return pool();
      case 9:
        return reduction();
      case 10:
        return rows();
      default:
        return chain();
    }
  }

 private:
  int64_t between(int64_t low, int64_t high) {
    return low + static_cast<int64_t>(random_.below(static_cast<uint64_t>(high - low + 1)));
  }
  int64_t one_of(const std::vector<int64_t>& values) {
    return values[random_.below(values.size())];
  }

  std::string after() { return one_of({0, 1}) == 0 ? "" : "; relu"; }

  static std::string list(const std::vector<int64_t>& values) {
    return fmt::format("{}", fmt::join(values, ","));
  }

  std::string convolution(size_t rank) {
    const int64_t groups = one_of({1, 1, 1, 2, 3, 4, 8});
    const int64_t in = between(1, 40) * one_of({1, 2, 3, 8});
    const int64_t out = between(1, 40) * one_of({1, 2, 3, 8});
    const bool is_depthwise = random_.below(6) == 0;
    Shape data{one_of({1, 1, 2}), is_depthwise ? in : in * groups};
    Shape weight{is_depthwise ? in : out * groups, is_depthwise ? 1 : in};
    std::vector<int64_t> strides, dilations, pads;
    const int64_t longest = rank == 1 ? 2000 : (rank == 2 ? 60 : 16);
    for (size_t i = 0; i < rank; ++i) {
      data.push_back(between(longest / 8 + 1, longest));
      weight.push_back(rank == 1 ? one_of({1, 3, 9, 64}) : one_of({1, 2, 3, 3, 5, 7}));
      strides.push_back(one_of({1, 1, 2, 3}));
      dilations.push_back(one_of({1, 1, 1, 2}));
      pads.push_back(weight.back() / 2);
    }
    std::vector<int64_t> both = pads;
    both.insert(both.end(), pads.begin(), pads.end());
    return fmt::format("conv2d {} w:{} w:{} strides={} dilations={} pads={} group={}",
                       shape_text(data), shape_text(weight), weight[0], list(strides),
                       list(dilations), list(both), is_depthwise ? in : groups);
  }

  std::string transposed(size_t rank) {
    const int64_t in = between(4, 96);
    Shape data{1, in};
    Shape weight{in, between(4, 96)};
    std::vector<int64_t> strides;
    for (size_t i = 0; i < rank; ++i) {
      data.push_back(between(4, rank == 1 ? 400 : 32));
      weight.push_back(one_of({2, 3, 4, 5}));
      strides.push_back(one_of({1, 2, 2, 3}));
    }
    return fmt::format("conv_transpose {} w:{} strides={}", shape_text(data), shape_text(weight),
                       list(strides));
  }

  std::string matmul() {
    const int64_t batch = one_of({1, 1, 8, 12, 24});
    const int64_t m = one_of({1, 1, between(2, 16), between(17, 300)});
    const int64_t n = one_of({1, between(2, 64), between(65, 800)});
    const int64_t k = between(8, 1000);
    return fmt::format("matmul {}x{}x{} {}x{}x{}", batch, m, k, batch, k, n);
  }

  std::string dense() {
    const int64_t k = between(16, 2048);
    const int64_t n = between(4, 2048);
    return fmt::format("dense {}x{} w:{}x{} w:{} transB=1", one_of({1, 1, 4, 33, 128}), k, n, k, n);
  }

  std::string pool() {
    const char* kind = random_.below(2) == 0 ? "max_pool" : "average_pool";
    const int64_t kernel = one_of({2, 3, 5});
    const int64_t stride = one_of({1, 2, 3});
    return fmt::format("{} 1x{}x{}x{} kernel_shape={},{} strides={},{}", kind, between(1, 200),
                       between(7, 80), between(7, 80), kernel, kernel, stride, stride);
  }

  std::string reduction() {
    const char* kind = random_.below(2) == 0 ? "reduce_mean" : "reduce_max";
    return fmt::format("{} {}x{}x{} axes={}", kind, between(1, 64), between(8, 300),
                       between(8, 300), between(0, 2));
  }

  std::string rows() {
    const int64_t length = between(8, 2000);
    const int64_t count = between(4, 400);
    if (random_.below(2) == 0) return fmt::format("softmax {}x{}", count, length);
    return fmt::format("layer_norm {}x{} w:{} w:{}", count, length, length, length);
  }

  std::string chain() {
    const std::string shape =
        shape_text({between(1, 8), between(8, 200), between(8, 60), between(8, 60)});
    const char* last = random_.below(2) == 0 ? "sigmoid" : "relu";
    return fmt::format("mul {} {}; add {}; {}", shape, shape, shape, last);
  }

  Random random_;
};

}  // namespace

std::vector<std::string> drawn_workloads(uint64_t seed, size_t count) {
  Draw draw(seed);
  std::vector<std::string> texts;
  while (texts.size() < count) {
    const auto workload = parse_workload(draw.workload());
    if (!workload) continue;
    const double flops = flops_of(*workload);
    if (flops >= kFewestFlops && flops <= kMostFlops) texts.push_back(text_of(*workload));
  }
  return texts;
}

}  // namespace opbench
