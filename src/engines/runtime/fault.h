#pragma once

#include <cstdint>
#include <string_view>

#include "engines/runtime/unit_bench.h"

namespace opbench {

/// Faults that tests ask for: what a kernel does besides its work.
enum class Fault { kNone, kCrash, kHang, kOutOfBounds, kWrong, kSwapChannels, kOutOfMemory, kSlow };

/// `crash`, `out-of-bounds`, `swap-channels`, `out-of-memory`, `slow-3`, …; kNone for another word.
Fault parse_fault(std::string_view word);

/// Every step of `unit` that is bound from now on has the fault that `word` names. Call it before
/// the bench and the executor bind steps. Slow steps get a fixed amount of extra work, measured
/// once here (extra_work.h). Returns the steps of extra work; 0 for other faults.
Result<int64_t> inject_fault(LoadedPackage& package, UnitBench& bench, int unit,
                             std::string_view word);

}  // namespace opbench
