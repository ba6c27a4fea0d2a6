#include "machine/ceilings/transfer_pace.h"

#include <gtest/gtest.h>

#include "base/system/monotonic_clock.h"
#include "machine/resources/pinning.h"

namespace opbench {
namespace {

TEST(TransferPace, IsThatOfCachesOrMemory) {
  const std::vector<int> cpus = current_affinity();
  if (cpus.size() < 2) GTEST_SKIP() << "one CPU";
  constexpr std::chrono::minutes kLimit{1};  // tests beside this one leave the threads little time
  constexpr double kMost = 1000;             // no machine is that slow, an emulated one included
  // Beside busy programs a series may be interrupted, and all of them.
  std::optional<double> ns;
  const double end = monotonic_s() + 120;
  while (!(ns && *ns < kMost) && monotonic_s() < end) {
    ns = transfer_ns_per_byte(cpus[0], cpus[1], kLimit);
  }
  ASSERT_TRUE(ns);
  EXPECT_GE(*ns, 0);
  EXPECT_LT(*ns, kMost);
  EXPECT_EQ(current_affinity(), cpus);
}

TEST(TransferPace, IsNotKnownOfACpuThatIsNotThere) {
  EXPECT_FALSE(transfer_ns_per_byte(current_affinity().front(), 60000));
  EXPECT_FALSE(transfer_ns_per_byte(60000, current_affinity().front()));
}

}  // namespace
}  // namespace opbench
