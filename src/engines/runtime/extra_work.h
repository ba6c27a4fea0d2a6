#pragma once

#include <cstdint>
#include <functional>
#include <string_view>

namespace opbench {

/// A slowdown made on purpose, so that tests know what a comparison has to find.

/// Steps of arithmetic that wait for each other and touch no memory: the same number takes the same
/// number of cycles on the calling thread, whatever the caches hold. About a nanosecond each.
/// Returns the result, which means nothing.
uint64_t work_extra(int64_t steps);

/// How many steps take `share` of a kernel's time: from the shortest of many timed calls of both,
/// which take turns so that the machine's mood falls on both alike. At least 1. Takes about 0.1 s,
/// for long kernels five calls of each and a little more. `now_s` reads a clock in seconds.
int64_t calibrate_extra_work(double share, const std::function<void()>& kernel,
                             const std::function<void(int64_t steps)>& work,
                             const std::function<double()>& now_s);

/// 0.03 for `slow-3`; 0 for another word, or for percent outside of 1…1000.
double slow_share(std::string_view word);

}  // namespace opbench
