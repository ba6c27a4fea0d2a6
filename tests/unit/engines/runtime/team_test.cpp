#include "engines/runtime/teams/team.h"

#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <chrono>
#include <thread>
#include <vector>

#include "engines/runtime/teams/thread_pool.h"

namespace opbench {
namespace {

using Counts = std::vector<std::atomic<int>>;

int count_up(void* context, int index, uint8_t*) {
  ++(*static_cast<Counts*>(context))[static_cast<size_t>(index)];
  return 0;
}

class TeamWithSpins : public ::testing::TestWithParam<int> {
 protected:
  Team team_{2, GetParam()};
};

TEST_P(TeamWithSpins, SharesLoopsOfAStepUntilItIsDismissed) {
  constexpr int kSteps = 300;
  std::thread helper([&] {
    for (uint64_t step = 1; step <= kSteps; ++step) team_.help(1, step);
  });
  for (uint64_t step = 1; step <= kSteps; ++step) {
    for (const int count : {2, 7, 64}) {
      Counts calls(static_cast<size_t>(count));
      EXPECT_EQ(team_.parallel_for(count_up, &calls, 0, count, nullptr), 0);
      for (const auto& number : calls) ASSERT_EQ(number, 1);
    }
    team_.dismiss(step);
  }
  helper.join();
}

TEST_P(TeamWithSpins, DoesNotWaitForAHelperThatComesLate) {
  Counts calls(5);
  EXPECT_EQ(team_.parallel_for(count_up, &calls, 0, 5, nullptr), 0);
  team_.dismiss(1);
  EXPECT_EQ(team_.parallel_for(count_up, &calls, 0, 5, nullptr), 0);
  team_.dismiss(2);
  for (const auto& number : calls) EXPECT_EQ(number, 2);
  // Both steps are over: it returns at once.
  team_.help(1, 1);
  team_.help(1, 2);
}

TEST_P(TeamWithSpins, WakesAHelperThatSleeps) {
  std::thread helper([&] { team_.help(1, 1); });
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  team_.dismiss(1);
  helper.join();
}

INSTANTIATE_TEST_SUITE_P(Spins, TeamWithSpins, ::testing::Values(0, 1, 4000));

/// What every thread of a pool does in a call of its own.
struct OwnCalls {
  std::array<std::atomic<int>, 4> calls = {};
  std::array<std::thread::id, 4> threads;
};

int note_thread(void* context, int member, uint8_t*) {
  auto* own = static_cast<OwnCalls*>(context);
  ++own->calls[static_cast<size_t>(member)];
  own->threads[static_cast<size_t>(member)] = std::this_thread::get_id();
  return 0;
}

TEST(Team, GivesEachMemberOneCallOnItsOwnThread) {
  ThreadPool pool(3, {});
  OwnCalls first;
  EXPECT_EQ(pool.team().run_on_each(note_thread, &first), 0);
  for (int run = 0; run < 500; ++run) {
    OwnCalls own;
    EXPECT_EQ(pool.team().run_on_each(note_thread, &own), 0);
    for (size_t i = 0; i < 3; ++i) {
      ASSERT_EQ(own.calls[i], 1);
      ASSERT_EQ(own.threads[i], first.threads[i]);
    }
  }
  EXPECT_EQ(first.threads[0], std::this_thread::get_id());
}

TEST(Team, MixesCallsOfEachWithSharedLoops) {
  ThreadPool pool(2, {});
  for (int run = 0; run < 300; ++run) {
    OwnCalls own;
    EXPECT_EQ(pool.team().run_on_each(note_thread, &own), 0);
    Counts calls(9);
    EXPECT_EQ(pool.parallel_for(count_up, &calls, 0, 9, nullptr), 0);
    for (const auto& number : calls) ASSERT_EQ(number, 1);
  }
}

/// Two workers: a loop of both, led by the second, between calls of their own.
struct TwoWorkers {
  Team both{2};
  std::atomic<int> run = 0;
  Counts calls = Counts(16);
};

int lead_or_help(void* context, int worker, uint8_t*) {
  auto* workers = static_cast<TwoWorkers*>(context);
  const auto step = static_cast<uint64_t>(workers->run.load());
  if (worker == 0) {
    workers->both.help(1, step);
    return 0;
  }
  const int code = workers->both.parallel_for(count_up, &workers->calls, 0, 16, nullptr);
  workers->both.dismiss(step);
  return code;
}

TEST(Team, LetsAnyMemberLeadAnotherTeam) {
  ThreadPool pool(2, {});
  TwoWorkers workers;
  for (int run = 1; run <= 300; ++run) {
    workers.run = run;
    EXPECT_EQ(pool.team().run_on_each(lead_or_help, &workers), 0);
    for (const auto& number : workers.calls) ASSERT_EQ(number, run);
  }
}

int fail_in_second(void*, int member, uint8_t*) { return member == 1 ? 7 : 0; }

TEST(Team, ReturnsTheCodeOfAMember) {
  ThreadPool pool(2, {});
  EXPECT_EQ(pool.team().run_on_each(fail_in_second, nullptr), 7);
}

}  // namespace
}  // namespace opbench
