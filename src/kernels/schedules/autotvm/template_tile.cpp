#include "kernels/schedules/autotvm/template_tile.h"

#include <bit>

#include "base/numbers/divisors.h"
#include "kernels/schedules/kernel_builder.h"
#include "kernels/schedules/knobs/knob_values.h"
#include "kernels/schedules/operands/anchor_check.h"

namespace opbench {
namespace {

/// Registers that one vector of `width` takes: LLVM rounds its width up to a power of two.
int64_t registers(int64_t width, int64_t lanes) {
  return ceil_div(static_cast<int64_t>(std::bit_ceil(static_cast<uint64_t>(width))), lanes);
}

}  // namespace

int64_t vector_part(int64_t extent, int64_t lanes) {
  if (extent <= lanes) return extent;
  int64_t best = 1;
  for (int64_t width = 2; width <= 4 * lanes; ++width) {
    if (extent % width != 0) continue;
    if (extent / width * registers(width, lanes) < extent / best * registers(best, lanes))
      best = width;
  }
  return best;
}

int64_t vector_count(int64_t extent, int64_t lanes) {
  const int64_t width = vector_part(extent, lanes);
  return extent / width * registers(width, lanes);
}

size_t unrolled_loops(const std::vector<int64_t>& extents, int64_t body) {
  size_t count = 0;
  for (const int64_t extent : extents) {
    body *= extent;
    if (body > kMostUnrolled) break;
    ++count;
  }
  return count;
}

Result<void> check_blocks(const KernelSpec& spec, int64_t in_channels, int64_t out_channels) {
  if (knob_or(spec.config, "tile_ic", 0) != anchor_layout(spec, 0).block ||
      knob_or(spec.config, "tile_oc", 0) != spec.output_layout().block)
    return Error{ErrorCode::kInvalidInput, "tile_ic and tile_oc differ from the layouts' blocks"};
  OPBENCH_CHECK(check_divisor(spec.config, "tile_ic", in_channels));
  return check_divisor(spec.config, "tile_oc", out_channels);
}

Result<void> check_tile_memory(const Config& config, const std::vector<std::string>& knobs) {
  constexpr int64_t kMostBytes = int64_t{1} << 30;
  int64_t bytes = sizeof(float);
  std::string names;
  for (const std::string& knob : knobs) {
    bytes *= knob_or(config, knob, 0);
    names += (names.empty() ? "" : " x ") + knob;
  }
  if (bytes <= kMostBytes) return {};
  return Error{ErrorCode::kInvalidInput,
               names + ": sums of " + std::to_string(bytes) + " bytes a task, over 1 GiB"};
}

}  // namespace opbench
