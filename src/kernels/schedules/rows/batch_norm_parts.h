#pragma once

#include <cstdint>
#include <vector>

#include "kernels/schedules/schedule.h"

namespace Halide {
class Func;
class Var;
}  // namespace Halide

namespace opbench {

/// What a batch normalisation's loops are: over a plane, the channels, the images.
struct BatchNorm {
  std::vector<Halide::Var> vars;
  std::vector<int64_t> extents;
  std::vector<Halide::Func> numbers;  ///< a channel's factor and offset
};

/// True for a unit that begins with a BatchNormalization whose numbers a kernel can read.
bool is_batch_norm(const KernelSpec& spec);

/// x * factor + offset with both made of the channel's four numbers; fills `norm`.
Halide::Func define_batch_norm(const KernelSpec& spec, KernelBuilder& builder, BatchNorm& norm);

}  // namespace opbench
