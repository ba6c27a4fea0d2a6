#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "model/zoo/zoo_builder.h"

namespace opbench {

/// Features of one resolution, and the sizes of the boxes that are looked for there: width and
/// height of three, in pixels.
struct DetectionLevel {
  std::string features;
  std::array<float, 6> anchors = {};
};

struct DetectionOptions {
  int64_t image = 0;            ///< its height and width
  bool is_exponential = false;  ///< sizes of boxes as YOLOv3 has them; else as YOLOv5
};

/// The last layer of the YOLO models: boxes of all levels, N x boxes x 85: centre and size in
/// pixels, probability of an object, and of each of 80 classes.
std::string detections(ZooBuilder& b, const std::vector<DetectionLevel>& levels,
                       const DetectionOptions& options);

}  // namespace opbench
