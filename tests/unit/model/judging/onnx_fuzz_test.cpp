#include "onnx_fuzz.h"

#include <gtest/gtest.h>

#include <set>

namespace opbench {
namespace {

constexpr auto kModels = "/usr/share/libonnx-testdata/data";

TEST(OnnxFuzz, EveryDamagedModelIsTakenOrRefused) {
  const auto fuzz = OnnxFuzz::make(20261125, kModels);
  if (!fuzz) GTEST_SKIP() << "needs the models of libonnx-testdata";
  for (uint64_t number = 0; number < 1500; ++number) {
    const auto held = fuzz->run(fuzz->input(number));
    ASSERT_TRUE(held) << "model " << number << ": " << held.error().message;
  }
}

TEST(OnnxFuzz, EqualSeedsGiveEqualModels) {
  const auto fuzz = OnnxFuzz::make(1, kModels);
  if (!fuzz) GTEST_SKIP() << "needs the models of libonnx-testdata";
  const auto same = OnnxFuzz::make(1, kModels);
  const auto other = OnnxFuzz::make(2, kModels);
  std::set<std::string> seen;
  for (uint64_t number = 0; number < 50; ++number) {
    EXPECT_EQ(fuzz->input(number), same->input(number));
    seen.insert(fuzz->input(number));
    seen.insert(other->input(number));
  }
  EXPECT_GT(seen.size(), 90U);
}

}  // namespace
}  // namespace opbench
