#include "kernels/schedules/knobs/own_parts.h"

namespace opbench {

int64_t own_parts(int threads) { return threads > 1 && threads <= kMostOwnParts ? threads : 0; }

}  // namespace opbench
