#include "machine/ceilings/transfer_pace.h"

#include <gtest/gtest.h>

#include "machine/resources/pinning.h"

namespace opbench {
namespace {

TEST(TransferPace, IsThatOfCachesOrMemory) {
  const std::vector<int> cpus = current_affinity();
  if (cpus.size() < 2) GTEST_SKIP() << "one CPU";
  std::optional<double> ns;
  for (int i = 0; i < 50 && !ns; ++i) ns = transfer_ns_per_byte(cpus[0], cpus[1]);  // others work
  ASSERT_TRUE(ns);
  EXPECT_GE(*ns, 0);
  EXPECT_LT(*ns, 10) << "0.1 GB/s";
  EXPECT_EQ(current_affinity(), cpus);
}

TEST(TransferPace, IsNotKnownOfACpuThatIsNotThere) {
  EXPECT_FALSE(transfer_ns_per_byte(current_affinity().front(), 60000));
  EXPECT_FALSE(transfer_ns_per_byte(60000, current_affinity().front()));
}

}  // namespace
}  // namespace opbench
