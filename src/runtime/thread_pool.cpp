#include "opbench/runtime/thread_pool.h"

#include <immintrin.h>
#include <sched.h>

namespace opbench {
namespace {

// About 100 µs on current machines: longer than the gap between two kernels of a model.
constexpr int kSpins = 4000;

// As the next iteration: no iteration to take.
constexpr uint64_t kClosed = 0xffffffffU;

thread_local bool is_inside_loop = false;  // NOLINT: per thread, and only this file sees it

uint32_t epoch_of(uint64_t state) { return static_cast<uint32_t>(state >> 32); }
uint32_t index_of(uint64_t state) { return static_cast<uint32_t>(state); }

void pin_to(int cpu) {
  cpu_set_t set;
  CPU_ZERO(&set);
  CPU_SET(static_cast<size_t>(cpu), &set);
  sched_setaffinity(0, sizeof(set), &set);
}

}  // namespace

ThreadPool::ThreadPool(int threads, const std::vector<int>& cpus) {
  for (int i = 1; i < threads; ++i) {
    const int cpu = i < static_cast<int>(cpus.size()) ? cpus[static_cast<size_t>(i)] : -1;
    workers_.emplace_back([this, cpu] { work(cpu); });
  }
}

ThreadPool::~ThreadPool() {
  stopping_ = true;
  state_.fetch_add(1ULL << 32);
  state_.notify_all();
  for (std::thread& worker : workers_) worker.join();
}

bool ThreadPool::take_one() {
  uint64_t state = state_.load(std::memory_order_acquire);
  const uint32_t count = count_.load(std::memory_order_relaxed);
  Body body = body_.load(std::memory_order_relaxed);
  void* context = context_.load(std::memory_order_relaxed);
  uint8_t* closure = closure_.load(std::memory_order_relaxed);
  const int minimum = minimum_.load(std::memory_order_relaxed);
  const uint32_t index = index_of(state);
  if (index == kClosed) {  // the loop opens in a moment: who slept now would miss all of it
    _mm_pause();
    return true;
  }
  if (index >= count) return false;
  if (!state_.compare_exchange_strong(state, state + 1, std::memory_order_acq_rel)) return true;
  is_inside_loop = true;
  const int code = body(context, minimum + static_cast<int>(index), closure);
  is_inside_loop = false;
  if (code != 0) failure_.store(code, std::memory_order_relaxed);
  done_.fetch_add(1, std::memory_order_acq_rel);
  return true;
}

bool ThreadPool::wait_for_loop(uint64_t seen) {
  // The end has an epoch too, the last: who has seen it already would wait for ever.
  if (stopping_) return false;
  for (int spin = 0; spin < kSpins; ++spin) {
    if (epoch_of(state_.load(std::memory_order_acquire)) != epoch_of(seen)) return !stopping_;
    _mm_pause();
  }
  sleepers_.fetch_add(1);
  for (uint64_t state = state_.load(); epoch_of(state) == epoch_of(seen); state = state_.load()) {
    state_.wait(state);
  }
  sleepers_.fetch_sub(1);
  return !stopping_;
}

void ThreadPool::work(int cpu) {
  if (cpu >= 0) pin_to(cpu);
  uint64_t seen = 0;
  while (wait_for_loop(seen)) {
    seen = state_.load(std::memory_order_acquire);
    while (take_one()) continue;
  }
}

int ThreadPool::parallel_for(Body body, void* context, int minimum, int count, uint8_t* closure) {
  if (count <= 0) return 0;
  if (workers_.empty() || is_inside_loop || count == 1) {
    int failure = 0;
    for (int i = 0; i < count; ++i) {
      const int code = body(context, minimum + i, closure);
      if (code != 0) failure = code;
    }
    return failure;
  }
  // Closed before the loop's values change: nobody takes an iteration of a half-written loop.
  const uint64_t next_epoch = static_cast<uint64_t>(epoch_of(state_.load()) + 1) << 32;
  state_.exchange(next_epoch | kClosed, std::memory_order_acq_rel);
  body_.store(body, std::memory_order_relaxed);
  context_.store(context, std::memory_order_relaxed);
  closure_.store(closure, std::memory_order_relaxed);
  minimum_.store(minimum, std::memory_order_relaxed);
  count_.store(static_cast<uint32_t>(count), std::memory_order_relaxed);
  failure_.store(0, std::memory_order_relaxed);
  done_.store(0, std::memory_order_relaxed);
  state_.store(next_epoch);
  if (sleepers_.load() > 0) state_.notify_all();
  while (take_one()) continue;
  for (int spin = 0; done_.load(std::memory_order_acquire) != static_cast<uint32_t>(count);
       ++spin) {
    if (spin < kSpins) {
      _mm_pause();
    } else {
      sched_yield();
    }
  }
  return failure_.load(std::memory_order_relaxed);
}

}  // namespace opbench
