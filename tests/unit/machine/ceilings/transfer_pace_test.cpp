#include "machine/ceilings/transfer_pace.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/system/monotonic_clock.h"
#include "machine/resources/pinning.h"

namespace opbench {
namespace {

using ::testing::HasSubstr;

TEST(TransferPace, IsThatOfCachesOrMemory) {
  const std::vector<int> cpus = current_affinity();
  if (cpus.size() < 2) GTEST_SKIP() << "one CPU";
  constexpr std::chrono::minutes kLimit{1};  // tests beside this one leave the threads little time
  constexpr double kMost = 1000;             // no machine is that slow, an emulated one included
  // Beside busy programs a series may be interrupted, and all of them.
  TransferPace pace;
  const double end = monotonic_s() + 120;
  const auto is_likely = [&] { return pace.ns_per_byte.value_or(0) < kMost; };
  do {
    pace = measured_transfer_pace(cpus[0], cpus[1], kLimit);
  } while (!is_likely() && monotonic_s() < end);
  EXPECT_TRUE(is_likely());
  EXPECT_NE(pace.ns_per_byte.has_value(), !pace.reason.empty());
  EXPECT_GT(pace.ns_per_byte.value_or(1), 0);
  EXPECT_EQ(current_affinity(), cpus);
}

TEST(TransferPace, IsNotKnownOfACpuThatIsNotThere) {
  const int cpu = current_affinity().front();
  EXPECT_FALSE(measured_transfer_pace(cpu, 60000).ns_per_byte);
  EXPECT_EQ(measured_transfer_pace(60000, cpu),
            (TransferPace{{}, "no thread can run on CPU 60000"}));
}

TEST(TransferPace, IsTheDifferenceOfTheFastestTurns) {
  const TransferPace pace =
      transfer_pace_of({900, 520, 500, 510, 3000, 505}, {110, 100, 105, 400, 101, 100}, 1000);
  ASSERT_TRUE(pace.ns_per_byte) << pace.reason;
  EXPECT_DOUBLE_EQ(*pace.ns_per_byte, 0.4);
}

TEST(TransferPace, IsAbsentWhereItCannotBeToldFrom0) {
  const auto pace = [](double shared_ns, double own_ns) {
    return transfer_pace_of({shared_ns, shared_ns + 20, shared_ns + 30, shared_ns + 40},
                            {own_ns, own_ns + 10, own_ns + 30, own_ns + 40}, size_t{256} << 10);
  };
  EXPECT_TRUE(pace(1040, 1000).ns_per_byte);
  for (const double shared_ns : {500.0, 1000.0, 1025.0}) {
    EXPECT_FALSE(pace(shared_ns, 1000).ns_per_byte) << shared_ns;
    EXPECT_THAT(pace(shared_ns, 1000).reason, HasSubstr("cannot be told from 0: 256 KiB took"));
  }
}

TEST(TransferPace, IsModelledByTheLastCache) {
  const Ceilings ceilings{.bandwidth = {{.level = "L1", .one_thread = 200},
                                        {.level = "L3", .one_thread = 20},
                                        {.level = "DRAM", .one_thread = 10}}};
  EXPECT_EQ(last_cache_of(ceilings)->level, "L3");
  EXPECT_EQ(last_cache_of({.bandwidth = {{.level = "DRAM", .one_thread = 10}}})->level, "DRAM");
  EXPECT_FALSE(last_cache_of({.bandwidth = {{.level = "L1", .one_thread = 0}}}));
}

}  // namespace
}  // namespace opbench
