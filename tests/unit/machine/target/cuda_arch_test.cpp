#include "machine/target/cuda_arch.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "machine/target/parse_target.h"

namespace opbench {
namespace {

using ::testing::HasSubstr;

Result<CudaArch> arch_of(const std::string& target) {
  return cuda_arch(parse_target(target).value());
}

TEST(CudaArch, GetsTheHighestPtxThatIsNotAboveIt) {
  const std::vector<std::pair<std::string, CudaArch>> archs = {
      {"sm_30", {30, 30}}, {"sm_35", {35, 35}}, {"sm_37", {37, 35}},  {"sm_52", {52, 50}},
      {"sm_60", {60, 50}}, {"sm_61", {61, 61}}, {"sm_72", {72, 70}},  {"sm_75", {75, 75}},
      {"sm_80", {80, 80}}, {"sm_89", {89, 86}}, {"sm_90a", {90, 86}}, {"sm_120", {120, 86}}};
  for (const auto& [word, expected] : archs) {
    const auto arch = arch_of("cuda -arch=" + word);
    ASSERT_TRUE(arch) << word;
    EXPECT_EQ(*arch, expected) << word;
  }
  EXPECT_EQ(arch_of("cuda").value(), (CudaArch{50, 50}));
}

TEST(CudaArch, IsRefusedWhereItIsNone) {
  const auto misspelled = arch_of("cuda -arch=sm75");
  ASSERT_FALSE(misspelled);
  EXPECT_EQ(misspelled.error().message, "unknown CUDA architecture \"sm75\"");
  EXPECT_THAT(to_text(misspelled.error()), HasSubstr("did you mean: sm_75?"));
  for (const char* word : {"sm_", "sm_7x", "sm_9999", "compute_75", "75"})
    EXPECT_FALSE(arch_of(std::string("cuda -arch=") + word)) << word;
  const auto old = arch_of("cuda -arch=sm_20");
  ASSERT_FALSE(old);
  EXPECT_THAT(to_text(old.error()), HasSubstr("valid: sm_30 and newer"));
}

TEST(CudaArch, SaysWherePtxIsOfAnotherGeneration) {
  const auto note = [](const char* target) { return ptx_note(parse_target(target).value()); };
  EXPECT_EQ(note("cuda -arch=sm_75"), "");
  EXPECT_EQ(note("llvm"), "");
  EXPECT_EQ(note("cuda -arch=sm_90"),
            "code for sm_90 is PTX for sm_86, the newest that Halide 14 makes");
  EXPECT_EQ(note("cuda -arch=sm_60"),
            "code for sm_60 is PTX for sm_50, the next older that Halide 14 makes");
}

TEST(CudaArch, IsTheDevicesWhereTheTargetNamesNone) {
  const auto text = [](const char* target) {
    return display_text(with_arch(parse_target(target).value(), "sm_80"));
  };
  EXPECT_EQ(text("cuda"), "cuda -arch=sm_80");
  EXPECT_EQ(text("cuda -arch=sm_75"), "cuda -arch=sm_75");
}

}  // namespace
}  // namespace opbench
