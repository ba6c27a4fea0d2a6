#pragma once

#include <cstddef>
#include <string>

#include "engines/runtime/program.h"

namespace opbench {

// Which steps are at work, for the last words of a process whose kernel crashes or hangs.

/// What a step is called there: `unit 3: conv2d 1x64x56x56 w:64x64x3x3`.
std::string watch_text(const Step& step);

/// Worker `worker` begins a step of this text, which must last until the worker begins another;
/// null: it has none. Takes a store to memory. Workers from 256 on are not watched.
void watch_step(size_t worker, const char* text);

/// From now on a signal that ends the process first writes the steps at work to stderr, a line
/// each.
void tell_steps_at_end();

}  // namespace opbench
