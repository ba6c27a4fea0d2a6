#include "prediction/zero_shot/config_encoder.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "dense_tasks.h"

namespace opbench {
namespace {

Task convolution(int64_t kernel, int64_t pad) {
  const AnchorCall call{.op = "nn.conv2d",
                        .data = {DataType::kFloat32, {1, 16, 14, 14}},
                        .weight = {DataType::kFloat32, {32, 16, kernel, kernel}},
                        .strides = {1, 1},
                        .padding = {pad, pad, pad, pad},
                        .dilation = {1, 1}};
  return {"conv2d_NCHWc.x86", blocked_convolution_arguments(call), host_target()};
}

float value_of(const ConfigEncoder& encoder, uint64_t config, const std::string& name) {
  const auto at = std::ranges::find(encoder.names(), name) - encoder.names().begin();
  EXPECT_LT(at, std::ssize(encoder.names())) << name;
  return encoder.encode(config)[static_cast<size_t>(at)];
}

TEST(ConfigEncoder, NamesEveryNumberOnce) {
  for (const Task& task : {convolution(3, 1), convolution(1, 0), dense_task(16, 64, 64)}) {
    const ConfigSpace space = space_of(task).value();
    const ConfigEncoder encoder(task, space);
    const std::set<std::string> names(encoder.names().begin(), encoder.names().end());
    EXPECT_EQ(names.size(), encoder.names().size());
    for (uint64_t config = 0; config < size_of(space).value(); config += 7)
      EXPECT_EQ(encoder.encode(config).size(), encoder.names().size());
  }
}

TEST(ConfigEncoder, TellsAllConfigsApart) {
  const Task task = dense_task(16, 64, 64);
  const ConfigSpace space = space_of(task).value();
  const ConfigEncoder encoder(task, space);
  std::set<std::vector<float>> rows;
  const uint64_t size = size_of(space).value();
  for (uint64_t config = 0; config < size; ++config) rows.insert(encoder.encode(config));
  EXPECT_EQ(rows.size(), size);
}

TEST(ConfigEncoder, HasLogarithmsOfSizes) {
  const Task task = dense_task(16, 64, 64);
  const ConfigSpace space = space_of(task).value();
  const ConfigEncoder encoder(task, space);
  EXPECT_FLOAT_EQ(value_of(encoder, 0, "tile_x axis"), std::log2(65.0F));
  EXPECT_FLOAT_EQ(value_of(encoder, 0, "argument 0.0"), std::log2(17.0F));
}

TEST(ConfigEncoder, SharesNamesBetweenShapesWithOtherKnobs) {
  // Of the two only the 1x1 convolution has a knob tile_oh, the other has unroll_kw.
  const Task a = convolution(3, 1), b = convolution(1, 0);
  const ConfigSpace space_a = space_of(a).value(), space_b = space_of(b).value();
  const ConfigEncoder encoder_a(a, space_a), encoder_b(b, space_b);
  const auto has = [](const ConfigEncoder& encoder, const char* name) {
    return std::ranges::find(encoder.names(), name) != encoder.names().end();
  };
  for (const char* name : {"tile_ic x tile_oc", "tile_ow fills vectors", "argument 1.2"}) {
    EXPECT_TRUE(has(encoder_a, name) && has(encoder_b, name)) << name;
  }
  EXPECT_TRUE(has(encoder_a, "unroll_kw") && !has(encoder_b, "unroll_kw"));
}

}  // namespace
}  // namespace opbench
