#pragma once

namespace opbench {

/// Seconds that so many bytes of new memory take until each page has been written once, on this
/// machine at this moment, or 0 where the system gives none. A page fault takes from a tenth of a
/// microsecond to tens of them (virtual machines): a call whose buffers are new takes that longer.
double first_touch_s(double bytes);

}  // namespace opbench
