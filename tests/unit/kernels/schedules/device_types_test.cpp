#include <gtest/gtest.h>

#include <algorithm>

#include "kernels/schedules/schedule.h"
#include "machine/target/parse_target.h"

namespace opbench {
namespace {

KernelSpec spec_for_device(const std::string& workload, const char* target) {
  KernelSpec spec;
  spec.workload = parse_workload(workload).value();
  spec.layouts.resize(spec.workload.graph.inputs.size() + 1);
  spec.target = parse_target(target).value();
  return spec;
}

TEST(DeviceTypes, KeepSchedulesOfOtherDevicesAway) {
  for (const char* workload : {"relu 1x64x56x56", "dense 1x8 w:4x8 transB=1", "softmax 2x7"}) {
    KernelSpec cpu = spec_for_device(workload, "llvm");
    ASSERT_TRUE(choose_schedule(cpu)) << workload;
    for (const char* target : {"opencl", "cuda -arch=sm_75"}) {
      KernelSpec other = spec_for_device(workload, target);
      if (!choose_schedule(other)) continue;
      const ScheduleDef& schedule = **schedule_table().find(other.schedule);
      EXPECT_TRUE(makes_kernels_for(schedule, other.target)) << workload << " " << target;
      EXPECT_FALSE(makes_kernels_for(schedule, cpu.target)) << workload << " " << target;
    }
  }
}

TEST(DeviceTypes, OfAScheduleAreTheCpuUnlessItSaysElse) {
  const ScheduleDef& dense = **schedule_table().find("dense");
  EXPECT_TRUE(makes_kernels_for(dense, parse_target("llvm").value()));
  EXPECT_FALSE(makes_kernels_for(dense, parse_target("opencl").value()));
}

}  // namespace
}  // namespace opbench
