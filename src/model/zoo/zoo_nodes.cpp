#include "model/zoo/zoo_nodes.h"

#include <cassert>
#include <utility>

namespace opbench {

std::string unary(ZooBuilder& b, std::string type, const std::string& name, const std::string& x) {
  return b.node(std::move(type), name, {x}, {}, b.shape_of(x));
}

std::string binary(ZooBuilder& b, std::string type, const std::string& name, const std::string& x,
                   const std::string& y) {
  return b.node(std::move(type), name, {x, y}, {}, b.shape_of(x));
}

std::string reshape(ZooBuilder& b, const std::string& name, const std::string& x, Shape shape) {
  const Shape in = b.shape_of(x);
  Shape written = shape;
  for (size_t i = 0; i < shape.size() && i < in.size() && shape[i] == in[i]; ++i) written[i] = 0;
  for (int64_t& extent : shape) {
    if (extent < 0) extent = element_count(in) / -element_count(shape);
  }
  assert(element_count(shape) == element_count(in));
  return b.node("Reshape", name, {x, b.integers(name + "_shape", written)}, {}, std::move(shape));
}

std::string transpose(ZooBuilder& b, const std::string& name, const std::string& x,
                      const std::vector<int64_t>& order) {
  Shape shape;
  for (const int64_t axis : order) shape.push_back(b.shape_of(x)[static_cast<size_t>(axis)]);
  return b.node("Transpose", name, {x}, {{"perm", order}}, std::move(shape));
}

std::string concat(ZooBuilder& b, const std::string& name, const std::vector<std::string>& parts,
                   int64_t axis) {
  Shape shape = b.shape_of(parts.front());
  int64_t& extent = shape[static_cast<size_t>(axis)];
  extent = 0;
  for (const std::string& part : parts) extent += b.shape_of(part)[static_cast<size_t>(axis)];
  return b.node("Concat", name, parts, {{"axis", axis}}, std::move(shape));
}

std::string part(ZooBuilder& b, const std::string& name, const std::string& x, int64_t axis,
                 int64_t index, bool is_axis_kept) {
  Shape shape = b.shape_of(x);
  if (is_axis_kept) {
    shape[static_cast<size_t>(axis)] = 1;
    return b.node("Gather", name, {x, b.integers(name + "_index", {index})}, {{"axis", axis}},
                  std::move(shape));
  }
  shape.erase(shape.begin() + axis);
  const std::string position =
      b.constant(name + "_index", Tensor::of<int64_t>(DataType::kInt64, {}, std::span(&index, 1)));
  return b.node("Gather", name, {x, position}, {{"axis", axis}}, std::move(shape));
}

std::string slice(ZooBuilder& b, const std::string& name, const std::string& x, int64_t axis,
                  int64_t begin, int64_t end) {
  return slice_between(b, name, x, axis, b.integers(name + "_begin", {begin}),
                       b.integers(name + "_end", {end}), end - begin);
}

std::string extent(ZooBuilder& b, const std::string& name, const std::string& x, int64_t axis) {
  const std::string shape =
      b.node("Shape", name + "_of", {x}, {}, {static_cast<int64_t>(b.shape_of(x).size())});
  return part(b, name, shape, 0, axis, true);
}

std::string slice_between(ZooBuilder& b, const std::string& name, const std::string& x,
                          int64_t axis, const std::string& begin, const std::string& end,
                          int64_t count) {
  Shape shape = b.shape_of(x);
  shape[static_cast<size_t>(axis)] = count;
  return b.node("Slice", name, {x, begin, end, b.integers(name + "_axes", {axis})}, {},
                std::move(shape));
}

std::string scale(ZooBuilder& b, const std::string& name, const std::string& x, float factor) {
  return binary(b, "Mul", name, x, b.constant(name + "_factor", factor));
}

std::string matmul(ZooBuilder& b, const std::string& name, const std::string& x,
                   const std::string& y) {
  Shape shape = b.shape_of(x);
  assert(shape.back() == *(b.shape_of(y).end() - 2));
  shape.back() = b.shape_of(y).back();
  return b.node("MatMul", name, {x, y}, {}, std::move(shape));
}

}  // namespace opbench
