#include "model/zoo/image/zoo_detection.h"
#include "model/zoo/image/zoo_image.h"
#include "model/zoo/zoo_models.h"

// YOLOv3 and its tiny variant (Redmon and Farhadi 2018).

namespace opbench {
namespace {

constexpr int64_t kZooYoloSize = 416;
/// LeakyRelu halves the mean square, and batch norms of random statistics add an eighth.
constexpr float kAfterLeaky = 1.75F;
/// What is added to its operand 23 times is small, so that the sum stays in the range of exp.
constexpr float kAfterLeakyAdded = 0.2F;

struct ZooYoloKernel {
  int64_t extent = 1;
  int64_t stride = 1;
  float gain = kAfterLeaky;
};

/// Convolution, batch norm, LeakyRelu.
std::string zoo_yolo_conv(ZooBuilder& b, const std::string& name, const std::string& x,
                          int64_t channels, const ZooYoloKernel& kernel = {}) {
  const std::string y = conv_bn(b, name, x,
                                {.channels = channels,
                                 .kernel = {kernel.extent},
                                 .stride = {kernel.stride},
                                 .pad = {kernel.extent / 2},
                                 .gain = kernel.gain});
  return b.node("LeakyRelu", name + "_leaky", {y}, {{"alpha", 0.1F}}, b.shape_of(y));
}

/// 1x1 to half the channels, 3x3 back.
std::string narrow_wide(ZooBuilder& b, const std::string& name, const std::string& x,
                        int64_t channels, float gain = kAfterLeaky) {
  return zoo_yolo_conv(b, name + "_wide", zoo_yolo_conv(b, name + "_narrow", x, channels / 2),
                       channels, {3, 1, gain});
}

std::string tiny(ZooBuilder& b) {
  std::string x = b.input({3, kZooYoloSize, kZooYoloSize});
  std::string route;
  for (int i = 0; i < 6; ++i) {
    const std::string number = std::to_string(i);
    x = zoo_yolo_conv(b, "conv" + number, x, int64_t{16} << i, {3});
    if (i == 4) route = x;
    const int64_t stride = i < 5 ? 2 : 1;
    x = b.max_pool("pool" + number, x, {.kernel = {2}, .stride = {stride}, .same = true});
  }
  const std::string joint = zoo_yolo_conv(b, "conv7", zoo_yolo_conv(b, "conv6", x, 1024, {3}), 256);
  const std::string coarse = zoo_yolo_conv(b, "conv8", joint, 512, {3});
  x = upsample(b, "upsample", zoo_yolo_conv(b, "conv9", joint, 128));
  const std::string fine = zoo_yolo_conv(b, "conv10", b.concat("route", {x, route}), 256, {3});
  return detections(b, {{fine, {10, 14, 23, 27, 37, 58}}, {coarse, {81, 82, 135, 169, 344, 319}}},
                    {.image = kZooYoloSize, .is_exponential = true});
}

/// Darknet-53 without its classifier: the results at 1/8, 1/16 and 1/32 of the size.
std::vector<std::string> darknet(ZooBuilder& b) {
  constexpr std::array kUnits = {1, 2, 8, 8, 4};
  std::vector<std::string> results;
  std::string x = zoo_yolo_conv(b, "conv", b.input({3, kZooYoloSize, kZooYoloSize}), 32, {3});
  for (size_t i = 0; i < kUnits.size(); ++i) {
    const std::string stage = "stage" + std::to_string(i + 1);
    const int64_t channels = int64_t{64} << i;
    x = zoo_yolo_conv(b, stage + "_down", x, channels, {3, 2});
    for (int k = 0; k < kUnits.at(i); ++k) {
      const std::string name = stage + "_unit" + std::to_string(k);
      x = b.add(name + "_add", narrow_wide(b, name, x, channels, kAfterLeakyAdded), x);
    }
    if (i >= 2) results.push_back(x);
  }
  return results;
}

std::string full(ZooBuilder& b) {
  const std::vector<std::string> levels = darknet(b);
  std::vector<DetectionLevel> heads = {{"", {10, 13, 16, 30, 33, 23}},
                                       {"", {30, 61, 62, 45, 59, 119}},
                                       {"", {116, 90, 156, 198, 373, 326}}};
  std::string x = levels[2];
  for (size_t i = 3; i-- > 0;) {
    const std::string name = "head" + std::to_string(i);
    const int64_t channels = int64_t{256} << i;
    if (i < 2) x = b.concat(name + "_route", {x, levels[i]});
    for (const char* unit : {"_unit0", "_unit1"}) x = narrow_wide(b, name + unit, x, channels);
    x = zoo_yolo_conv(b, name + "_joint", x, channels / 2);
    heads[i].features = zoo_yolo_conv(b, name + "_last", x, channels, {3});
    if (i > 0) {
      x = upsample(b, name + "_upsample", zoo_yolo_conv(b, name + "_lateral", x, channels / 4));
    }
  }
  return detections(b, heads, {.image = kZooYoloSize, .is_exponential = true});
}

}  // namespace

std::vector<ZooModel> yolo_models() {
  return {
      {{"yolov3", "local", "YOLOv3 tiny with its detections, 3x416x416"}, tiny},
      {{"yolov3-full", "local", "YOLOv3 with its detections, 3x416x416"}, full},
  };
}

}  // namespace opbench
