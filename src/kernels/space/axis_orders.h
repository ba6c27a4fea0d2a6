#pragma once

#include <string>
#include <vector>

#include "base/errors/error.h"

namespace opbench {

/// How the axes of a reorder knob may be ordered.
struct ReorderOptions {
  std::string policy =
      "identity";  ///< identity, all, interval_all, candidate, interleave, interleave_cuda
  int begin = 0;   ///< of interval_all
  int end = 0;
  std::vector<std::vector<int>> candidates = {};
  std::vector<std::vector<int>> spatial = {};  ///< chains of interleave
  std::vector<std::vector<int>> reduce = {};
};

/// The permutations of a reorder knob, in AutoTVM's order (docs/reference/config-spaces.md,
/// "Reorders"): position to old axis. `kInvalidInput` for an unknown policy, an interval outside
/// the axes, and for more than 8 axes in every order.
Result<std::vector<std::vector<int>>> axis_orders(int axes, const ReorderOptions& options);

/// The words of an annotate knob, one list an entity (docs/reference/config-spaces.md,
/// "Annotations"). Policy `locate_cache` has numbers in place of words. `kInvalidInput` for an
/// unknown word, and for axes too few to bind.
Result<std::vector<std::vector<std::string>>> axis_annotations(int axes, const std::string& policy);

/// Every choice of `count` axes, lexicographic: policy `locate_cache`.
std::vector<std::vector<int>> axis_combinations(int axes, int count);

}  // namespace opbench
