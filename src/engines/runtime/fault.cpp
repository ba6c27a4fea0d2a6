#include "engines/runtime/fault.h"

#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstring>

#include "base/system/monotonic_clock.h"
#include "engines/runtime/extra_work.h"
#include "engines/runtime/slot_layout.h"

namespace opbench {
namespace {

void misbehave(Fault fault, const Slot& slot, std::byte* result) {
  const int64_t bytes = slot.bytes;
  if (fault == Fault::kCrash) ::raise(SIGSEGV);
  while (fault == Fault::kHang) ::pause();
  if (fault == Fault::kOutOfMemory) exhaust_memory();
  if (fault == Fault::kOutOfBounds) std::memset(result + bytes, 0, 64);
  if (fault == Fault::kWrong) {
    const int64_t half = bytes / 8 * 4;
    std::swap_ranges(result, result + half, result + bytes - half);
  }
  if (fault == Fault::kSwapChannels) swap_channels(slot, result);
}

Result<int64_t> slow_down(LoadedPackage& package, UnitBench& bench, int unit, double share) {
  const std::vector<Step>& steps = package.program().steps;
  const auto slow = std::ranges::find(steps, unit, &Step::unit);
  if (slow == steps.end()) return 0;
  OPBENCH_TRY(BoundStep* const step, bench.isolated(static_cast<size_t>(slow - steps.begin())));
  const int64_t extra_steps = calibrate_extra_work(
      share, [step] { step->run(); }, work_extra, monotonic_s);
  const auto extra = [extra_steps] { work_extra(extra_steps); };
  step->after_each_call(extra);
  package.on_bind([unit, extra](const Step& bound_step, std::byte*, BoundStep& bound) {
    if (bound_step.unit == unit) bound.after_each_call(extra);
  });
  return extra_steps;
}

}  // namespace

Fault parse_fault(std::string_view word) {
  if (word == "crash") return Fault::kCrash;
  if (word == "hang") return Fault::kHang;
  if (word == "out-of-bounds") return Fault::kOutOfBounds;
  if (word == "out-of-memory") return Fault::kOutOfMemory;
  if (word == "swap-channels") return Fault::kSwapChannels;
  if (slow_share(word) > 0) return Fault::kSlow;
  return word == "wrong" ? Fault::kWrong : Fault::kNone;
}

Result<int64_t> inject_fault(LoadedPackage& package, UnitBench& bench, int unit,
                             std::string_view word) {
  const Fault fault = parse_fault(word);
  if (fault == Fault::kNone) return 0;
  if (fault == Fault::kSlow) return slow_down(package, bench, unit, slow_share(word));
  const std::vector<Slot>& slots = package.program().slots;
  package.on_bind([unit, fault, &slots](const Step& step, std::byte* result, BoundStep& bound) {
    if (step.unit != unit) return;
    const Slot& slot = slots[static_cast<size_t>(step.results.front())];
    bound.after_each_call([fault, &slot, result] { misbehave(fault, slot, result); });
  });
  return 0;
}

}  // namespace opbench
