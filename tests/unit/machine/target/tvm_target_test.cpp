#include "machine/target/tvm_target.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "machine/target/target_text.h"

namespace opbench {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

TvmTarget tvm_target_parsed(const std::string& text) {
  const auto target = parse_tvm_target(text);
  EXPECT_TRUE(target) << text << "\n" << to_text(target.error());
  return target.value_or(TvmTarget{});
}

std::string tvm_target_identity(const std::string& text) {
  return canonical_text(tvm_target_parsed(text).identity);
}

TEST(TvmTarget, ResolvesKeysInTvmsOrder) {
  EXPECT_THAT(tvm_target_parsed("cuda -model=v100").keys, ElementsAre("cuda", "gpu"));
  EXPECT_THAT(tvm_target_parsed("opencl -device=mali -model=rk3399").keys,
              ElementsAre("mali", "opencl", "gpu"));
  EXPECT_THAT(tvm_target_parsed("llvm -device=arm_cpu").keys, ElementsAre("arm_cpu", "cpu"));
  EXPECT_THAT(tvm_target_parsed("ext_dev -device=vta -keys=cpu").keys, ElementsAre("cpu", "vta"));
  EXPECT_THAT(tvm_target_parsed("ext_dev -keys=vta,cpu -device=vta").keys,
              ElementsAre("vta", "cpu"));
  EXPECT_THAT(tvm_target_parsed("hybrid").keys, IsEmpty());
}

TEST(TvmTarget, KnowsArmProcessorsAsTvm014Does) {
  const auto newer = [](const std::string& text) { return tvm_target_parsed(text).keys_014; };
  for (const char* text :
       {"llvm -mtriple=aarch64-linux-gnu", "llvm -mtriple=armv7l-linux-gnueabihf",
        "llvm -mtriple=arm64-apple-macos", "c -mcpu=cortex-m7+nodsp", "c -mtriple=armv8l-linux"}) {
    EXPECT_THAT(newer(text), ElementsAre("arm_cpu", "cpu")) << text;
    EXPECT_THAT(tvm_target_parsed(text).keys, ElementsAre("cpu")) << text;
  }
  EXPECT_THAT(newer("llvm -keys=cpu -mtriple=aarch64-linux-gnu"), ElementsAre("cpu", "arm_cpu"));
  EXPECT_THAT(newer("llvm -device=mine -mtriple=aarch64"), ElementsAre("arm_cpu", "cpu", "mine"));
  EXPECT_THAT(newer("llvm -mtriple=armv8m -mcpu=cortex-m23"), ElementsAre("cpu"));
  EXPECT_THAT(newer("llvm -mtriple=x86_64-linux-gnu"), ElementsAre("cpu"));
  EXPECT_THAT(newer("opencl -mtriple=aarch64-linux-gnu"), ElementsAre("opencl", "gpu"));
}

TEST(TvmTarget, WritesTheTextOfTvm08) {
  EXPECT_EQ(tvm_target_parsed("llvm").canonical, "llvm -keys=cpu -link-params=0");
  EXPECT_EQ(tvm_target_parsed("cuda -model=v100").canonical,
            "cuda -keys=cuda,gpu -max_num_threads=1024 -model=v100 -thread_warp_size=32");
  EXPECT_EQ(
      tvm_target_parsed("llvm -target=armv7l-linux -mattr=+neon,+fp -device=arm_cpu").canonical,
      "llvm -keys=arm_cpu,cpu -device=arm_cpu -link-params=0 -mattr=+neon,+fp "
      "-mtriple=armv7l-linux");
}

TEST(TvmTarget, HasOneIdentityForEveryWayToWriteIt) {
  EXPECT_EQ(tvm_target_identity("opencl -model=rk3399 -device=mali"),
            tvm_target_identity("opencl -device=mali -model=rk3399"));
  EXPECT_EQ(tvm_target_identity("cuda"), tvm_target_identity(tvm_target_parsed("cuda").canonical));
  EXPECT_EQ(tvm_target_identity(R"({"kind":"cuda","tag":"","keys":["cuda","gpu"],"arch":"sm_86",)"
                                R"("max_num_threads":1024,"thread_warp_size":32})"),
            tvm_target_identity("cuda -arch=sm_86"));
  EXPECT_EQ(tvm_target_identity(R"({"kind":"llvm","mcpu":"znver9","num-cores":2,"tag":""})"),
            tvm_target_identity("llvm -mcpu=znver9 -num-cores=2"));
  EXPECT_NE(tvm_target_identity("llvm -device=arm_cpu -mattr=+neon"),
            tvm_target_identity("llvm -device=arm_cpu"));
  EXPECT_EQ(tvm_target_identity("llvm -model=unknown"), tvm_target_identity("llvm"));
}

TEST(TvmTarget, TakesNothingFromThisMachine) {
  EXPECT_THAT(tvm_target_identity("llvm -mcpu=native"), HasSubstr("native"));
  EXPECT_FALSE(parse_tvm_target("@/etc/hostname").value_or(TvmTarget{}).warnings.empty());
}

TEST(TvmTarget, KeepsAnUnknownKindAndSaysSo) {
  const TvmTarget target = tvm_target_parsed("myasic -model=a");
  EXPECT_EQ(target.model, "a");
  EXPECT_THAT(target.warnings, ElementsAre("unknown target kind \"myasic\""));
  EXPECT_THAT(tvm_target_parsed("llvm").warnings, IsEmpty());
}

TEST(TvmTarget, RefusesWhatHasNoForm) {
  for (const char* text :
       {"", "  ", "llvm -a=1 -a=2", "llvm x", "{\"kind\":", "{}", "{\"kind\":5}"}) {
    EXPECT_FALSE(parse_tvm_target(text)) << text;
  }
}

}  // namespace
}  // namespace opbench
