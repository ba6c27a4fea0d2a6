#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "kernels/space/config_space.h"

namespace opbench {

/// Size lists of a split, outermost first; the first is -1 under every policy but `candidate`.
using SplitSizes = std::vector<int64_t>;

struct SplitOptions {
  std::string policy = "factors";  ///< factors, power2, verbose, candidate
  int num_outputs = 2;             ///< at least 2
  int64_t max_factor = std::numeric_limits<int32_t>::max();
  std::optional<bool> no_tail = {};  ///< else as the policy has it
  std::function<bool(const SplitSizes&)> filter = {};
  std::vector<SplitSizes> candidates = {};  ///< of policy `candidate`
};

/// Builds a space knob by knob, as a template does (docs/reference/config-spaces.md, "Splits",
/// "Reorders" and "Annotations"). A name defined again replaces the entities but keeps its place. A
/// definition that gives no entity, a split in fewer than 2 or an unknown policy is remembered, and
/// `finish` reports the first.
class SpaceBuilder {
 public:
  void define_split(const std::string& name, int64_t length, const SplitOptions& options);
  /// Plain `factors` in `num_outputs` parts.
  void define_split(const std::string& name, int64_t length, int num_outputs);

  struct ReorderOptions {
    std::string policy =
        "identity";  ///< identity, all, interval_all, candidate, interleave, interleave_cuda
    int begin = 0;   ///< of interval_all
    int end = 0;
    std::vector<std::vector<int>> candidates = {};
    std::vector<std::vector<int>> spatial = {};  ///< chains of interleave
    std::vector<std::vector<int>> reduce = {};
  };
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
