#include "kernels/loops/nest.h"

#include <gtest/gtest.h>

#include <set>

#include "base/numbers/random.h"
#include "kernels/tasks/task_arguments.h"
#include "kernels/tasks/template.h"
#include "prediction/features/nest_features.h"

namespace opbench {
namespace {

TensorType floats(const Shape& shape) { return {DataType::kFloat32, shape}; }

Task convolution(const Shape& data, const Shape& weight, int64_t pad, const std::string& name) {
  const AnchorCall call{.op = "nn.conv2d",
                        .data = floats(data),
                        .weight = floats(weight),
                        .strides = {1, 1},
                        .padding = {pad, pad, pad, pad},
                        .dilation = {1, 1}};
  return {name, blocked_convolution_arguments(call), {}};
}

Task dense(const std::string& name) {
  return {name,
          {tensor_argument(floats({24, 64})), tensor_argument(floats({60, 64})), Argument::null(),
           Argument::of_string("float32")},
          {}};
}

Task batch_matmul() {
  const AnchorCall call{
      .op = "nn.batch_matmul", .data = floats({12, 128, 64}), .weight = floats({12, 96, 64})};
  return {"batch_matmul.x86", batch_matmul_arguments(call, Argument::of_string("float32")), {}};
}

std::vector<Task> tasks() {
  return {convolution({1, 16, 14, 14}, {32, 16, 3, 3}, 1, "conv2d_NCHWc.x86"),
          convolution({2, 16, 14, 14}, {32, 16, 1, 1}, 0, "conv2d_NCHWc.x86"),
          convolution({1, 16, 14, 14}, {16, 1, 3, 3}, 1, "depthwise_conv2d_NCHWc.x86"),
          dense("dense_nopack.x86"),
          dense("dense_pack.x86"),
          batch_matmul()};
}

LoopNest nest_of(const Task& task, uint64_t index) {
  const KnobConfig config = *config_at(*space_of(task), index);
  return *(*nest_table().find(task.name))->nest(task.arguments, config);
}

/// The multiply-adds of a nest, counted by its loops.
int64_t products(const LoopNest& nest) {
  int64_t sum = 0;
  for (const NestLoop& loop : nest.loops) {
    int64_t iterations = loop.multiplications * loop.extent;
    for (size_t i = loop.parent; i != kNoLoop; i = nest.loops[i].parent) {
      iterations *= nest.loops[i].extent;
    }
    sum += iterations;
  }
  return sum;
}

TEST(Nests, HaveAsManyFeaturesAtEveryConfig) {
  for (const Task& task : tasks()) {
    std::set<size_t> itervar, curve;
    const ConfigSpace space = *space_of(task);
    for (uint64_t i = 0; i < *size_of(space); i += 7) {
      const LoopNest nest = nest_of(task, i);
      itervar.insert(itervar_features(nest).size());
      curve.insert(curve_features(nest).size());
    }
    EXPECT_EQ(itervar.size(), 1) << task.name;
    EXPECT_EQ(curve.size(), 1) << task.name;
    EXPECT_EQ(*curve.begin() % 160, 0) << task.name;
  }
}

TEST(Nests, TellConfigsApart) {
  for (const Task& task : tasks()) {
    const ConfigSpace space = *space_of(task);
    const uint64_t size = *size_of(space);
    std::set<std::vector<float>> seen;
    const uint64_t step = size / 150 + 1;
    size_t configs = 0;
    for (uint64_t i = 0; i < size; i += step, ++configs) {
      seen.insert(itervar_features(nest_of(task, i)));
    }
    // Of dense_pack's `tile_inner` not more than the tile counts, so that some configs are the
    // same.
    const double distinct = task.name == "dense_pack.x86" ? 0.3 : 0.95;
    EXPECT_GE(static_cast<double>(seen.size()), distinct * static_cast<double>(configs))
        << task.name;
  }
}

TEST(Nests, MultiplyAsOftenAsTheOperatorNeeds) {
  const std::vector<int64_t> needed = {14 * 14 * 32 * 16 * 9, 2 * 14 * 14 * 32 * 16,
                                       14 * 14 * 16 * 9,      24 * 60 * 64,
                                       24 * 60 * 64,          12 * 128 * 96 * 64};
  const std::vector<Task> all = tasks();
  for (size_t i = 0; i < all.size(); ++i) {
    const ConfigSpace space = *space_of(all[i]);
    Random random(i, "points");
    for (int draw = 0; draw < 50; ++draw) {
      const int64_t made = products(nest_of(all[i], random.below(*size_of(space))));
      EXPECT_GE(made, needed[i]) << all[i].name;
      // Tiles that reach over the edge compute a little more.
      EXPECT_LT(made, 2 * needed[i]) << all[i].name;
    }
    EXPECT_EQ(products(nest_of(all[i], 0)), needed[i]) << all[i].name;
  }
}

TEST(Nests, OfAConvolutionAreThoseOfTheSpecification) {
  const Task task = convolution({1, 16, 14, 14}, {32, 16, 3, 3}, 1, "conv2d_NCHWc.x86");
  const ConfigSpace space = *space_of(task);
  // tile_ic 4 (of 1 2 4 8 16), tile_oc 8 (of 1 2 4 …), tile_ow 7, unroll_kw True
  uint64_t index = 0;
  for (; index < *size_of(space); ++index) {
    const KnobConfig config = *config_at(space, index);
    if (config.knobs[0].value.items[1].integer == 4 &&
        config.knobs[1].value.items[1].integer == 8 &&
        config.knobs[2].value.items[1].integer == 7 && config.knobs[3].value.flag) {
      break;
    }
  }
  const LoopNest nest = nest_of(task, index);
  std::vector<int64_t> extents;
  for (const NestLoop& loop : nest.loops) extents.push_back(loop.extent);
  // Padding: 4 chunks of 16 rows, 16 columns, 4 channels. Then 4 chunks of 14 rows, 2 tiles: sums
  // over 4 chunks, 3 rows, 4 channels, 3 columns of 7 x 8, and their copy.
  EXPECT_EQ(extents, (std::vector<int64_t>{64, 16, 4, 56, 2, 4, 3, 4, 3, 7, 8, 7, 8}));
  ASSERT_EQ(nest.accesses.size(), 8);
  const NestAccess& data = nest.accesses[4];
  EXPECT_EQ(data.buffer, "data_pad");
  std::vector<int64_t> strides;
  for (const LoopStride& stride : data.strides) strides.push_back(stride.stride);
  // Fused chunk and row: a remainder, 1. Tile 7 * 4; chunk 16 * 16 * 4; row 16 * 4; channel 1;
  // column 4; pixel 4; output channel none.
  EXPECT_EQ(strides, (std::vector<int64_t>{1, 28, 1024, 64, 1, 4, 4, 0}));
  EXPECT_EQ(nest.loops[8].kind, LoopKind::kUnrolled);
  EXPECT_EQ(nest.loops[10].kind, LoopKind::kVectorized);
}

TEST(Nests, RefuseAConfigOfAnotherTemplate) {
  const Task task = dense("dense_nopack.x86");
  const auto nest = (*nest_table().find("conv2d_NCHWc.x86"))
                        ->nest(tasks().front().arguments, *config_at(*space_of(task), 0));
  ASSERT_FALSE(nest);
  EXPECT_EQ(nest.error().message, "the config has no knob \"tile_ic\" of its template");
}

TEST(Nests, AreNotThereForOtherTemplates) {
  EXPECT_TRUE(has_nest("dense_pack.x86"));
  EXPECT_FALSE(has_nest("conv2d_nchw.cuda"));
}

}  // namespace
}  // namespace opbench
