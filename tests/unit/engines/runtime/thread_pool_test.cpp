#include "engines/runtime/teams/thread_pool.h"

#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <chrono>
#include <memory>
#include <thread>
#include <vector>

namespace opbench {
namespace {

/// What a loop's body notes.
struct Notes {
  explicit Notes(int count) : calls(static_cast<size_t>(count)) {}
  std::vector<std::atomic<int>> calls;
  int minimum = 0;
  ThreadPool* pool = nullptr;
};

int thread_pool_note(void* context, int index, uint8_t* closure) {
  auto* notes = static_cast<Notes*>(context);
  ++notes->calls[static_cast<size_t>(index - notes->minimum)];
  return closure == nullptr ? 0 : *closure;
}

class ThreadPoolOf : public ::testing::TestWithParam<int> {};

TEST_P(ThreadPoolOf, RunsEveryIterationOnce) {
  ThreadPool pool(GetParam(), {});
  EXPECT_EQ(pool.threads(), GetParam());
  for (const int minimum : {0, -3, 7}) {
    for (const int count : {0, 1, 2, 3, 4, 5, 7, 16, 61, 1000}) {
      Notes notes(count);
      notes.minimum = minimum;
      EXPECT_EQ(pool.parallel_for(thread_pool_note, &notes, minimum, count, nullptr), 0);
      for (const auto& calls : notes.calls) ASSERT_EQ(calls, 1);
    }
  }
}

TEST_P(ThreadPoolOf, KeepsManyShortLoopsApart) {
  ThreadPool pool(GetParam(), {});
  Notes notes(8);
  for (int loop = 0; loop < 2000; ++loop) {
    const int count = 2 + loop % 7;
    ASSERT_EQ(pool.parallel_for(thread_pool_note, &notes, 0, count, nullptr), 0);
    for (int i = 0; i < 8; ++i) ASSERT_EQ(notes.calls[static_cast<size_t>(i)], i < count ? 1 : 0);
    for (auto& calls : notes.calls) calls = 0;
  }
}

int run_inner(void* context, int index, uint8_t*) {
  auto* notes = static_cast<Notes*>(context);
  const auto thread = std::this_thread::get_id();
  struct Inner {
    Notes* notes;
    int row;
    std::thread::id thread;
  } inner{notes, index, thread};
  const auto body = [](void* argument, int column, uint8_t*) {
    auto* mine = static_cast<Inner*>(argument);
    ++mine->notes->calls[static_cast<size_t>(mine->row * 10 + column)];
    return mine->thread == std::this_thread::get_id() ? 0 : 1;
  };
  return notes->pool->parallel_for(body, &inner, 0, 10, nullptr);
}

TEST_P(ThreadPoolOf, RunsALoopInsideALoopOnTheThreadThatMeetsIt) {
  ThreadPool pool(GetParam(), {});
  Notes notes(120);
  notes.pool = &pool;
  EXPECT_EQ(pool.parallel_for(run_inner, &notes, 0, 12, nullptr), 0);
  for (const auto& calls : notes.calls) ASSERT_EQ(calls, 1);
  EXPECT_EQ(pool.parallel_for(run_inner, &notes, 0, 12, nullptr), 0) << "the pool is usable again";
  for (const auto& calls : notes.calls) ASSERT_EQ(calls, 2);
}

int fail_at_five(void*, int index, uint8_t*) { return index == 5 ? -17 : 0; }

TEST_P(ThreadPoolOf, ReturnsACodeAndForgetsItAfterwards) {
  ThreadPool pool(GetParam(), {});
  EXPECT_EQ(pool.parallel_for(fail_at_five, nullptr, 0, 40, nullptr), -17);
  EXPECT_EQ(pool.parallel_for(fail_at_five, nullptr, 5, 1, nullptr), -17);
  EXPECT_EQ(pool.parallel_for(fail_at_five, nullptr, 6, 40, nullptr), 0);
  uint8_t code = 3;
  Notes notes(30);
  EXPECT_EQ(pool.parallel_for(thread_pool_note, &notes, 0, 30, &code), 3);
  for (const auto& calls : notes.calls) ASSERT_EQ(calls, 1) << "a failure stops no other iteration";
}

TEST_P(ThreadPoolOf, EndsWheneverItIsDestroyed) {
  for (int round = 0; round < 300; ++round) {
    auto pool = std::make_unique<ThreadPool>(GetParam(), std::vector<int>());
    Notes notes(3);
    for (int loop = 0; loop < round % 4; ++loop) {
      ASSERT_EQ(pool->parallel_for(thread_pool_note, &notes, 0, 3, nullptr), 0);
    }
    pool.reset();
    for (const auto& calls : notes.calls) ASSERT_EQ(calls, round % 4);
  }
}

TEST_P(ThreadPoolOf, IsUsableBeforeAndAfterAWaking) {
  ThreadPool pool(GetParam(), {});
  pool.wake();
  Notes notes(40);
  for (int loop = 1; loop <= 20; ++loop) {
    ASSERT_EQ(pool.parallel_for(thread_pool_note, &notes, 0, 40, nullptr), 0);
    for (const auto& calls : notes.calls) ASSERT_EQ(calls, loop);
    std::this_thread::sleep_for(std::chrono::milliseconds(2));  // long enough to fall asleep
    pool.wake();
    pool.wake();
  }
}

INSTANTIATE_TEST_SUITE_P(Threads, ThreadPoolOf, ::testing::Values(1, 2, 3, 4));

/// Iterations that wait until two threads are at work at once: only possible if a worker comes.
struct Meeting {
  std::atomic<int> present = 0;
};

int meet(void* context, int, uint8_t*) {
  auto* meeting = static_cast<Meeting*>(context);
  ++meeting->present;
  while (meeting->present < 2) std::this_thread::yield();
  return 0;
}

TEST(ThreadPool, HasAWorkerInEveryLoop) {
  ThreadPool pool(2, {});
  for (int loop = 0; loop < 3000; ++loop) {
    Meeting meeting;
    ASSERT_EQ(pool.parallel_for(meet, &meeting, 0, 2, nullptr), 0);
  }
}

/// Three iterations that wait for each other, so that each has a thread of its own.
struct Company {
  std::atomic<int> present = 0;
  std::array<std::thread::id, 3> threads;
};

int keep_company(void* context, int index, uint8_t*) {
  auto* company = static_cast<Company*>(context);
  company->threads[static_cast<size_t>(index)] = std::this_thread::get_id();
  ++company->present;
  while (company->present < 3) std::this_thread::yield();
  return 0;
}

TEST(ThreadPool, GivesEachThreadTheSamePartOfEqualLoops) {
  ThreadPool pool(3, {});
  Company first;
  ASSERT_EQ(pool.parallel_for(keep_company, &first, 0, 3, nullptr), 0);
  EXPECT_EQ(first.threads[0], std::this_thread::get_id());
  for (int loop = 0; loop < 300; ++loop) {
    Company company;
    ASSERT_EQ(pool.parallel_for(keep_company, &company, 0, 3, nullptr), 0);
    ASSERT_EQ(company.threads, first.threads);
  }
}

/// The first iteration waits until all others are done, which only others can do.
int wait_for_rest(void* context, int index, uint8_t*) {
  auto* done = static_cast<std::atomic<int>*>(context);
  if (index > 0) return ++*done, 0;
  while (*done < 99) std::this_thread::yield();
  return 0;
}

TEST(ThreadPool, HelpsWithThePartOfAThreadThatIsHeldUp) {
  ThreadPool pool(2, {});
  for (int loop = 0; loop < 100; ++loop) {
    std::atomic<int> done = 0;
    ASSERT_EQ(pool.parallel_for(wait_for_rest, &done, 0, 100, nullptr), 0);
  }
}

}  // namespace
}  // namespace opbench
