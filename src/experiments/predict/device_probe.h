#pragma once

#include <atomic>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "experiments/sessions/request/profile_request.h"
#include "measuring/results/profile_result.h"

namespace opbench {

/// A kernel that tells one side of a machine.
struct DeviceProbe {
  std::string name;      ///< triad_l2
  std::string about;     ///< what it depends on
  std::string workload;  ///< canonical text
};

/// The probes, in an order that does not change: the numbers of a descriptor. The first is what the
/// others are told relative to.
const std::vector<DeviceProbe>& device_probes();

struct ProbeTime {
  DeviceProbe probe;
  std::optional<Measurement> time;
  double relative = 0;  ///< over the first probe's time; 0 without one
  std::string reason;   ///< why there is no time
};

/// What the probes say of this machine in one configuration.
struct DeviceDescriptor {
  std::string engine;
  std::string version;
  int threads = 1;
  std::vector<int> cpus;
  std::string timestamp;
  Environment environment;
  std::string noise;
  double call_floor_ms = 0;  ///< an empty call: hand-over to the threads and back
  std::optional<double> peak_gflops, memory_gbytes_per_s;
  std::vector<ProbeTime> probes;
};

struct ProbeRequest {
  std::string engine = "halide";
  int threads = 1;
  double budget_s = 10;
  std::vector<std::string> argv;
  std::function<void(const Progress&)> progress;  ///< may be empty
  const std::atomic<bool>* cancel = nullptr;
};

/// Measures all probes side by side in one run, each alone with hot caches. Errors of run_profile.
Result<DeviceDescriptor> probe_device(const ProbeRequest& request);

}  // namespace opbench
