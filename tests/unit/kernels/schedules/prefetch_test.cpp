#include <gtest/gtest.h>

#include <string>

#include "kernel_code.h"

namespace opbench {
namespace {

size_t count_of(const std::string& text, const std::string& word) {
  size_t count = 0;
  for (size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + 1)) ++count;
  return count;
}

struct PrefetchCase {
  const char* schedule;
  const char* workload;
};

constexpr PrefetchCase kPrefetchManyWeights[] = {
    {"dense", "dense 30x1024 w:1024x600"},
    {"conv2d_pointwise", "conv2d 1x1024x7x7 w:640x1024x1x1"},
    {"conv2d_winograd", "conv2d 1x256x14x14 w:256x256x3x3 pads=1,1,1,1"},
};

TEST(Prefetch, AsksForWeightsBeforeTheyAreRead) {
  for (const auto& [schedule, workload] : kPrefetchManyWeights) {
    const std::string code = code_of(workload, schedule, {{"ahead", 1}});
    EXPECT_GT(count_of(code, "vfmadd"), 0U) << schedule << ": " << code;
    EXPECT_GT(count_of(code, "prefetcht0"), 0U) << schedule;
    EXPECT_EQ(count_of(code, "prefetchnta"), 0U) << schedule;
  }
}

TEST(Prefetch, AsksForNothingWithoutTheKnob) {
  for (const auto& [schedule, workload] : kPrefetchManyWeights) {
    const std::string code = code_of(workload, schedule, {{"ahead", 0}});
    EXPECT_GT(count_of(code, "vfmadd"), 0U) << schedule << ": " << code;
    EXPECT_EQ(count_of(code, "prefetch"), 0U) << schedule;
  }
}

TEST(Prefetch, ChangesNoResult) {
  for (const auto& [schedule, workload] : kPrefetchManyWeights) {
    auto spec = kernel_spec(workload, "host", schedule);
    ASSERT_TRUE(spec) << to_text(spec.error());
    spec->config["ahead"] = 1;
    const auto error = kernel_error(*spec);
    ASSERT_TRUE(error) << to_text(error.error());
    EXPECT_LT(*error, 2e-5) << schedule;
  }
}

}  // namespace
}  // namespace opbench
