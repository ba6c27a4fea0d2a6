#include "experiments/plan/set_kernels.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace opbench {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

PreparedUnit set_kernels_unit_of(const std::string& workload) {
  PreparedUnit unit;
  unit.identity.workload = parse_workload(workload).value();
  unit.identity.blocks = {0, 0};
  return unit;
}

KernelChoice kernel_of(const std::string& workload) {
  return {.workload = text_of(parse_workload(workload).value()),
          .blocks = {0, 0},
          .schedule = "map",
          .origin = "space"};
}

KeptSet set_of(const std::string& first, const std::string& second, double speedup) {
  return {.arrangement = Arrangement::kSideBySide,
          .kernels = {kernel_of(first), kernel_of(second)},
          .speedup = speedup};
}

/// `relu 4` before `relu 5` and `relu 6`, which do not need each other, both before `relu 7`.
class SetKernels : public ::testing::Test {
 protected:
  SetKernels() {
    graph_.units = {{.name = "a"},
                    {.name = "b", .needs = {{0}}},
                    {.name = "c", .needs = {{0}}},
                    {.name = "d", .needs = {{1}, {2}}}};
  }

  /// `workload origin` of each kernel.
  std::vector<std::string> taken(const std::map<std::string, KeptSet>& sets) const {
    std::vector<std::string> texts;
    for (const KernelChoice& kernel : set_kernels(sets, graph_, units_)) {
      EXPECT_EQ(kernel.threads, 1);
      texts.push_back(kernel.workload + ", " + kernel.origin);
    }
    return texts;
  }

  UnitGraph graph_;
  std::vector<PreparedUnit> units_ = {set_kernels_unit_of("relu 4"), set_kernels_unit_of("relu 5"),
                                      set_kernels_unit_of("relu 6"), set_kernels_unit_of("relu 7")};
};

TEST_F(SetKernels, AreThoseOfUnitsThatCanRunSideBySide) {
  EXPECT_THAT(taken({{"k", set_of("relu 6", "relu 5", 1.1)}}),
              ElementsAre("relu 5, set k", "relu 6, set k"));
  EXPECT_THAT(taken({{"k", set_of("relu 4", "relu 5", 1.1)}}), IsEmpty()) << "one needs the other";
  EXPECT_THAT(taken({{"k", set_of("relu 4", "relu 7", 1.1)}}), IsEmpty()) << "by way of others";
  EXPECT_THAT(taken({{"k", set_of("relu 5", "relu 9", 1.1)}}), IsEmpty()) << "it is not there";
  EXPECT_THAT(taken({{"k", set_of("relu 5", "relu 5", 1.1)}}), IsEmpty()) << "it is there once";
}

TEST_F(SetKernels, AreOfTheSetThatGainedMore) {
  units_[3] = set_kernels_unit_of("relu 6");
  graph_.units[3].needs = {{0}};
  KeptSet more = set_of("relu 6", "relu 6", 1.3);
  more.kernels[0].schedule = "other";
  EXPECT_THAT(taken({{"k", set_of("relu 5", "relu 6", 1.1)}, {"l", more}}),
              ElementsAre("relu 5, set k", "relu 6, set l"));
  EXPECT_EQ(set_kernels({{"l", more}}, graph_, units_).front().schedule, "other");
}

TEST_F(SetKernels, AreNoneWhereOneUnitAfterTheOtherIsTheChoice) {
  KeptSet set = set_of("relu 5", "relu 6", 1);
  set.arrangement = Arrangement::kSequential;
  EXPECT_THAT(taken({{"k", set}}), IsEmpty());
}

}  // namespace
}  // namespace opbench
