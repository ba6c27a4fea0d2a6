#include "opbench/runtime/thread_pool.h"

#include <immintrin.h>
#include <sched.h>

namespace opbench {
namespace {

// About 100 µs on current machines: longer than the gap between two kernels of a model.
constexpr int kSpins = 4000;

// As the next iteration of a part: none to take.
constexpr uint64_t kClosed = 0xffffffffU;

thread_local bool is_inside_loop = false;  // NOLINT: per thread, and only this file sees it

uint32_t index_of(uint64_t state) { return static_cast<uint32_t>(state); }

void pin_to(int cpu) {
  cpu_set_t set;
  CPU_ZERO(&set);
  CPU_SET(static_cast<size_t>(cpu), &set);
  sched_setaffinity(0, sizeof(set), &set);
}

}  // namespace

ThreadPool::ThreadPool(int threads, const std::vector<int>& cpus)
    : parts_(static_cast<size_t>(threads)) {
  for (size_t i = 1; i < parts_.size(); ++i) {
    const int cpu = i < cpus.size() ? cpus[i] : -1;
    workers_.emplace_back([this, i, cpu] { work(i, cpu); });
  }
}

ThreadPool::~ThreadPool() {
  stopping_ = true;
  epoch_.fetch_add(1);
  epoch_.notify_all();
  for (std::thread& worker : workers_) worker.join();
}

uint32_t ThreadPool::begin_of(size_t part, uint32_t count) const {
  return static_cast<uint32_t>(part * count / parts_.size());
}

/// False when the part has nothing left. Adds what it makes to `made`.
bool ThreadPool::take_one(size_t part, uint32_t& made) {
  std::atomic<uint64_t>& place = parts_[part].state;
  uint64_t state = place.load(std::memory_order_acquire);
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
  if (index >= begin_of(part + 1, count)) return false;
  if (!place.compare_exchange_strong(state, state + 1, std::memory_order_acq_rel)) return true;
  is_inside_loop = true;
  const int code = call_task(body, context, minimum + static_cast<int>(index), closure);
  is_inside_loop = false;
  if (code != 0) failure_.store(code, std::memory_order_relaxed);
  ++made;
  return true;
}

/// Its own part first, then what the others have left. What was made is counted once a part, as all
/// threads write that count; no loop ends, so no other begins, before it is.
void ThreadPool::take_all(size_t own) {
  for (size_t i = 0; i < parts_.size(); ++i) {
    uint32_t made = 0;
    while (take_one((own + i) % parts_.size(), made)) continue;
    if (made > 0) done_.fetch_add(made, std::memory_order_acq_rel);
  }
}

bool ThreadPool::wait_for_loop(uint32_t seen) {
  // The end has an epoch too, the last: who has seen it already would wait for ever.
  if (stopping_) return false;
  for (int spin = 0; spin < kSpins; ++spin) {
    if (epoch_.load(std::memory_order_acquire) != seen) return !stopping_;
    _mm_pause();
  }
  sleepers_.fetch_add(1);
  while (epoch_.load() == seen) epoch_.wait(seen);
  sleepers_.fetch_sub(1);
  return !stopping_;
}

void ThreadPool::work(size_t own, int cpu) {
  if (cpu >= 0) pin_to(cpu);
  uint32_t seen = 0;
  while (wait_for_loop(seen)) {
    seen = epoch_.load(std::memory_order_acquire);
    parts_[own].seen.store(seen, std::memory_order_release);
    take_all(own);
  }
}

// An epoch without a loop: the parts of the last one have nothing left.
void ThreadPool::wake() {
  const uint32_t epoch = epoch_.fetch_add(1) + 1;
  epoch_.notify_all();
  for (size_t i = 1; i < parts_.size(); ++i) {
    while (parts_[i].seen.load(std::memory_order_acquire) != epoch) _mm_pause();
  }
}

int ThreadPool::parallel_for(Body body, void* context, int minimum, int count, uint8_t* closure) {
  if (count <= 0) return 0;
  if (workers_.empty() || is_inside_loop || count == 1) {
    int failure = 0;
    for (int i = 0; i < count; ++i) {
      const int code = call_task(body, context, minimum + i, closure);
      if (code != 0) failure = code;
    }
    return failure;
  }
  // Closed before the loop's values change: nobody takes an iteration of a half-written loop.
  const uint32_t epoch = epoch_.load() + 1;
  const uint64_t upper = static_cast<uint64_t>(epoch) << 32;
  for (Part& part : parts_) part.state.exchange(upper | kClosed, std::memory_order_acq_rel);
  body_.store(body, std::memory_order_relaxed);
  context_.store(context, std::memory_order_relaxed);
  closure_.store(closure, std::memory_order_relaxed);
  minimum_.store(minimum, std::memory_order_relaxed);
  count_.store(static_cast<uint32_t>(count), std::memory_order_relaxed);
  failure_.store(0, std::memory_order_relaxed);
  done_.store(0, std::memory_order_relaxed);
  for (size_t i = 0; i < parts_.size(); ++i) {
    parts_[i].state.store(upper | begin_of(i, static_cast<uint32_t>(count)),
                          std::memory_order_release);
  }
  epoch_.store(epoch);
  if (sleepers_.load() > 0) epoch_.notify_all();
  take_all(0);
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
