#pragma once

#include "machine/target/target.h"

namespace opbench {

/// Products of bytes that one vector instruction makes over those of float32: four that are summed
/// up where the target has dot products, else two of 16 bits (PMADDWD).
inline double byte_products_a_lane(const Target& target) {
  return has_dot_products(target) ? 4 : 2;
}

}  // namespace opbench
