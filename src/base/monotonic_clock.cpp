#include "opbench/base/monotonic_clock.h"

#include <chrono>

namespace opbench {

double monotonic_s() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

}  // namespace opbench
