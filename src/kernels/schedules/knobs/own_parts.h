#pragma once

#include <cstdint>

namespace opbench {

/// So many parts of a kernel's work may each make for themselves what they need of the input.
constexpr int64_t kMostOwnParts = 4;

/// Those by rule: one a thread, as threads lose time where one reads what another has written, most
/// where they share no cache. 0, none, for one thread, and for many, each of whose parts would
/// repeat what the others make or read; those share.
int64_t own_parts(int threads);

}  // namespace opbench
