#include <utility>

#include "base/numbers/number.h"
#include "kernels/tasks/strategy.h"
#include "kernels/tasks/task_arguments.h"

// The VTA accelerator. Convolutions whose channels fill its blocks run packed, on 8-bit integers;
// the others, as a model's first, run on the board's ARM processor. Like TVM's script for it, this
// looks at convolutions alone.

namespace opbench {
namespace {

using VtaImplementations = std::vector<Implementation>;

/// Extents of one matrix product of the hardware.
struct Blocks {
  int64_t batch = 1;
  int64_t channels = 16;
};

/// From the model's name: `pynq_1x16_i8w8a32_15_15_18_17` has blocks of 1x16.
Blocks blocks_of(const Target& target) {
  const auto model = target.attributes.find("model");
  if (model == target.attributes.end()) return {};
  const size_t cross = model->second.find('x');
  const size_t begin = model->second.rfind('_', cross);
  const size_t end = model->second.find('_', cross == std::string::npos ? cross : cross + 1);
  if (cross == std::string::npos || begin == std::string::npos) return {};
  const auto batch = parse_integer(model->second.substr(begin + 1, cross - begin - 1));
  const auto channels = parse_integer(model->second.substr(cross + 1, end - cross - 1));
  if (!batch || !channels || *batch < 1 || *channels < 1) return {};
  return {*batch, *channels};
}

Strategy vta_unpacked(const std::string& op) {
  const auto arm = strategy_table().find("arm_cpu");
  return arm ? (*arm)->operators.at(op) : nullptr;
}

/// Data N/b x C/c x H x W x b x c, filters O/c x C/c x KH x KW x c x c.
AnchorCall packed(const AnchorCall& call, const Blocks& blocks) {
  AnchorCall result = call;
  const Shape& data = call.data.shape;
  const Shape& filters = call.weight.shape;
  result.data = {DataType::kInt8,
                 {data[0] / blocks.batch, data[1] / blocks.channels, data[2], data[3], blocks.batch,
                  blocks.channels}};
  result.weight = {DataType::kInt8,
                   {filters[0] / blocks.channels, filters[1] / blocks.channels, filters[2],
                    filters[3], blocks.channels, blocks.channels}};
  result.result = DataType::kInt32;
  return result;
}

bool fills_blocks(const AnchorCall& call, const Blocks& blocks) {
  return call.is_undilated() && call.data.shape[0] % blocks.batch == 0 &&
         call.weight.shape[0] % blocks.channels == 0 && call.weight.shape[1] % blocks.channels == 0;
}

VtaImplementations vta_conv2d(const AnchorCall& call, const Target& target) {
  const Blocks blocks = blocks_of(target);
  if (!fills_blocks(call, blocks)) return vta_unpacked("nn.conv2d")(call, target);
  const AnchorCall on_blocks = packed(call, blocks);
  if (call.groups > 1) {
    return {{"group_conv2d_packed.vta", group_convolution_arguments(on_blocks)}};
  }
  std::vector<Argument> arguments = convolution_arguments(on_blocks);
  const std::string layout =
      "NCHW" + std::to_string(blocks.batch) + "n" + std::to_string(blocks.channels) + "c";
  arguments.insert(arguments.end() - 1, Argument::of_string(layout));
  return {{"conv2d_packed.vta", arguments}};
}

VtaImplementations vta_conv2d_transpose(const AnchorCall& call, const Target& target) {
  const Blocks blocks = blocks_of(target);
  if (call.groups > 1 || !fills_blocks(call, blocks)) {
    return vta_unpacked("nn.conv2d_transpose")(call, target);
  }
  AnchorCall swapped = call;
  std::swap(swapped.weight.shape[0], swapped.weight.shape[1]);
  return {
      {"conv2d_transpose_packed.vta", transposed_convolution_arguments(packed(swapped, blocks))}};
}

VtaImplementations none(const AnchorCall&, const Target&) { return {}; }

}  // namespace

StrategyDef vta_strategy() {
  return {.name = "vta",
          .operators = {{"nn.conv2d", vta_conv2d},
                        {"nn.conv2d_transpose", vta_conv2d_transpose},
                        {"nn.conv1d", none},
                        {"nn.conv3d", none},
                        {"nn.conv1d_transpose", none},
                        {"nn.conv3d_transpose", none},
                        {"nn.dense", none},
                        {"nn.batch_matmul", none}},
          .is_quantized = true};
}

}  // namespace opbench
