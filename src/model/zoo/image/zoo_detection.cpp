#include "model/zoo/image/zoo_detection.h"

#include "model/zoo/zoo_nodes.h"

namespace opbench {
namespace {

constexpr int64_t kBoxes = 3;
constexpr int64_t kFields = 85;

/// What a level's raw results are read with.
struct Cells {
  std::string name;
  int64_t side = 0;  ///< cells in height and in width
  float pixels = 0;  ///< of a cell
  bool is_exponential = false;
};

/// Column and row of every cell, moved by half a cell where twice the sigmoid is added.
std::string grid(ZooBuilder& b, const Cells& cells) {
  Tensor tensor = Tensor::empty({DataType::kFloat32, {1, 1, cells.side, cells.side, 2}});
  const std::span<float> values = tensor.as<float>();
  const float offset = cells.is_exponential ? 0.0F : 0.5F;
  for (int64_t i = 0; i < cells.side * cells.side; ++i) {
    values[static_cast<size_t>(2 * i)] = static_cast<float>(i % cells.side) - offset;
    values[static_cast<size_t>(2 * i + 1)] = static_cast<float>(i / cells.side) - offset;
  }
  return b.constant(cells.name + "_grid_table", std::move(tensor));
}

/// In pixels.
std::string centres(ZooBuilder& b, const Cells& cells, const std::string& gates) {
  std::string y = slice(b, cells.name + "_xy", gates, 4, 0, 2);
  if (!cells.is_exponential) y = scale(b, cells.name + "_xy_doubled", y, 2);
  y = binary(b, "Add", cells.name + "_xy_cells", y, grid(b, cells));
  return scale(b, cells.name + "_xy_pixels", y, cells.pixels);
}

std::string sizes(ZooBuilder& b, const Cells& cells, const std::string& raw,
                  const std::string& gates, const std::array<float, 6>& anchors) {
  std::string y = slice(b, cells.name + "_wh", cells.is_exponential ? raw : gates, 4, 2, 4);
  if (cells.is_exponential) {
    y = unary(b, "Exp", cells.name + "_wh_exp", y);
  } else {
    y = scale(b, cells.name + "_wh_doubled", y, 2);
    y = binary(b, "Pow", cells.name + "_wh_squared", y, b.constant("two", 2.0F));
  }
  const std::string table =
      b.constant(cells.name + "_anchor_table",
                 Tensor::of<float>(DataType::kFloat32, {1, kBoxes, 1, 1, 2}, std::span(anchors)));
  return binary(b, "Mul", cells.name + "_wh_pixels", y, table);
}

}  // namespace

std::string detections(ZooBuilder& b, const std::vector<DetectionLevel>& levels,
                       const DetectionOptions& options) {
  std::vector<std::string> all;
  for (const DetectionLevel& level : levels) {
    const std::string name = "detect" + std::to_string(all.size());
    const int64_t side = b.shape_of(level.features)[2];
    const Cells cells = {name, side, static_cast<float>(options.image / side),
                         options.is_exponential};
    std::string raw =
        b.conv(name, level.features, {.channels = kBoxes * kFields, .bias = true, .gain = 0.1F});
    raw = reshape(b, name + "_boxes", raw, {b.batch_size(), kBoxes, kFields, side, side});
    raw = transpose(b, name + "_raw", raw, {0, 1, 3, 4, 2});
    const std::string gates = unary(b, "Sigmoid", name + "_gates", raw);
    const std::string y =
        concat(b, name + "_fields",
               {centres(b, cells, gates), sizes(b, cells, raw, gates, level.anchors),
                slice(b, name + "_classes", gates, 4, 4, kFields)},
               4);
    all.push_back(reshape(b, name + "_rows", y, {b.batch_size(), -1, kFields}));
  }
  return concat(b, "detections", all, 1);
}

}  // namespace opbench
