#include "kernels/schedules/codegen/kernel_bitcode.h"

#include <halide14/Halide.h>

#include <algorithm>
#include <string>
#include <vector>

#include "kernels/schedules/codegen/aligned_stack.h"
#include "kernels/schedules/codegen/prefetch.h"
#include "kernels/schedules/expressions/half_casts.h"
#include "kernels/schedules/expressions/nan_keeping.h"

namespace opbench {
namespace {

bool has_halves(const Workload& workload) {
  return std::ranges::any_of(workload.graph.types, [](const auto& entry) {
    return entry.second.data_type == DataType::kFloat16;
  });
}

}  // namespace

void append_bitcode(Halide::Module& module, const KernelSpec& spec, bool has_streams) {
  const auto append = [&](const std::vector<uint8_t>& bitcode, const std::string& name) {
    module.append(Halide::ExternalCode::bitcode_wrapper(module.target(), bitcode, name));
  };
  if (is_x86(spec.target)) append(aligned_stack_bitcode(), "aligned_stack");
  if (has_streams) append(prefetch_bitcode(), "opbench_prefetch");
  if (has_halves(spec.workload) && has_half_casts(spec.target)) {
    append(half_casts_bitcode(), "half_casts");
  }
  append(nan_keeping_bitcode(spec.target), "nan_keeping");
}

}  // namespace opbench
