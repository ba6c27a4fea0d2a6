#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "kernels/schedules/schedule.h"

namespace Halide {
struct Expr;
class Func;
class Var;
}  // namespace Halide

namespace opbench {

/// What an LRN does with the tensor as [n, channels, spatial].
struct Normalisation {
  int64_t n = 1;
  int64_t channels = 1;
  int64_t spatial = 1;
  int64_t size = 1;  ///< channels that are summed
  float scale = 0;   ///< alpha / size
  float beta = 0;
  float bias = 0;
};

/// True for a unit that begins with an LRN over a window that is not too large to be written out.
bool is_lrn(const KernelSpec& spec);
Normalisation normalisation_of(const KernelSpec& spec);

/// (bias + scale * sum) ^ -beta.
Halide::Expr lrn_factor(const Normalisation& of, const Halide::Expr& sum);

/// Sum of `squares` over the window around `channel`.
Halide::Expr lrn_window_sum(const Normalisation& of, const Halide::Expr& channel,
                            const std::function<Halide::Expr(const Halide::Expr&)>& squares);

/// The whole unit over plain data; `vars` becomes pixel, channel, image.
Halide::Func define_plain_lrn(const KernelSpec& spec, KernelBuilder& builder,
                              std::vector<Halide::Var>& vars);

}  // namespace opbench
