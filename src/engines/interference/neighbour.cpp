#include "engines/interference/neighbour.h"

#include <algorithm>
#include <new>
#include <string>

#include "base/system/monotonic_clock.h"
#include "base/system/spin_pause.h"
#include "machine/ceilings/ceiling_kernels.h"
#include "machine/ceilings/huge_pages.h"

namespace opbench {
namespace {

constexpr size_t kStep = 64;          // floats, of run_triads
constexpr size_t kPiece = 32 * 1024;  // floats of each array

/// On lines of its own: a second one that shares a line with `at_` would be slowed by it.
class alignas(64) Triad {
 public:
  explicit Triad(const NeighbourLevel& level)
      : floats_(static_cast<size_t>(level.bytes) / (3 * kStep * sizeof(float)) * kStep),
        duty_(level.duty),
        memory_(3 * floats_ * sizeof(float)) {}

  void call() {
    const double begin = duty_ < 1 ? monotonic_s() : 0;
    const size_t count = std::min(kPiece, floats_ - at_);
    auto* a = reinterpret_cast<float*>(memory_.start()) + at_;
    run_triads(isa_, a, a + floats_, a + 2 * floats_, count, 1);
    at_ = at_ + count == floats_ ? 0 : at_ + count;
    if (duty_ < 1) idle_until(begin + (monotonic_s() - begin) / duty_);
  }

 private:
  static void idle_until(double end) {
    while (monotonic_s() < end) spin_pause();
  }

  const KernelIsa isa_ = widest_isa();
  const size_t floats_;
  const double duty_;
  HugePages memory_;
  size_t at_ = 0;
};

}  // namespace

Outcome<CorunSide> neighbour_side(const NeighbourLevel& level) {
  const bool is_valid = level.bytes >= kLeastNeighbour && level.bytes <= kMostNeighbour &&
                        level.duty > 0 && level.duty <= 1;
  if (!is_valid) {
    return tl::make_unexpected(
        Failure{FailureKind::kInvalidConfig,
                "a neighbour takes 768 bytes to 1 GiB, and a duty above 0 and up to 1"});
  }
  try {
    const auto triad = std::make_shared<Triad>(level);
    return CorunSide{[triad] {
      triad->call();
      return 0;
    }};
  } catch (const std::bad_alloc&) {
    return tl::make_unexpected(
        Failure{FailureKind::kRunError,
                "no memory for a neighbour of " + std::to_string(level.bytes) + " bytes"});
  }
}

CorunSide compute_side() {
  constexpr int64_t kRounds = 8000;
  return {[isa = widest_isa(), sum = 0.0F]() mutable {
    sum += run_multiply_adds(isa, kRounds);
    return 0;
  }};
}

}  // namespace opbench
