#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "kernels/space/axis_orders.h"
#include "kernels/space/config_space.h"
#include "kernels/space/split_sizes.h"

namespace opbench {

/// Builds a space knob by knob, as a template does (docs/reference/config-spaces.md, "Splits",
/// "Reorders" and "Annotations"). A name defined again replaces the entities but keeps its place. A
/// definition that gives no entity, a split in fewer than 2 or an unknown policy is remembered, and
/// `finish` reports the first.
class SpaceBuilder {
 public:
  void define_split(const std::string& name, int64_t length, const SplitOptions& options);
  /// Plain `factors` in `num_outputs` parts.
  void define_split(const std::string& name, int64_t length, int num_outputs);

  void define_reorder(const std::string& name, int axes, const ReorderOptions& options);

  /// `policy`: words of none, try, unroll, vec joined by `_`; bind_gpu; bind_gpu_virtual;
  /// locate_cache with `num_anchor`.
  void define_annotate(const std::string& name, int axes, const std::string& policy,
                       int num_anchor = 0);

  void define_option(const std::string& name, std::vector<Argument> values);
  void define_option(const std::string& name, const std::vector<int64_t>& values);

  /// `kInvalidInput` naming the knob that could not be defined.
  Result<ConfigSpace> finish() &&;

 private:
  void add(Knob knob);
  void fail(const std::string& name, Error error);

  ConfigSpace space_;
  std::optional<Error> fault_;
};

}  // namespace opbench
