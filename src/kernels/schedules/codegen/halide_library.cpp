#include "kernels/schedules/codegen/halide_library.h"

#include "base/system/loaded_library.h"

namespace opbench {

LibraryJumps halide_jumps();  // of the build

Result<void> load_halide() {
  static const Result<void> kLoaded = load_library("libHalide14.so.0", halide_jumps());
  return kLoaded;
}

}  // namespace opbench
