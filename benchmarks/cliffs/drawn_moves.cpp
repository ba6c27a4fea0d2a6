#include <fmt/format.h>

#include <algorithm>

#include "benchmarks/cliffs/draw.h"

namespace opbench {
namespace {

Shape drawn_moves_any_shape(Draw& draw, int64_t least_rank) {
  return draw.shape(static_cast<size_t>(draw.between(least_rank, 4)),
                    static_cast<double>(draw.between(20'000, 1'000'000)));
}

int64_t any_axis(Draw& draw, const Shape& shape) { return draw.between(0, std::ssize(shape) - 1); }

std::string transpose(Draw& draw) {
  const auto rank = static_cast<size_t>(draw.between(2, 5));
  const Shape shape = draw.shape(rank, static_cast<double>(draw.between(20'000, 1'000'000)));
  return fmt::format("transpose {} perm={}", shape_text(shape), list_text(draw.order(rank)));
}

std::string concat(Draw& draw) {
  const Shape shape = drawn_moves_any_shape(draw, 1);
  const int64_t axis = any_axis(draw, shape);
  std::string text = "concat";
  const int64_t parts = draw.between(2, 4);
  for (int64_t i = 0; i < parts; ++i) {
    Shape part = shape;
    part[static_cast<size_t>(axis)] = draw.between(1, 2 * shape[static_cast<size_t>(axis)]);
    text += " " + shape_text(part);
  }
  return fmt::format("{} axis={}", text, axis);
}

std::string drawn_split(Draw& draw) {
  const Shape shape = drawn_moves_any_shape(draw, 1);
  const int64_t axis = any_axis(draw, shape);
  const int64_t extent = shape[static_cast<size_t>(axis)];
  if (extent < 2) return "";
  const int64_t first = draw.between(1, extent - 1);
  return fmt::format("split {} {} axis={} outputs=0,1", shape_text(shape),
                     integers_text({first, extent - first}), axis);
}

std::string slice(Draw& draw) {
  const Shape shape = drawn_moves_any_shape(draw, 1);
  const int64_t axis = any_axis(draw, shape);
  const int64_t extent = shape[static_cast<size_t>(axis)];
  const int64_t start = draw.between(0, extent / 3);
  return fmt::format("slice {} {} {} {} {}", shape_text(shape), integers_text({start}),
                     integers_text({extent - draw.between(0, extent / 3)}), integers_text({axis}),
                     integers_text({draw.one_of({1, 1, 2, 3})}));
}

std::string gather(Draw& draw) {
  const Shape shape = drawn_moves_any_shape(draw, 1);
  const int64_t axis = any_axis(draw, shape);
  std::vector<int64_t> indices;
  for (int64_t i = draw.between(1, 100); i > 0; --i)
    indices.push_back(draw.between(0, shape[static_cast<size_t>(axis)] - 1));
  return fmt::format("gather {} {} axis={}", shape_text(shape), integers_text(indices), axis);
}

std::string by_element(Draw& draw) {
  const Shape shape = drawn_moves_any_shape(draw, 1);
  const int64_t axis = any_axis(draw, shape);
  Shape picked = shape;
  int64_t& extent = picked[static_cast<size_t>(axis)];
  extent = draw.between(1, extent);
  const std::string whole = shape_text(shape), part = shape_text(picked);
  if (draw.once_in(2)) return fmt::format("gather_elements {} {}:int64 axis={}", whole, part, axis);
  return fmt::format("scatter_elements {} {}:int64 {} axis={}", whole, part, part, axis);
}

std::string pad(Draw& draw) {
  const Shape shape = drawn_moves_any_shape(draw, 1);
  std::vector<int64_t> pads;
  for (size_t i = 0; i < 2 * shape.size(); ++i)
    pads.push_back(std::min(shape[i % shape.size()] - 1, draw.between(0, 3)));
  return fmt::format("pad {} {} mode={}", shape_text(shape), integers_text(pads),
                     draw.any<std::string>({"constant", "constant", "reflect", "edge"}));
}

/// Up and down, by whole factors and others.
std::string resize(Draw& draw) {
  const std::string mode = draw.any<std::string>({"nearest", "linear", "linear", "cubic"});
  std::string scale = draw.any<std::string>({"2", "2", "3", "0.5", "1.7"});
  const std::string coordinates =
      draw.any<std::string>({"half_pixel", "asymmetric", "align_corners", "pytorch_half_pixel"});
  // ONNX and ONNX Runtime align the corners of extents that are rounded down differently.
  if (coordinates == "align_corners" && scale.find('.') != std::string::npos) scale = "2";
  return fmt::format("resize {}x{}x{}x{} _ =1,1,{},{} mode={} coordinate_transformation_mode={}",
                     draw.one_of({1, 1, 2}), draw.between(1, 100), draw.between(5, 60),
                     draw.between(5, 60), scale, scale, mode, coordinates);
}

std::string blocks(Draw& draw) {
  const int64_t size = draw.between(2, 3);
  const int64_t channels = draw.between(1, 40), height = draw.between(5, 40),
                width = draw.between(5, 40);
  if (draw.once_in(2))
    return fmt::format("depth_to_space 1x{}x{}x{} blocksize={} mode={}", channels * size * size,
                       height, width, size, draw.any<std::string>({"DCR", "CRD"}));
  return fmt::format("space_to_depth 1x{}x{}x{} blocksize={}", channels, height * size,
                     width * size, size);
}

/// Along extents of 1, or side by side.
std::string repeat(Draw& draw) {
  const Shape shape = drawn_moves_any_shape(draw, 2);
  if (draw.once_in(2)) {
    std::vector<int64_t> times;
    for (size_t i = 0; i < shape.size(); ++i) times.push_back(draw.one_of({1, 1, 2, 3}));
    return fmt::format("tile {} {}", shape_text(shape), integers_text(times));
  }
  Shape from = shape;
  from[static_cast<size_t>(any_axis(draw, shape))] = 1;
  return fmt::format("expand {} {}", shape_text(from), integers_text(shape));
}

std::string triangle(Draw& draw) {
  return fmt::format("trilu {} upper={}", shape_text(drawn_moves_any_shape(draw, 2)),
                     draw.between(0, 1));
}

std::string one_hot(Draw& draw) {
  return fmt::format("one_hot {}:int64 ={}:int64 =0,1", draw.between(50, 2000),
                     draw.between(10, 1000));
}

}  // namespace

std::vector<DrawnKind> move_kinds() {
  return {{3, transpose}, {2, concat},     {1, drawn_split}, {2, slice},
          {1, gather},    {1, by_element}, {2, pad},         {2, resize},
          {1, blocks},    {1, repeat},     {1, triangle},    {1, one_hot}};
}

}  // namespace opbench
