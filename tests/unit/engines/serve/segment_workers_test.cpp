#include "engines/serve/segment_workers.h"

#include <gmock/gmock.h>

#include "base/system/monotonic_clock.h"
#include "package_fixture.h"

namespace opbench {
namespace {

constexpr double kLong = 60;  // seconds

class WorkersOfSegments : public PackageFixture {
 protected:
  void SetUp() override {
    package_ = loaded();
    ASSERT_TRUE(package_->set_input(0, floats({1, 6}, {1, 1, 1, 1, 1, 1})));
    for (int i = 0; i < 2; ++i) arenas_.push_back(*QueryArena::make({package_.get()}));
  }

  SegmentLaunch launch(int query, std::vector<int> workers, std::vector<StepRange> segments) {
    return {query, arenas_[static_cast<size_t>(query)].get(), 0, std::move(workers),
            std::move(segments)};
  }

  static std::vector<EndedLaunch> wait_for(SegmentWorkers& workers, size_t count) {
    std::vector<EndedLaunch> all;
    while (all.size() < count) {
      for (EndedLaunch& one : workers.wait(monotonic_s() + kLong)) all.push_back(std::move(one));
    }
    return all;
  }

  std::unique_ptr<LoadedPackage> package_;
  std::vector<std::unique_ptr<QueryArena>> arenas_;
};

TEST_F(WorkersOfSegments, RunQueriesSideBySideAndTogetherAgainAndAgain) {
  SegmentWorkers workers({-1, -1});
  for (int round = 0; round < 300; ++round) {
    workers.start(launch(0, {0}, {{0, 1}}));
    workers.start(launch(1, {1}, {{0, 2}}));
    ASSERT_EQ(wait_for(workers, 2).size(), 2u);
    workers.start(launch(0, {round % 2, 1 - round % 2}, {{1, 2}}));
    ASSERT_EQ(wait_for(workers, 1).front().query, 0);
    for (const auto& arena : arenas_) {
      ASSERT_EQ(values_of(arena->output(0)), (std::vector<float>{1, 2, 3, 4, 5, 6}));
      arena->poison();
    }
  }
}

TEST_F(WorkersOfSegments, SayWhenEachSegmentBeganAndEnded) {
  SegmentWorkers workers({-1});
  const double before = monotonic_s();
  workers.start(launch(0, {0}, {{0, 1}, {1, 2}}));
  const std::vector<EndedLaunch> ended = wait_for(workers, 1);
  ASSERT_EQ(ended.front().segments.size(), 2u);
  EXPECT_EQ(ended.front().code, 0);
  double last = before;
  for (const SegmentTime& time : ended.front().segments) {
    EXPECT_GE(time.start_s, last);
    EXPECT_GE(time.end_s, time.start_s);
    last = time.end_s;
  }
  EXPECT_LE(last, monotonic_s());
}

TEST_F(WorkersOfSegments, AreNotWaitedForAfterTheTimeGiven) {
  SegmentWorkers workers({-1});
  EXPECT_TRUE(workers.wait(monotonic_s() - 1).empty());
  EXPECT_TRUE(workers.wait(monotonic_s() + 1e-3).empty());
}

TEST_F(WorkersOfSegments, AnswerALaunchOfNothing) {
  SegmentWorkers workers({-1, -1});
  workers.start(launch(0, {1, 0}, {}));
  EXPECT_TRUE(wait_for(workers, 1).front().segments.empty());
}

}  // namespace
}  // namespace opbench
