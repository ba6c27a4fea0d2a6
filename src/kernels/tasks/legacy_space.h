#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/errors/error.h"
#include "kernels/space/config_space.h"
#include "kernels/space/knob_config.h"
#include "kernels/tasks/template.h"

/// Spaces as older TVMs had them (docs/how-to/spaces.md): what the index of an old record counts.
namespace opbench {

enum class LegacyRule {
  /// Before 0.6 splits were logged with their real outer extent in place of -1.
  kOuterExtents,
  /// conv2d_nchw.cuda: logs rewritten for the schedule fix of 2019 (PR 3717) name the split of the
  /// kernel's rows tile_rx and that of its columns tile_ry. Replay goes by the names: so it ran.
  kSwappedReductions,
  /// conv2d_NCHWc.x86 before 0.7 (PR 5334): tile_ow by policy `factors`.
  kWidthByFactors,
  /// dense_nopack.x86 in 2019: tile_x before tile_y.
  kColumnsFirst,
  /// dense_pack.x86 in 0.7: no tile_inner.
  kNoInnerTile,
  /// Kinds rocm and nvptx: unroll_explicit of 0 and 1, in logs tuned under another kind.
  kUnrollHints,
  /// conv2d_nhwc_spatial_pack.arm_cpu in 0.14: ann_spatial over two axes, compat of 0 and 1.
  kTwoSpatialAxes,
};

/// `outer-extents`, `swapped-reductions`, …
std::string_view name_of(LegacyRule rule);

/// A logged config in the space that it was numbered in.
struct LoggedSpace {
  ConfigSpace space;  ///< knobs by the names and in the order of the log
  KnobConfig config;  ///< the logged one, with -1 for outer extents; the index as logged
  std::vector<LegacyRule> rules;  ///< that were needed; none for today's space
  bool is_consistent = false;     ///< the index decodes to these entities and they encode to it
};

/// The space that the task had in the TVM that wrote the record. The names and number of the
/// config's knobs tell which. Where they do not, it is the space in which the config's index and
/// entities agree. When there is none, it is one that has the entities, or today's; then the
/// entities count, as in TVM. `kInvalidInput` when the task has no space.
Result<LoggedSpace> logged_space(const Task& task, const KnobConfig& config);

}  // namespace opbench
