#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

/// The part of Halide's runtime that kernels without runtime, asserts and bounds queries call.
namespace opbench {
namespace {

using Task = int (*)(void*, int, uint8_t*);

/// Threads that spin between loops, as those of an engine under load do.
class Pool {
 public:
  explicit Pool(int threads) {
    for (int i = 1; i < threads; ++i)
      workers_.emplace_back([this](const std::stop_token& stop) { work(stop); });
  }

  int run(void* context, Task task, int begin, int count, uint8_t* closure) {
    const std::scoped_lock lock(mutex_);
    context_ = context;
    task_ = task;
    begin_ = begin;
    count_ = count;
    closure_ = closure;
    next_ = 0;
    busy_ = static_cast<int>(workers_.size());
    ++generation_;
    drain();
    while (busy_ > 0) continue;
    return 0;
  }

 private:
  void drain() {
    for (int i = next_++; i < count_; i = next_++) task_(context_, begin_ + i, closure_);
  }

  void work(const std::stop_token& stop) {
    for (uint64_t seen = 0; !stop.stop_requested();) {
      if (generation_ == seen) {
        std::this_thread::yield();
        continue;
      }
      seen = generation_;
      drain();
      --busy_;
    }
  }

  std::mutex mutex_;
  void* context_ = nullptr;
  Task task_ = nullptr;
  int begin_ = 0;
  int count_ = 0;
  uint8_t* closure_ = nullptr;
  std::atomic<int> next_ = 0;
  std::atomic<int> busy_ = 0;
  std::atomic<uint64_t> generation_ = 0;
  std::vector<std::jthread> workers_;
};

std::unique_ptr<Pool>& pool() {
  static std::unique_ptr<Pool> instance;
  return instance;
}

}  // namespace

void set_kernel_threads(int threads) {
  pool() = threads > 1 ? std::make_unique<Pool>(threads) : nullptr;
}

}  // namespace opbench

extern "C" {

void* halide_malloc(void*, size_t bytes) {
  constexpr size_t kAlignment = 128;
  return std::aligned_alloc(kAlignment, (bytes + 2 * kAlignment - 1) / kAlignment * kAlignment);
}

void halide_free(void*, void* memory) { std::free(memory); }

int halide_do_par_for(void* context, opbench::Task task, int begin, int count, uint8_t* closure) {
  if (opbench::pool() != nullptr) return opbench::pool()->run(context, task, begin, count, closure);
  int result = 0;
  for (int i = begin; i < begin + count && result == 0; ++i) result = task(context, i, closure);
  return result;
}

int halide_error_out_of_memory(void*) { return -1; }
}
