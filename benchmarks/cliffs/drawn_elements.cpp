#include <fmt/format.h>

#include "benchmarks/cliffs/draw.h"

namespace opbench {
namespace {

Shape drawn_elements_any_shape(Draw& draw) {
  return draw.shape(static_cast<size_t>(draw.between(1, 4)),
                    static_cast<double>(draw.between(20'000, 2'000'000)));
}

/// The same shape with 1 along some axes, and fewer axes in front.
Shape broadcast(Draw& draw, Shape shape) {
  if (draw.once_in(3)) return shape;
  for (int64_t& extent : shape) extent = draw.once_in(2) ? 1 : extent;
  while (shape.size() > 1 && shape.front() == 1 && draw.once_in(2)) shape.erase(shape.begin());
  return shape;
}

std::string function(Draw& draw) {
  static const std::vector<std::string> kTypes = {
      "sigmoid",      "tanh",       "relu", "exp",  "erf",  "gelu",  "softplus",
      "leaky_relu",   "elu",        "sqrt", "abs",  "neg",  "round", "hard_swish",
      "hard_sigmoid", "sin",        "cos",  "atan", "selu", "floor", "mish",
      "softsign",     "reciprocal", "log",  "sign", "clip"};
  const std::string& type = draw.any(kTypes);
  const std::string text = shape_text(drawn_elements_any_shape(draw));
  return type == "clip" ? fmt::format("clip {} =-0.5 =0.5", text) : type + " " + text;
}

std::string chain(Draw& draw) {
  const Shape shape = drawn_elements_any_shape(draw);
  std::string text = fmt::format("{} {} {}", draw.any<std::string>({"mul", "add", "sub", "div"}),
                                 shape_text(shape), shape_text(broadcast(draw, shape)));
  const int64_t steps = draw.between(0, 3);
  for (int64_t i = 0; i < steps; ++i) {
    if (draw.once_in(2))
      text += "; " + draw.any<std::string>({"relu", "sigmoid", "tanh", "sqrt", "abs"});
    else
      text += fmt::format("; {} {}", draw.any<std::string>({"mul", "add", "max", "sub"}),
                          shape_text(broadcast(draw, shape)));
  }
  return text;
}

std::string power(Draw& draw) {
  return fmt::format("pow {} ={}", shape_text(drawn_elements_any_shape(draw)),
                     draw.any<std::string>({"2", "3", "0.5"}));
}

std::string comparison(Draw& draw) {
  const Shape shape = drawn_elements_any_shape(draw);
  return fmt::format("{} {} {}",
                     draw.any<std::string>({"greater", "less", "equal", "greater_or_equal"}),
                     shape_text(shape), shape_text(broadcast(draw, shape)));
}

std::string choice(Draw& draw) {
  const Shape shape = drawn_elements_any_shape(draw);
  return fmt::format("where {}:bool {} {}", shape_text(broadcast(draw, shape)), shape_text(shape),
                     shape_text(broadcast(draw, shape)));
}

/// To and from float32; ONNX numbers the types.
std::string cast(Draw& draw) {
  const std::string text = shape_text(drawn_elements_any_shape(draw));
  if (draw.once_in(2)) return fmt::format("cast {} to={}", text, draw.one_of({6, 7, 9, 10, 11}));
  return fmt::format("cast {}:{} to=1", text,
                     draw.any<std::string>({"int32", "int64", "uint8", "bool", "float16"}));
}

std::string integers(Draw& draw) {
  const Shape shape = drawn_elements_any_shape(draw);
  const std::string type = draw.any<std::string>({"int64", "int32"});
  return fmt::format("{} {}:{} {}:{}", draw.any<std::string>({"add", "sub", "mul"}),
                     shape_text(shape), type, shape_text(broadcast(draw, shape)), type);
}

std::string slope(Draw& draw) {
  Shape shape = draw.shape(2, 2000);
  shape.insert(shape.begin(), {1, draw.between(4, 100)});
  return fmt::format("prelu {} w:{}x1x1", shape_text(shape), shape[1]);
}

}  // namespace

std::vector<DrawnKind> element_kinds() {
  return {{3, function}, {4, chain}, {1, power},    {1, comparison},
          {1, choice},   {1, cast},  {1, integers}, {1, slope}};
}

}  // namespace opbench
