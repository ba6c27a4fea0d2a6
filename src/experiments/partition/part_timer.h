#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/errors/error.h"
#include "experiments/devices/busy_neighbour.h"
#include "experiments/devices/device_choice.h"
#include "experiments/sessions/request/run_request.h"
#include "experiments/sessions/session.h"
#include "measuring/sampling/noise.h"
#include "measuring/sampling/procedure.h"

namespace opbench {

/// The request for a workload on a device of this machine; without a check unless it `is_checked`.
ProfileRequest part_request(const RunRequest& request, const DeviceChoice& device,
                            const std::string& workload, bool is_checked);

/// Times workloads alone on devices of this machine. All of them take turns, in random order, so
/// that other work that comes and goes meets sizes and devices alike.
class PartTimer {
 public:
  /// Both outlive it. Of the request everything counts but workload, CPUs and target.
  PartTimer(const RunRequest& request, const std::vector<DeviceChoice>& devices);
  ~PartTimer();

  /// Builds the workload for a device, and checks its result as the request says where that is
  /// wanted. Returns its number. Errors are those of Session; `kPartial` where the check fails.
  Result<size_t> add(size_t device, const std::string& workload, bool is_checked);

  /// The A/A control: a workload once more, in processes of its own.
  size_t add_again(size_t number);

  /// Starts all engine processes, once everything is added. Errors of neighbour_of.
  Result<void> start();

  /// Times of these workloads within the budget. `kPartial` with the reason where one has none,
  /// `kInterrupted`.
  Result<std::vector<Measurement>> measure(const std::vector<size_t>& numbers, Seconds budget);

  std::string target_of(size_t number) const;  ///< display form
  /// Of the first unit that is no change of layout; empty: the reference runs.
  std::string schedule_of(size_t number) const;
  const std::string& noise() const { return noise_text_; }  ///< before anything was timed
  std::vector<std::string>& warnings() { return warnings_; }

 private:
  struct Part;
  const RunRequest& request_;
  const std::vector<DeviceChoice>& devices_;
  std::vector<std::unique_ptr<Part>> parts_;
  std::vector<std::optional<BusyNeighbour>> neighbours_;  ///< by device, paused
  std::unique_ptr<EngineRunner> runner_;
  Preflight preflight_;
  std::string noise_text_;
  std::vector<std::string> warnings_;
};

}  // namespace opbench
