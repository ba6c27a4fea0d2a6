#pragma once

#include <cstddef>
#include <string>

namespace opbench {

/// Values between two ends, both included.
struct ValueRange {
  float low = -1;
  float high = 1;
  bool operator==(const ValueRange&) const = default;
};

/// An input whose values decide whether there is a result: a logarithm's must be positive.
struct InputDomain {
  std::string onnx_type;
  size_t input = 0;  ///< position
  ValueRange range;  ///< where seeded values are drawn from
};

}  // namespace opbench
