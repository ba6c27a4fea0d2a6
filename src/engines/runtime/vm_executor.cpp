#include "engines/runtime/executor.h"

namespace opbench {

ExecutorDef vm_executor() {
  return {.name = "vm",
          .summary = "kernels for a range of extents, compiled once; steps one after the other",
          .has_free_extents = true,
          .make = make_sequential_executor};
}

}  // namespace opbench
