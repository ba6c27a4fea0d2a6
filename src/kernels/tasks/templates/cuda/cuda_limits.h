#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/errors/error.h"
#include "kernels/space/config_space.h"
#include "kernels/tasks/template.h"

/// Which configs of TVM's GPU templates cannot be built, without building them
/// (docs/reference/config-spaces.md, "Configs that a GPU cannot run").
namespace opbench {

/// What one block may use; the defaults are CUDA's.
struct GpuLimits {
  int64_t threads = 1024;
  int64_t threads_z = 64;
  int64_t shared_bytes = 49152;
};

/// What a config asks for. TVM sums all shared buffers of a kernel and refuses thread axes of which
/// two stages want different extents.
struct GpuDemand {
  int64_t threads_x = 1;
  int64_t threads_y = 1;
  int64_t threads_z = 1;
  int64_t shared_bytes = 0;
  bool do_threads_agree = true;
  bool operator==(const GpuDemand&) const = default;
};

/// Why the demand cannot be met; empty if it can.
std::string fault_of(const GpuDemand& demand, const GpuLimits& limits = {});
bool can_be_met(const GpuDemand& demand, const GpuLimits& limits = {});

/// The demands of the configs of one space. Known for conv2d_nchw.cuda, its winograd and depthwise
/// forms, dense_small_batch.gpu, dense_large_batch.gpu and batch_matmul.cuda.
class GpuDemands {
 public:
  /// Nothing for a template whose demands are not known. `kInvalidInput` for a task without a
  /// space.
  static Result<std::optional<GpuDemands>> make(const Task& task);

  /// Of the config with these digits.
  GpuDemand at(const std::vector<size_t>& digits) const;

  /// Of any config, in or out of the space, with the splits of the template. `kInvalidInput` when
  /// one is missing or has another number of parts.
  Result<GpuDemand> of(const KnobConfig& config) const;

  /// Sizes of a config's splits, in the order of the space.
  using Splits = std::vector<const std::vector<int64_t>*>;
  using Rule = std::function<GpuDemand(const Splits&)>;

 private:
  struct SplitKnob {
    std::string name;
    size_t position = 0;  ///< among all knobs
    std::vector<std::vector<int64_t>> sizes;
  };
  GpuDemands(const ConfigSpace& space, Rule rule);

  std::vector<SplitKnob> splits_;
  Rule rule_;
};

}  // namespace opbench
