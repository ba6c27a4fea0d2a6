#include "engines/catalog/emulator.h"

#include <gtest/gtest.h>

#include "machine/target/parse_target.h"

namespace opbench {
namespace {

TEST(Emulator, IsNoneForCodeOfThisMachine) {
  EXPECT_EQ(emulator_of(host_target()).value(), std::nullopt);
}

TEST(Emulator, IsNoneWithoutAnEngineForTheTarget) {
  EXPECT_EQ(emulator_of(parse_target("llvm -mtriple=riscv64-linux-gnu").value()).value(),
            std::nullopt);
  EXPECT_EQ(emulator_of(parse_target("opencl").value()).value(), std::nullopt);
}

// Either all is there, or the error names what is missing and what gives it.
TEST(Emulator, OfArm64RunsItsEngineOrSaysWhatIsMissing) {
  if (is_arm64(host_target())) GTEST_SKIP() << "this machine runs such code itself";
  const auto found = emulator_of(parse_target("llvm -mtriple=aarch64-linux-gnu").value());
  if (found) {
    EXPECT_TRUE((*found)->name.starts_with("qemu-aarch64 "));
    EXPECT_TRUE((*found)->command.back().ends_with("arm64/opbench-engine-halide"));
    return;
  }
  EXPECT_EQ(found.error().code, ErrorCode::kEnvironment);
  ASSERT_EQ(found.error().facts.size(), 2U);
  EXPECT_EQ(found.error().facts[0].label, "missing");
  EXPECT_EQ(found.error().facts[1].label, "help");
}

}  // namespace
}  // namespace opbench
