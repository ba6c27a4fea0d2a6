#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/errors/error.h"
#include "model/operators/workloads/workload.h"

namespace opbench {

/// One extent of one operand of a workload, by its place in `graph.inputs`.
struct ExtentPlace {
  size_t operand = 0;
  size_t dimension = 0;
  bool operator==(const ExtentPlace&) const = default;
};

struct ExtentChange {
  ExtentPlace place;
  int64_t extent = 1;
};

/// The workload with some extents changed, and with them what has to follow: a convolution's
/// filters the channels of what they read (a depthwise one stays depthwise), its bias the filters,
/// the other factor of a product the summed extent, per-channel operands the channels, operands of
/// elementwise steps and of Concat the result before them (an extent of 1 that is broadcast stays,
/// and a weight never gets a batch). Attributes stay. A change always wins over what would follow.
/// `kInvalidInput` with the operator's reason when the operands do not fit any more.
Result<Workload> with_extents(const Workload& workload, const std::vector<ExtentChange>& changes);

/// The words that name an extent of this workload: `batch`, `input.D` (`inputK.D` with several
/// operands), `weight.D` likewise; N, C, H, W of a first operand with four dimensions; K, the
/// channels or columns that the first step makes.
std::vector<std::string> extent_names(const Workload& workload);

/// The extent that such a word (or channels, height, width, filters) names; nothing for another.
std::optional<ExtentPlace> extent_place(const Workload& workload, const std::string& name);

/// How many items one call computes: the extent `batch`, 1 if there is none.
int64_t batch_of(const Workload& workload);

}  // namespace opbench
