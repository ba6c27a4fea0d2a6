#pragma once

#include <cstdint>

#include "engines/runtime/kernel_call.h"

namespace opbench {

/// Who runs the iterations of a kernel's parallel loops.
class LoopTeam {
 public:
  virtual ~LoopTeam() = default;

  /// Runs `body` for `minimum` … `minimum + count - 1` and waits for all of them. A loop inside a
  /// loop runs on the thread that meets it. Returns the last code that is not 0, else 0.
  virtual int parallel_for(KernelTask body, void* context, int minimum, int count,
                           uint8_t* closure) = 0;
};

}  // namespace opbench
