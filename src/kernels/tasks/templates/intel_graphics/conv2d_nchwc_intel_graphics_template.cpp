#include <algorithm>

#include "base/numbers/divisors.h"
#include "kernels/space/space_builder.h"
#include "kernels/tasks/convolution_arguments.h"
#include "kernels/tasks/template.h"

namespace opbench {
namespace {

ConvolutionForm conv2d_nchwc_intel_graphics_form() {
  return {.rest = {"dilation", "layout", "out_layout", "out_dtype"}};
}

constexpr size_t kFewest = 5;

/// Divisors up to 16, descending. The template walks down both extents of the output together and
/// ends with the shorter one, which cuts the candidates of the longer.
std::vector<int64_t> dividing_blocks(int64_t extent, int64_t other) {
  std::vector<int64_t> result = divisors_of(extent);
  const int64_t last = extent - std::min(extent, other);
  std::erase_if(result, [last](int64_t divisor) { return divisor > 16 || divisor <= last; });
  std::ranges::reverse(result);
  return result;
}

void add_new(std::vector<int64_t>& values, int64_t value) {
  if (std::ranges::find(values, value) == values.end()) values.push_back(value);
}

/// 1 and the number itself if there is none.
std::vector<int64_t> divisors_within(int64_t number, int64_t low, int64_t high) {
  std::vector<int64_t> result = divisors_of(number);
  std::erase_if(result, [=](int64_t divisor) { return divisor < low || divisor > high; });
  return result.empty() ? std::vector<int64_t>{1, number} : result;
}

Result<ConfigSpace> conv2d_nchwc_intel_graphics_space(const std::vector<Argument>& arguments,
                                                      const Target&) {
  OPBENCH_TRY(const ConvolutionArguments conv,
              read_convolution(arguments, conv2d_nchwc_intel_graphics_form()));
  SpaceBuilder builder;
  builder.define_option("tile_ic", divisors_within(conv.in_channels, 1, 32));
  builder.define_option(
      "tile_oc", divisors_within(conv.kernel_out, std::min<int64_t>(conv.kernel_out, 8), 64));
  std::vector<int64_t> rows = dividing_blocks(conv.output(0), conv.output(1));
  std::vector<int64_t> columns = dividing_blocks(conv.output(1), conv.output(0));
  for (int64_t count = 2; count < conv.output(0) && rows.size() < kFewest; ++count) {
    add_new(rows, count);
  }
  for (int64_t count = std::min<int64_t>(conv.output(1) - 1, 16);
       count > 1 && columns.size() < kFewest; --count) {
    add_new(columns, count);
  }
  builder.define_option("block_oh", rows);
  builder.define_option("block_ow", columns);
  return std::move(builder).finish();
}

}  // namespace

TemplateDef conv2d_nchwc_intel_graphics_template() {
  return {.name = "conv2d_NCHWc.intel_graphics", .space = conv2d_nchwc_intel_graphics_space};
}

}  // namespace opbench
