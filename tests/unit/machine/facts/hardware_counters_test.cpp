#include "machine/facts/hardware_counters.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <linux/perf_event.h>
#include <unistd.h>

namespace opbench {
namespace {

// The kernel counts these itself, on virtual machines too.
const std::vector<CounterEvent> kSoftware = {
    {"task_clock", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_TASK_CLOCK}};

TEST(HardwareCounters, CountWhatAProcessDoes) {
  if (const auto reason = no_counters(kSoftware)) GTEST_SKIP() << *reason;
  const auto counters = HardwareCounters::open(::getpid(), kSoftware);
  ASSERT_TRUE(counters);
  volatile double sum = 0;
  for (int i = 0; i < 1000000; ++i) sum = sum + i;
  EXPECT_GT(counters->read().at("task_clock"), 0);
}

TEST(HardwareCounters, AreRefusedInOneLine) {
  constexpr uint32_t kNoType = 4096;
  const auto reason = no_counters({{"nothing", kNoType, 0}});
  ASSERT_TRUE(reason);
  EXPECT_EQ(reason->find('\n'), std::string::npos);
  EXPECT_FALSE(reason->empty());
}

TEST(HardwareCounters, NeedAProcess) { EXPECT_FALSE(HardwareCounters::open(999999999, kSoftware)); }

}  // namespace
}  // namespace opbench
