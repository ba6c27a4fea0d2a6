#include "machine/ceilings/transfer_pace.h"

#include <gtest/gtest.h>

#include "machine/resources/pinning.h"

namespace opbench {
namespace {

TEST(TransferPace, IsThatOfCachesOrMemory) {
  const std::vector<int> cpus = current_affinity();
  if (cpus.size() < 2) GTEST_SKIP() << "one CPU";
  constexpr std::chrono::minutes kLimit{1};  // tests beside this one leave the threads little time
  const std::optional<double> ns = transfer_ns_per_byte(cpus[0], cpus[1], kLimit);
  ASSERT_TRUE(ns);
  EXPECT_GE(*ns, 0);
  EXPECT_LT(*ns, 1000) << "no machine is that slow, an emulated one included";
  EXPECT_EQ(current_affinity(), cpus);
}

TEST(TransferPace, IsNotKnownOfACpuThatIsNotThere) {
  EXPECT_FALSE(transfer_ns_per_byte(current_affinity().front(), 60000));
  EXPECT_FALSE(transfer_ns_per_byte(60000, current_affinity().front()));
}

}  // namespace
}  // namespace opbench
