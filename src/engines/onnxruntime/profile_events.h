#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "base/errors/error.h"
#include "base/tensors/tensor.h"

namespace opbench::ort {

struct ProfiledTensor {
  std::string data_type;  ///< in the protocol's words
  Shape shape;
  bool operator==(const ProfiledTensor&) const = default;
};

/// What ONNX Runtime runs as one kernel.
struct ProfiledUnit {
  std::string name;  ///< its own, made of the names of the nodes that it fused
  std::string operator_name;
  std::vector<ProfiledTensor> inputs, outputs;
};

struct Profile {
  std::vector<ProfiledUnit> units;  ///< what ran in the last run, in order
  /// Of each run in order the times of its units in seconds; empty where it ran others than the
  /// last one.
  std::vector<std::vector<double>> runs;
};

/// Reads the file that ONNX Runtime's profiler wrote: a JSON event a line, whole microseconds. A
/// time counts as the middle of the microsecond that the profiler cut off. A node that holds a
/// graph (If, Loop, …) is a unit, those that ran inside it are not. `kInvalidInput` if there is no
/// such file.
Result<Profile> read_profile(const std::filesystem::path& file);

}  // namespace opbench::ort
