#include <algorithm>

#include "opbench/space/space_builder.h"
#include "opbench/space/split_sizes.h"
#include "opbench/tasks/convolution_arguments.h"
#include "opbench/tasks/template.h"

namespace opbench {
namespace {

ConvolutionForm form() { return {.rest = {"dilation", "layout", "out_layout", "out_dtype"}}; }

constexpr size_t kFewest = 5;

struct Blocks {
  std::vector<int64_t> rows;
  std::vector<int64_t> columns;
};

/// Divisors up to 16, descending. The walk over both extents ends with the shorter one, which cuts
/// the candidates of the longer.
Blocks dividing_blocks(int64_t height, int64_t width) {
  Blocks blocks;
  for (int64_t i = 0; i < std::min(height, width); ++i) {
    if (height - i <= 16 && height % (height - i) == 0) blocks.rows.push_back(height - i);
    if (width - i <= 16 && width % (width - i) == 0) blocks.columns.push_back(width - i);
  }
  return blocks;
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

Result<ConfigSpace> space(const std::vector<Argument>& arguments, const Target&) {
  OPBENCH_TRY(const ConvolutionArguments conv, read_convolution(arguments, form()));
  SpaceBuilder builder;
  builder.define_option("tile_ic", divisors_within(conv.in_channels, 1, 32));
  builder.define_option(
      "tile_oc", divisors_within(conv.kernel_out, std::min<int64_t>(conv.kernel_out, 8), 64));
  Blocks blocks = dividing_blocks(conv.output(0), conv.output(1));
  for (int64_t rows = 2; rows < conv.output(0) && blocks.rows.size() < kFewest; ++rows) {
    add_new(blocks.rows, rows);
  }
  for (int64_t columns = std::min<int64_t>(conv.output(1) - 1, 16);
       columns > 1 && blocks.columns.size() < kFewest; --columns) {
    add_new(blocks.columns, columns);
  }
  builder.define_option("block_oh", blocks.rows);
  builder.define_option("block_ow", blocks.columns);
  return std::move(builder).finish();
}

}  // namespace

TemplateDef conv2d_nchwc_intel_graphics_template() {
  return {.name = "conv2d_NCHWc.intel_graphics", .space = space};
}

}  // namespace opbench
