#include "machine/ceilings/bursts.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <new>
#include <system_error>
#include <thread>

#include "machine/resources/pinning.h"

namespace opbench {
namespace {

using BurstsClock = std::chrono::steady_clock;

constexpr double kBurstSeconds = 0.0005;

/// A barrier that spins: waking a sleeping thread takes as long as a tenth of a burst.
class SpinBarrier {
 public:
  explicit SpinBarrier(size_t threads) : threads_(threads) {}

  void wait() {
    const size_t phase = phase_.load();
    if (waiting_.fetch_add(1) + 1 == threads_) {
      waiting_.store(0);
      phase_.fetch_add(1);
      return;
    }
    constexpr int kPatience = 20'000;  // then another process holds the CPU that we wait for
    for (int spins = 0; phase_.load() == phase; ++spins) {
      if (spins > kPatience) std::this_thread::yield();
    }
  }

 private:
  size_t threads_;
  std::atomic<size_t> waiting_ = 0;
  std::atomic<size_t> phase_ = 0;
};

struct Shared {
  explicit Shared(size_t threads)
      : barrier(threads),
        begins(threads),
        ends(threads),
        amounts(threads),
        seconds_of_run(threads),
        failures(threads) {}
  SpinBarrier barrier;
  std::vector<BurstsClock::time_point> begins;
  std::vector<BurstsClock::time_point> ends;
  std::vector<double> amounts;  ///< of a burst
  std::vector<double> seconds_of_run;
  std::vector<Result<void>> failures;
  std::atomic<int> start = 0;  ///< 1: all threads exist; -1: one could not be started
  std::atomic<bool> failed = false;
  std::atomic<bool> done = false;
  BurstsClock::time_point deadline;
  int moments = 0;
  double best = 0;
};

/// Called by one thread between two barriers.
void close_moment(Shared& shared) {
  constexpr int kFewest = 8;
  const BurstsClock::time_point begin = *std::ranges::min_element(shared.begins);
  const BurstsClock::time_point end = *std::ranges::max_element(shared.ends);
  double amount = 0;
  for (const double part : shared.amounts) amount += part;
  const double elapsed = std::chrono::duration<double>(end - begin).count();
  if (elapsed > 0) shared.best = std::max(shared.best, amount / elapsed);
  shared.done = ++shared.moments >= kFewest && end >= shared.deadline;
}

Result<BurstWork> prepare(int cpu, const std::function<BurstWork()>& make) {
  OPBENCH_CHECK(pin_this_thread({cpu}));
  try {
    BurstWork work = make();
    work.run(1);  // touches what it reads, warms the clock
    return work;
  } catch (const std::bad_alloc&) {
    return Error{ErrorCode::kSystem, "not enough memory to measure bandwidth"};
  }
}

double seconds_of(const BurstWork& work, int64_t runs) {
  const BurstsClock::time_point begin = BurstsClock::now();
  work.run(runs);
  return std::chrono::duration<double>(BurstsClock::now() - begin).count();
}

/// Of one run: from the best of three spans long enough to be timed.
double guess_seconds_of_run(const BurstWork& work) {
  int64_t runs = 1;
  double seconds = seconds_of(work, runs);
  while (seconds < kBurstSeconds / 5 && runs < (int64_t{1} << 40)) {
    runs *= 2;
    seconds = seconds_of(work, runs);
  }
  for (int again = 0; again < 2; ++again) seconds = std::min(seconds, seconds_of(work, runs));
  return seconds / static_cast<double>(runs);
}

void run_thread(Shared& shared, size_t index, int cpu, const std::function<BurstWork()>& make) {
  shared.start.wait(0);
  if (shared.start < 0) return;
  const Result<BurstWork> work = prepare(cpu, make);
  if (!work) {
    shared.failures[index] = work.error();
    shared.failed = true;
  }
  shared.barrier.wait();
  if (shared.failed) return;
  shared.seconds_of_run[index] = guess_seconds_of_run(*work);
  shared.barrier.wait();
  const int64_t runs = runs_of_burst(shared.seconds_of_run)[index];
  shared.amounts[index] = work->amount * static_cast<double>(runs);
  while (!shared.done) {
    shared.barrier.wait();
    shared.begins[index] = BurstsClock::now();
    work->run(runs);
    shared.ends[index] = BurstsClock::now();
    shared.barrier.wait();
    if (index == 0) close_moment(shared);
    shared.barrier.wait();
  }
}

}  // namespace

std::vector<int64_t> runs_of_burst(const std::vector<double>& seconds_of_run) {
  constexpr double kAlike = 1.25;
  const auto [least, most] = std::ranges::minmax(seconds_of_run);
  std::vector<int64_t> runs;
  for (const double own : seconds_of_run) {
    const double seconds = std::max(most <= least * kAlike ? least : own, 1e-12);
    runs.push_back(std::max<int64_t>(1, std::llround(kBurstSeconds / seconds)));
  }
  return runs;
}

Result<double> best_rate(const std::vector<int>& cpus, double seconds,
                         const std::function<BurstWork()>& make) {
  Shared shared(cpus.size());
  shared.deadline = BurstsClock::now() + std::chrono::duration_cast<BurstsClock::duration>(
                                             std::chrono::duration<double>(seconds));
  std::vector<std::jthread> threads;
  std::string refused;
  try {
    for (size_t i = 0; i < cpus.size(); ++i) {
      threads.emplace_back([&, i] { run_thread(shared, i, cpus[i], make); });
    }
  } catch (const std::system_error& error) {
    refused = error.what();
  }
  shared.start = refused.empty() ? 1 : -1;
  shared.start.notify_all();
  threads.clear();  // joins them
  if (!refused.empty()) return Error{ErrorCode::kSystem, "cannot start a thread: " + refused};
  for (const Result<void>& failure : shared.failures) OPBENCH_CHECK(failure);
  return shared.best;
}

}  // namespace opbench
