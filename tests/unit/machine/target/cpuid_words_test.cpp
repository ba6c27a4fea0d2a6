#include "machine/target/cpuid_words.h"

#include <gtest/gtest.h>

#include "machine/target/cpu_features.h"

namespace opbench {
namespace {

TEST(CpuidWords, StandInForProcCpuinfo) {
  const auto words = words_of_cpuid();
  const auto flags = uncapped_cpu_flags();
  for (const char* word : {"sse4_1", "sse4_2", "avx", "avx2", "fma", "avx512f", "avx512bw"}) {
    EXPECT_EQ(words.contains(word), flags.contains(word)) << word;
  }
  EXPECT_FALSE(words.contains("amx_tile"));
}

}  // namespace
}  // namespace opbench
