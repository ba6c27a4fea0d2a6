#include "machine/ceilings/reread_pace.h"

#include <gtest/gtest.h>

#include "base/system/monotonic_clock.h"
#include "machine/resources/pinning.h"

namespace opbench {
namespace {

TEST(RereadPace, IsThatOfCaches) {
  const std::vector<int> cpus = current_affinity();
  constexpr double kMost = 10;  // 0.1 GB/s
  // Beside busy programs a series may be interrupted, and all of them.
  std::optional<double> ns;
  const double end = monotonic_s() + 120;
  while (!(ns && *ns < kMost) && monotonic_s() < end) ns = reread_ns_per_byte(cpus.front());
  ASSERT_TRUE(ns);
  EXPECT_GE(*ns, 0);
  EXPECT_LT(*ns, kMost);
  EXPECT_EQ(current_affinity(), cpus);
}

TEST(RereadPace, IsNotKnownOfACpuThatIsNotThere) { EXPECT_FALSE(reread_ns_per_byte(60000)); }

}  // namespace
}  // namespace opbench
