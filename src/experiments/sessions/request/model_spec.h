#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/tensors/tensor.h"
#include "model/download/download_options.h"

namespace opbench {

/// What a model's file must be, and how it may be fetched.
struct ModelDownload {
  std::string sha256;                       ///< 64 lower-case hex digits; empty: any
  int64_t most_bytes = kMostDownloadBytes;  ///< of a URL's file, packed and unpacked
  double stall_s = 30;                      ///< a server that sends nothing for so long has stalled
};

/// The extents of a model's inputs.
struct ModelExtents {
  int64_t batch_size = 0;               ///< 0: as the model says (zoo: 1)
  std::map<std::string, Shape> shapes;  ///< by input name
  bool replaces_fixed = false;          ///< `shapes` hold for extents that the model fixes, too
  std::map<std::string, int64_t> dimensions;  ///< extents of free dimensions by name
};

/// Which model is run or planned, or which single workload, and on which inputs.
struct ModelSpec {
  std::string name;      ///< path or URL of an ONNX file, or a name of the zoo
  bool is_zoo = false;   ///< `name` is a name of the zoo
  std::string workload;  ///< canonical text instead of a model; then `name` is empty
  /// Of a workload's tensors: channel blocks of every operand that is no weight, then of the
  /// output; 0: dense; empty: all dense.
  std::vector<int> layouts;
  ModelDownload download;
  ModelExtents extents;
  /// By input name: a .npy or .pb file, which binds free dimensions too, or a literal for an only
  /// element (literal_tensor.h).
  std::map<std::string, std::string> inputs;
  uint64_t seed = 0;  ///< of inputs and zoo weights
  std::optional<uint64_t> randomize_weights;
};

}  // namespace opbench
