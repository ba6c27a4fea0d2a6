#pragma once

#include <cstdint>

namespace opbench {

/// So many parts of a kernel's work may each make for themselves what they need of the input.
constexpr int64_t kMostOwnParts = 4;

/// The default: one part a thread, because a thread is slow to read what another has written, most
/// of all where the two share no cache. 0 (no parts) for one thread. Also 0 for many threads: each
/// part would repeat what the others make or read, so they share it.
int64_t own_parts(int threads);

}  // namespace opbench
