#include "machine/ceilings/reread_pace.h"

#include <gtest/gtest.h>

#include "machine/resources/pinning.h"

namespace opbench {
namespace {

TEST(RereadPace, IsThatOfCaches) {
  const std::vector<int> cpus = current_affinity();
  const std::optional<double> ns = reread_ns_per_byte(cpus.front());
  ASSERT_TRUE(ns);
  EXPECT_GE(*ns, 0);
  EXPECT_LT(*ns, 10) << "0.1 GB/s";
  EXPECT_EQ(current_affinity(), cpus);
}

TEST(RereadPace, IsNotKnownOfACpuThatIsNotThere) { EXPECT_FALSE(reread_ns_per_byte(60000)); }

}  // namespace
}  // namespace opbench
