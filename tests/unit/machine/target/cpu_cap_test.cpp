#include "machine/target/cpu_cap.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cap_for_test.h"
#include "machine/target/cpu_features.h"
#include "machine/target/cpuid_words.h"
#include "machine/target/target.h"

namespace opbench {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

const std::set<std::string> kAvx512Cpu = {
    "fpu",   "sse2",     "pni",      "ssse3",    "sse4_1",    "sse4_2",   "popcnt",
    "movbe", "aes",      "avx",      "f16c",     "fma",       "avx2",     "bmi1",
    "bmi2",  "abm",      "avx512f",  "avx512cd", "avx512bw",  "avx512dq", "avx512vl",
    "vaes",  "avx_vnni", "amx_tile", "sse4a",    "hypervisor"};

TEST(CpuCap, IsNothingWithoutTheSetting) {
  const CapForTest none("");
  EXPECT_FALSE(cpu_cap());
  EXPECT_TRUE(check_cpu_cap());
  EXPECT_EQ(within_cap(kAvx512Cpu), kAvx512Cpu);
  EXPECT_EQ(cpu_flags(), uncapped_cpu_flags());
  EXPECT_THAT(beyond_this_cpu(), IsEmpty());
}

TEST(CpuCap, LeavesTheInstructionSetsOfItsProcessor) {
  const CapForTest cap("haswell");
  EXPECT_EQ(cpu_cap(), "haswell");
  EXPECT_THAT(
      within_cap(kAvx512Cpu),
      ElementsAre("abm", "aes", "avx", "avx2", "bmi1", "bmi2", "f16c", "fma", "fpu", "hypervisor",
                  "movbe", "pni", "popcnt", "sse2", "sse4_1", "sse4_2", "ssse3"));
  EXPECT_EQ(display_text(x86_target(within_cap(kAvx512Cpu))), "llvm -mcpu=haswell");
}

TEST(CpuCap, MakesTheTargetOfEveryProcessor) {
  const std::map<std::string, std::string> targets = {
      {"core2", "llvm"},
      {"nehalem", "llvm -mcpu=nehalem"},
      {"ivybridge", "llvm -mcpu=sandybridge"},
      {"znver3", "llvm -mcpu=haswell"},
      {"skylake-avx512", "llvm -mcpu=skylake-avx512"},
      {"sapphirerapids", "llvm -mcpu=skylake-avx512"}};  // the CPU has no more
  for (const auto& [processor, target] : targets) {
    const CapForTest cap(processor);
    EXPECT_EQ(display_text(x86_target(within_cap(kAvx512Cpu))), target) << processor;
  }
}

TEST(CpuCap, AddsNothingThatTheCpuLacks) {
  const CapForTest cap("sapphirerapids");
  EXPECT_THAT(within_cap({"sse2", "avx"}), ElementsAre("avx", "sse2"));
  for (const std::string& flag : cpu_flags()) {
    EXPECT_TRUE(uncapped_cpu_flags().contains(flag)) << flag;
  }
  for (const std::string& feature : beyond_this_cpu()) {
    EXPECT_FALSE(cpu_flags().contains(kernel_word(feature))) << feature;
  }
}

TEST(CpuCap, HoldsForTheTargetOfThisMachine) {
  const CapForTest cap("nehalem");
  EXPECT_LE(vector_isa(host_target()), VectorIsa::kSse41);
  std::string missing;
  EXPECT_FALSE(runs_here({.attributes = {{"mcpu", "haswell"}}}, missing));
  EXPECT_THAT(missing, HasSubstr("avx2"));
}

TEST(CpuCap, RefusesWhatIsNoProcessor) {
  const CapForTest cap("haswel");
  EXPECT_FALSE(cpu_cap());
  const auto checked = check_cpu_cap();
  ASSERT_FALSE(checked);
  EXPECT_EQ(checked.error().code, ErrorCode::kInvalidInput);
  EXPECT_THAT(to_text(checked.error()),
              AllOf(HasSubstr("unknown processor \"haswel\""), HasSubstr("known: "),
                    HasSubstr("did you mean: haswell?"), HasSubstr("in: $OPBENCH_CPU")));
}

TEST(CpuFlags, AreThoseThatCpuidConfirms) {
  for (const std::string& flag : uncapped_cpu_flags()) {
    EXPECT_FALSE(is_denied_by_cpuid(flag)) << flag;
  }
  EXPECT_FALSE(is_denied_by_cpuid("a word of no meaning"));
#if defined(__x86_64__)
  EXPECT_FALSE(is_denied_by_cpuid("sse2"));
  EXPECT_EQ(is_denied_by_cpuid("avx2"), __builtin_cpu_supports("avx2") == 0);
  EXPECT_EQ(is_denied_by_cpuid("avx512f"), __builtin_cpu_supports("avx512f") == 0);
  EXPECT_EQ(is_denied_by_cpuid("avx512_vnni"), __builtin_cpu_supports("avx512vnni") == 0);
  EXPECT_EQ(is_denied_by_cpuid("fma"), __builtin_cpu_supports("fma") == 0);
#endif
}

}  // namespace
}  // namespace opbench
