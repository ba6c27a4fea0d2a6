#include "model/zoo/image/zoo_detection.h"
#include "model/zoo/image/zoo_image.h"
#include "model/zoo/zoo_models.h"

// YOLOv5 nano, release 6 (Jocher et al.): a quarter of the channels and a third of the depth of the
// large model.

namespace opbench {
namespace {

constexpr int64_t kZooYolov5Size = 640;
constexpr float kZooYolov5Epsilon = 1e-3F;

struct ZooYolov5Kernel {
  int64_t extent = 1;
  int64_t stride = 1;
  float gain = kAfterSwish / 1.12F;  ///< batch norms of random statistics add an eighth
};

/// Convolution, batch norm, swish.
std::string zoo_yolov5_conv(ZooBuilder& b, const std::string& name, const std::string& x,
                            int64_t channels, const ZooYolov5Kernel& kernel = {}) {
  const std::string y = conv_bn(b, name, x,
                                {.channels = channels,
                                 .kernel = {kernel.extent},
                                 .stride = {kernel.stride},
                                 .pad = {kernel.extent / 2},
                                 .gain = kernel.gain},
                                kZooYolov5Epsilon);
  return swish(b, name + "_swish", y);
}

struct ZooYolov5Stage {
  int64_t channels = 0;
  int count = 1;
  bool is_added = true;  ///< what a bottleneck gives to its operand
};

/// A cross-stage partial block with three convolutions: half of the channels through bottlenecks.
std::string partial_block(ZooBuilder& b, const std::string& name, const std::string& x,
                          const ZooYolov5Stage& stage) {
  const int64_t half = stage.channels / 2;
  std::string y = zoo_yolov5_conv(b, name + "_cv1", x, half);
  for (int i = 0; i < stage.count; ++i) {
    const std::string unit = name + "_m" + std::to_string(i);
    const std::string z =
        zoo_yolov5_conv(b, unit + "_cv2", zoo_yolov5_conv(b, unit + "_cv1", y, half), half, {3});
    y = stage.is_added ? b.add(unit + "_add", y, z) : z;
  }
  y = b.concat(name + "_concat", {y, zoo_yolov5_conv(b, name + "_cv2", x, half)});
  return zoo_yolov5_conv(b, name + "_cv3", y, stage.channels);
}

/// Maxima over ever larger windows beside each other.
std::string pyramid(ZooBuilder& b, const std::string& name, const std::string& x) {
  const int64_t channels = b.shape_of(x)[1];
  std::vector<std::string> parts = {zoo_yolov5_conv(b, name + "_cv1", x, channels / 2)};
  for (int i = 0; i < 3; ++i) {
    parts.push_back(
        b.max_pool(name + "_pool" + std::to_string(i), parts.back(), {.kernel = {5}, .pad = {2}}));
  }
  return zoo_yolov5_conv(b, name + "_cv2", b.concat(name + "_concat", parts), channels);
}

/// The results at 1/8, 1/16 and 1/32 of the size.
std::vector<std::string> backbone(ZooBuilder& b) {
  constexpr std::array kStages = {ZooYolov5Stage{32, 1}, ZooYolov5Stage{64, 2},
                                  ZooYolov5Stage{128, 3}, ZooYolov5Stage{256, 1}};
  std::string x = b.conv("conv0", b.input({3, kZooYolov5Size, kZooYolov5Size}),
                         {.channels = 16, .kernel = {6}, .stride = {2}, .pad = {2}});
  x = swish(b, "conv0_swish", b.batch_norm("conv0_bn", x, {.epsilon = kZooYolov5Epsilon}));
  std::vector<std::string> results;
  for (const ZooYolov5Stage& stage : kStages) {
    const std::string name = "stage" + std::to_string(results.size());
    x = zoo_yolov5_conv(b, name + "_down", x, stage.channels, {3, 2});
    x = partial_block(b, name, x, stage);
    results.push_back(x);
  }
  results.back() = pyramid(b, "pyramid", x);
  results.erase(results.begin());
  return results;
}

std::string yolov5n(ZooBuilder& b) {
  const std::vector<std::string> levels = backbone(b);
  const std::string top = zoo_yolov5_conv(b, "top", levels[2], 128);
  std::string x = b.concat("up0_route", {upsample(b, "up0", top), levels[1]});
  const std::string middle =
      zoo_yolov5_conv(b, "middle", partial_block(b, "up0", x, {128, 1, false}), 64);
  x = b.concat("up1_route", {upsample(b, "up1", middle), levels[0]});
  const std::string fine = partial_block(b, "up1", x, {64, 1, false});
  x = b.concat("down0_route", {zoo_yolov5_conv(b, "down0", fine, 64, {3, 2}), middle});
  const std::string medium = partial_block(b, "down0", x, {128, 1, false});
  x = b.concat("down1_route", {zoo_yolov5_conv(b, "down1", medium, 128, {3, 2}), top});
  const std::string coarse = partial_block(b, "down1", x, {256, 1, false});
  return detections(b,
                    {{fine, {10, 13, 16, 30, 33, 23}},
                     {medium, {30, 61, 62, 45, 59, 119}},
                     {coarse, {116, 90, 156, 198, 373, 326}}},
                    {.image = kZooYolov5Size});
}

}  // namespace

std::vector<ZooModel> yolov5_models() {
  return {{{"yolov5n", "local", "YOLOv5 nano with its detections, 3x640x640"}, yolov5n}};
}

}  // namespace opbench
