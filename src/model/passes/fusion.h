#pragma once

namespace opbench {

/// What a unit of our own engine is.
enum class Fusion {
  kOn,   ///< a node and the elementwise ones after it, as fuse() groups them
  kOff,  ///< a node, as single_nodes() lists them
};

}  // namespace opbench
