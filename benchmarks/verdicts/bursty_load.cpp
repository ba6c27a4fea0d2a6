#include "benchmarks/verdicts/bursty_load.h"

#include <chrono>
#include <cmath>
#include <thread>
#include <vector>

#include "base/numbers/random.h"

namespace opbench {
namespace {

using Moment = std::chrono::steady_clock;

std::chrono::duration<double> exponential(Random& random, double centre_s) {
  return std::chrono::duration<double>(-centre_s * std::log(1 - random.uniform()));
}

void work(const std::stop_token& stop, uint64_t seed) {
  constexpr size_t kFloats = 4 << 20;
  Random random(seed, "bursts");
  std::vector<float> values(kFloats, 1);
  while (!stop.stop_requested()) {
    const auto end = Moment::now() + exponential(random, 0.1);
    while (Moment::now() < end && !stop.stop_requested()) {
      for (float& value : values) value = value * 0.999F + 0.001F;
      asm volatile("" : : "r"(values.data()) : "memory");
    }
    std::this_thread::sleep_for(exponential(random, 0.4));
  }
}

}  // namespace

struct BurstyLoad::Threads {
  std::vector<std::jthread> running;
};

BurstyLoad::BurstyLoad() : threads_(std::make_unique<Threads>()) {
  for (unsigned i = 0; i < std::thread::hardware_concurrency(); ++i) {
    threads_->running.emplace_back([i](const std::stop_token& stop) { work(stop, i); });
  }
}

BurstyLoad::~BurstyLoad() = default;

}  // namespace opbench
