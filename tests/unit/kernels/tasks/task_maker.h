#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

#include "kernels/tasks/template.h"

/// Arguments of tasks as AutoTVM has them.
namespace opbench::test {

using Ints = std::vector<int64_t>;

inline Argument ints(const Ints& values) {
  std::vector<Argument> items;
  for (const int64_t value : values) items.push_back(Argument::of_int(value));
  return Argument::of_tuple(std::move(items));
}

inline Argument tensor(const Ints& extents, const std::string& type = "float32") {
  Argument result = ints(extents);
  result.kind = ArgumentKind::kTensor;
  result.text = type;
  return result;
}

inline Argument word(const std::string& text) { return Argument::of_string(text); }

/// A square convolution `in_channels`@`size` to `out_channels`, NCHW.
struct Conv {
  int64_t in_channels;
  int64_t size;
  int64_t out_channels;
  int64_t taps;
  int64_t stride = 1;
  int64_t padding = 0;
  int64_t groups = 1;
  std::string type = "float32";
};

/// data, kernel, strides, padding, dilation, then `rest`.
inline std::vector<Argument> conv_arguments(const Conv& c, const std::vector<Argument>& rest) {
  std::vector<Argument> result = {
      tensor({1, c.in_channels, c.size, c.size}, c.type),
      tensor({c.out_channels, c.in_channels / c.groups, c.taps, c.taps}, c.type),
      ints({c.stride, c.stride}),
      ints({c.padding, c.padding, c.padding, c.padding}),
      ints({1, 1}),
  };
  result.insert(result.end(), rest.begin(), rest.end());
  return result;
}

inline std::vector<Argument> plain_conv(const Conv& c) {
  return conv_arguments(c, {word("float32")});
}

inline std::vector<Argument> nchwc_conv(const Conv& c) {
  return conv_arguments(c, {word("NCHW"), word("NCHW"), word("float32")});
}

inline std::vector<Argument> dense(int64_t rows, int64_t columns, int64_t depth,
                                   const std::string& type = "float32") {
  return {tensor({rows, depth}, type), tensor({columns, depth}, type), Argument::null(),
          word("float32")};
}

inline std::vector<Argument> batch_matmul(int64_t batch, int64_t rows, int64_t columns,
                                          int64_t depth) {
  return {tensor({batch, rows, depth}), tensor({batch, columns, depth}),
          ints({batch, rows, columns}), word("float32"),
          Argument::of_int(0),          Argument::of_int(1)};
}

inline ConfigSpace space_of_task(const std::string& name, const std::vector<Argument>& arguments,
                                 const std::string& target = "llvm") {
  auto space = space_of({name, arguments, Target{.kind = target}});
  EXPECT_TRUE(space) << to_text(space.error());
  return space.value_or(ConfigSpace{});
}

inline uint64_t length(const std::string& name, const std::vector<Argument>& arguments,
                       const std::string& target = "llvm") {
  return size_of(space_of_task(name, arguments, target)).value();
}

}  // namespace opbench::test
