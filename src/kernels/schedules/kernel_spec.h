#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "base/errors/error.h"
#include "base/tensors/layout.h"
#include "machine/target/target.h"
#include "model/operators/workloads/workload.h"

namespace opbench {

using Config = std::map<std::string, int64_t>;

/// The extents that a kernel does not know before it is called: for every tensor (the inputs of the
/// workload's graph, then its output) and each of its axes, as ONNX counts them, 0 for a constant,
/// else the number of a free extent. Equal numbers, equal extents. Empty: all are constants.
using FreeAxes = std::vector<std::vector<int>>;

/// All that determines a kernel's code (equal texts, equal objects), and what rules know of its
/// use.
struct KernelSpec {
  Workload workload;
  std::vector<Layout> layouts;  ///< of every input of the workload's graph, then of its output
  Target target;
  std::string schedule;  ///< name of the ScheduleDef
  Config config;         ///< its knobs
  FreeAxes free = {};    ///< for these axes the workload's extents are the least that come
  int threads = 1;       ///< of the engine that will call it: for rules, no part of the code

  const Layout& output_layout() const { return layouts.back(); }
};

/// The channel block of every layout.
std::vector<int> blocks_of(const KernelSpec& spec);

/// JSON of one line: workload text, layouts, target, schedule, config, schedule version.
std::string text_of(const KernelSpec& spec);
Result<KernelSpec> parse_kernel_spec(const std::string& text);

}  // namespace opbench
