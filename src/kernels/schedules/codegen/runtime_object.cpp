#include "kernels/schedules/codegen/runtime_object.h"

#include <halide14/Halide.h>

#include <exception>

#include "kernels/schedules/codegen/halide_library.h"
#include "kernels/schedules/codegen/kernel_target.h"

namespace opbench {

Result<void> write_runtime_object(const Target& target, const std::filesystem::path& object) {
  OPBENCH_CHECK(load_halide());
  try {
    const Halide::Target kernels = halide_target(target, {});
    Halide::compile_standalone_runtime(object.string(),
                                       kernels.without_feature(Halide::Target::NoRuntime));
  } catch (const std::exception& error) {
    return Error{ErrorCode::kSystem, "cannot write " + object.string() + ": " + error.what()};
  }
  return {};
}

}  // namespace opbench
