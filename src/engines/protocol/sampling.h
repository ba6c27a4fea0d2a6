#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "base/json/json.h"
#include "base/tensors/tensor.h"

namespace opbench {

/// One call on other inputs than the prepared ones, which lie ready; its outputs are overwritten.
struct AuditedCall {
  std::function<void()> call;
  /// What the call wrote; the prepared inputs are back afterwards. Failures are exceptions.
  std::function<std::vector<std::pair<std::string, Tensor>>()> outputs;
};

/// What calls took on a device, in seconds by its own clock.
struct DeviceSeconds {
  double all = 0;
  double copies = 0;  ///< the part of it between host and device
};

/// What `take_samples` times.
struct SampledCall {
  std::function<void()> call;               ///< one call; a failure is an exception
  std::function<void()> touch_activations;  ///< reads all that is not a weight, for `cold-weights`
  std::function<void()> wake;  ///< ends the sleep of the engine's other threads; may be empty
  /// Readies a call on these inputs, tensor files in the order of `run`'s; empty: it cannot.
  std::function<AuditedCall(const Json& inputs)> audited = {};
  /// What calls since it was asked last took on a device; empty: calls run on the host.
  std::function<DeviceSeconds()> on_device = {};
  /// Empties the cache of the device, by writing so many times what it holds; a failure is an
  /// exception. Empty: calls run on the host.
  std::function<void(double times)> flush_device = {};
};

/// Answers the protocol's `measure`: warms up (`warm_up_ms` and `warm_up_calls`, whichever takes
/// longer), makes one more untimed call, then takes `repeats` samples of `number` calls. `cache`
/// other than `hot` empties the caches before each call and times each call alone; a sample is then
/// their mean. Other threads are woken before the untimed call and before each cold one. `audit`
/// puts one timed call on other inputs between two samples. Calls on a device have `device_s` and
/// `copies_s` in every sample, the means of its calls beside `wall_s`. Returns `{"samples": […],
/// "untimed_s": …, "audit"?: {…}}`. Throws std::invalid_argument for params out of range.
Json take_samples(const SampledCall& sampled, const Json& params);

/// Times samples of the form that `measure` has. A sample says how long threads waited for a CPU if
/// the one before it took 10 ms or more, or a device computes: its driver's threads take turns.
class SampleTimer {
 public:
  /// `expected_s` stands for the sample before the first one; 0: not known.
  explicit SampleTimer(double expected_s = 0) : last_s_(expected_s) {}

  /// One sample of `number` calls in a row, with what they took on a device.
  Json time(const std::function<void()>& call, int64_t number = 1,
            const std::function<DeviceSeconds()>& on_device = {});

 private:
  double last_s_;  ///< of the sample before
};

/// The time of a call that does nothing, as `hello` gives it: the median of samples of `measure`.
double call_floor_ms(const std::function<void()>& call);

/// The size of the largest cache of CPU 0 in bytes; 32 MiB when the system does not say.
size_t last_level_cache_bytes();

/// Reads `bytes` of memory so that they are in the caches.
void touch(const void* data, size_t bytes);

}  // namespace opbench
