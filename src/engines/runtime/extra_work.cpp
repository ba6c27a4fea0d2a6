#include "engines/runtime/extra_work.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>

namespace opbench {
namespace {

constexpr double kShortestTimed = 20e-6;  // a clock reading takes about a thousandth of it
constexpr double kCalibration = 0.1;
constexpr int64_t kFirstTry = 10'000;
constexpr int kFewest = 5;

/// Calls in a row that take long enough to be timed.
int64_t calls_of(double call_s) {
  return std::clamp<int64_t>(std::llround(kShortestTimed / std::max(call_s, 1e-9)), 1, 10'000);
}

/// The shortest time of a call seen so far.
class Shortest {
 public:
  Shortest(std::function<void()> call, const std::function<double()>& now_s)
      : call_(std::move(call)), now_s_(now_s) {}

  void time(int64_t calls) {
    const double before = now_s_();
    for (int64_t i = 0; i < calls; ++i) call_();
    seconds_ = std::min(seconds_, (now_s_() - before) / static_cast<double>(calls));
  }

  double seconds() const { return seconds_; }

 private:
  std::function<void()> call_;
  const std::function<double()>& now_s_;
  double seconds_ = std::numeric_limits<double>::infinity();
};

int64_t steps_for(double wanted_s, double step_s) {
  return std::max<int64_t>(1, std::llround(wanted_s / std::max(step_s, 1e-12)));
}

}  // namespace

uint64_t work_extra(int64_t steps) {
  // Knuth's MMIX generator (The Art of Computer Programming, volume 2, 3.3.4): every step needs the
  // one before.
  uint64_t value = 1;
  for (int64_t i = 0; i < steps; ++i) {
    value = value * 6364136223846793005U + 1442695040888963407U;
    asm volatile("" : "+r"(value));  // whoever calls drops the result: no reason to leave it out
  }
  return value;
}

int64_t calibrate_extra_work(double share, const std::function<void()>& kernel,
                             const std::function<void(int64_t steps)>& work,
                             const std::function<double()>& now_s) {
  Shortest rough_kernel(kernel, now_s);
  Shortest rough_work([&] { work(kFirstTry); }, now_s);
  for (int i = 0; i < kFewest; ++i) {
    rough_kernel.time(1);
    rough_work.time(1);
  }
  const double kernel_s = rough_kernel.seconds();
  const int64_t steps = steps_for(share * kernel_s, rough_work.seconds() / kFirstTry);
  const int64_t kernel_calls = calls_of(kernel_s);
  const int64_t work_calls = calls_of(share * kernel_s);
  const double round_s = kernel_s * static_cast<double>(kernel_calls) +
                         share * kernel_s * static_cast<double>(work_calls);
  const int64_t rounds = std::clamp<int64_t>(std::llround(kCalibration / round_s), kFewest, 2'000);
  Shortest fine_kernel(kernel, now_s);
  Shortest fine_work([&] { work(steps); }, now_s);
  for (int64_t i = 0; i < rounds; ++i) {
    fine_kernel.time(kernel_calls);
    fine_work.time(work_calls);
  }
  return steps_for(share * fine_kernel.seconds(), fine_work.seconds() / static_cast<double>(steps));
}

double slow_share(std::string_view word) {
  constexpr std::string_view kBefore = "slow-";
  if (!word.starts_with(kBefore)) return 0;
  word.remove_prefix(kBefore.size());
  double percent = 0;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), percent);
  const bool is_number = error == std::errc() && end == word.data() + word.size();
  return is_number && percent >= 1 && percent <= 1000 ? percent / 100 : 0;
}

}  // namespace opbench
