#pragma once

#include "prediction/workloads/effort.h"

namespace opbench {

/// A kernel of bytes: one vector instruction makes four products for each of float32 where the
/// target has dot products, else two of 16 bits (PMADDWD).
inline void count_byte_products(const KernelSpec& spec, KernelWork& work) {
  work.products_a_lane = has_dot_products(spec.target) ? 4 : 2;
}

}  // namespace opbench
