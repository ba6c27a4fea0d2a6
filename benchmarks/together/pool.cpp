#include "benchmarks/together/pool.h"

#include "engines/protocol/engine_threads.h"

namespace opbench {
namespace {

thread_local bool is_inside_loop = false;  // NOLINT: per thread, and only this file sees it

}  // namespace

ConditionPool::ConditionPool(const std::vector<int>& cpus) : members_(cpus.size()) {
  for (size_t member = 1; member < members_; ++member) {
    helpers_.emplace_back([this, member, cpu = cpus[member]] { help(member, cpu); });
  }
}

ConditionPool::~ConditionPool() {
  {
    const std::scoped_lock lock(mutex_);
    loop_ = {};
    ++number_;
  }
  begins_.notify_all();
  for (std::thread& helper : helpers_) helper.join();
}

int ConditionPool::run_part(const Loop& loop, size_t member) const {
  const auto begin_of = [&](size_t part) {
    return static_cast<int>(part * static_cast<size_t>(loop.count) / members_);
  };
  int failure = 0;
  is_inside_loop = true;
  for (int i = begin_of(member); i < begin_of(member + 1); ++i) {
    const int code = call_task(loop.body, loop.context, loop.minimum + i, loop.closure);
    if (code != 0) failure = code;
  }
  is_inside_loop = false;
  return failure;
}

void ConditionPool::help(size_t member, int cpu) {
  pin_calling_thread(cpu);
  uint64_t seen = 0;
  std::unique_lock lock(mutex_);
  for (;;) {
    begins_.wait(lock, [&] { return number_ != seen; });
    seen = number_;
    const Loop loop = loop_;
    if (loop.body == nullptr) return;
    lock.unlock();
    const int failure = run_part(loop, member);
    lock.lock();
    if (failure != 0) failure_ = failure;
    if (--working_ == 0) ends_.notify_one();
  }
}

int ConditionPool::parallel_for(KernelTask body, void* context, int minimum, int count,
                                uint8_t* closure) {
  const Loop loop{body, context, closure, minimum, count};
  if (count <= 1 || is_inside_loop || members_ == 1) {
    int failure = 0;
    for (int i = 0; i < count; ++i) {
      const int code = call_task(body, context, minimum + i, closure);
      if (code != 0) failure = code;
    }
    return failure;
  }
  {
    const std::scoped_lock lock(mutex_);
    loop_ = loop;
    ++number_;
    working_ = members_ - 1;
    failure_ = 0;
  }
  begins_.notify_all();
  const int own = run_part(loop, 0);
  std::unique_lock lock(mutex_);
  ends_.wait(lock, [&] { return working_ == 0; });
  return own != 0 ? own : failure_;
}

}  // namespace opbench
