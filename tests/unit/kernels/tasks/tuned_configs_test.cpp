#include <gtest/gtest.h>

#include "kernels/space/fallback_config.h"
#include "kernels/tasks/legacy_space.h"
#include "task_maker.h"

/// Configs that others tuned with templates of which the shared data have no log: what TVM 0.11
/// wrote on Adreno, and 0.7 on Intel's and AMD's GPUs (the public logs of TopHub).
namespace opbench {
namespace {

using test::Conv;
using test::conv_arguments;
using test::plain_conv;
using test::word;

struct TunedConfig {
  std::string task;
  Conv conv;
  uint64_t index;
  std::vector<std::vector<int64_t>> values;  ///< sizes of a split, one value of an option
  std::string kind = "opencl";
};

KnobConfig tuned_configs_config_of(const TunedConfig& tuned, const ConfigSpace& space) {
  KnobConfig config{.index = tuned.index};
  for (size_t i = 0; i < tuned.values.size(); ++i) {
    const Knob& knob = space.knobs.at(i);
    const std::vector<int64_t>& value = tuned.values[i];
    config.knobs.push_back(knob.kind == KnobKind::kSplit
                               ? split_value(knob.name, value)
                               : option_value(knob.name, Argument::of_int(value[0])));
  }
  return config;
}

std::vector<TunedConfig> adreno_configs() {
  const std::string direct = "conv2d_nchwc.image2d";
  const std::string winograd = "conv2d_nchw_winograd.image2d";
  return {
      {direct,
       {256, 128, 32, 1},
       4451,
       {{-1, 1, 8}, {-1, 2, 1}, {-1, 2, 16}, {-1, 2}, {-1, 1}, {-1, 1}, {0}, {0}}},
      {direct,
       {320, 1, 256, 1},
       12780,
       {{-1, 1, 2}, {-1, 4, 1}, {-1, 2, 2}, {-1, 80}, {-1, 1}, {-1, 1}, {512}, {0}}},
      {direct,
       {512, 13, 1000, 1},
       56818,
       {{-1, 2, 125}, {-1, 8, 2}, {-1, 1, 2}, {-1, 8}, {-1, 1}, {-1, 1}, {1500}, {0}}},
      {direct,
       {3, 224, 96, 7, 2, 3},
       243892,
       {{-1, 2, 12}, {-1, 7, 1}, {-1, 1, 16}, {-1, 1}, {-1, 7}, {-1, 7}, {0}, {1}}},
      {"depthwise_conv2d_nchwc.image2d",
       {304, 128, 304, 3, 1, 1, 304},
       465930,
       {{-1, 1, 1}, {-1, 2, 1}, {-1, 1, 128}, {-1, 3}, {-1, 3}, {512}, {1}}},
      {winograd, {64, 13, 256, 3, 1, 1}, 1273, {{4}, {-1, 1, 64}, {-1, 7, 1}, {-1, 8}}},
      {winograd, {48, 27, 192, 3, 1, 1}, 857, {{16}, {-1, 6, 8}, {-1, 4, 7}, {-1, 1}}},
      {winograd, {32, 55, 128, 3, 1, 1}, 4319, {{16}, {-1, 1, 32}, {-1, 8, 2}, {-1, 4}}},
  };
}

std::vector<TunedConfig> other_configs() {
  const std::string intel = "conv2d_NCHWc.intel_graphics";
  const std::string direct = "conv2d_nchw.cuda";
  return {
      {intel, {3, 512, 64, 7, 2, 3}, 98, {{1}, {16}, {4}, {4}}},
      {intel, {64, 128, 64, 1}, 80, {{4}, {16}, {2}, {16}}},
      {intel, {128, 128, 128, 3, 2, 1}, 302, {{4}, {32}, {4}, {4}}},
      {intel, {256, 128, 512, 1, 2}, 181, {{2}, {32}, {4}, {8}}},
      {direct,
       {1024, 7, 1024, 1},
       227122,
       {{64, 1, 16, 1}, {1, 1, 7, 1}, {1, 1, 7, 1}, {32, 32}, {1, 1}, {1, 1}, {512}, {1}},
       "rocm"},
      {direct,
       {2048, 7, 512, 1},
       146539,
       {{128, 1, 4, 1}, {1, 1, 7, 1}, {1, 1, 7, 1}, {64, 32}, {1, 1}, {1, 1}, {0}, {1}}},
      {"conv2d_nchw_winograd.cuda",
       {128, 28, 128, 3, 1, 1},
       447890,
       {{16, 1, 1, 1}, {8, 2, 4, 2}, {1, 4, 49, 1}, {4, 32}, {128}, {1}}},
  };
}

void expect_consistent(const TunedConfig& config) {
  const bool is_blocked = config.task == "conv2d_NCHWc.intel_graphics";
  const Task task{config.task,
                  is_blocked ? conv_arguments(config.conv, {word("NCHW"), word("NCHW"), word("x")})
                             : plain_conv(config.conv),
                  Target{.kind = config.kind}};
  const auto space = space_of(task);
  ASSERT_TRUE(space) << to_text(space.error());
  const auto logged = logged_space(task, tuned_configs_config_of(config, *space));
  ASSERT_TRUE(logged);
  EXPECT_TRUE(logged->is_consistent) << config.task << " " << config.index << " is "
                                     << index_of(logged->space, logged->config).value_or(0);
}

TEST(TunedConfigs, OfAdrenoDecode) {
  for (const TunedConfig& config : adreno_configs()) expect_consistent(config);
}

TEST(TunedConfigs, OfIntelAndAmdDecode) {
  for (const TunedConfig& config : other_configs()) expect_consistent(config);
}

}  // namespace
}  // namespace opbench
