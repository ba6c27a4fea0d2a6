#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/errors/error.h"
#include "machine/target/target.h"

namespace opbench {

/// Times of a device that is not measured here, from a file.
struct DeviceTable {
  std::string name;                        ///< of the device; empty: that of the file
  std::string kind;                        ///< simulated, modelled or measured
  std::string source;                      ///< where the times are from, in words
  std::map<std::string, double> times_ms;  ///< by workload text, or by a unit's name
  /// Units without a time of their own take so many times what the first device takes.
  std::optional<double> factor_of_others;
  std::optional<double> transfer_latency_ms, transfer_gbytes_per_s;
  bool operator==(const DeviceTable&) const = default;
};

/// `opbench.device/1`, or a profile (`opbench.profile/1`) of the model on another machine.
/// `kInvalidInput` that quotes what is missing or wrong; `what` names the text.
Result<DeviceTable> parse_device_table(const std::string& text, const std::string& what);

/// What `--devices` names: CPUs of this machine, another device of it, or a table.
struct DeviceChoice {
  std::string name;
  /// A thread each. Of a device that is no CPU: where the thread runs that launches its work, and
  /// the device itself where that is PoCL's. Empty: a table.
  std::vector<int> cpus;
  std::string variant;  ///< the word after the colon: avx2; empty: none
  std::string target = "host";
  std::string device;               ///< that is no CPU: `opencl:0`; empty: it is one
  bool has_busy_neighbour = false;  ///< another CPU works while it is measured
  DeviceTable table;

  bool is_table() const { return cpus.empty() && device.empty(); }
  bool operator==(const DeviceChoice&) const = default;
};

/// `cpu0`, `cpu0+cpu1`, `cpu1:avx2`, `cpu0:busy`, `cpu1:avx2:busy`, `opencl:0`, `pocl:0`, or the
/// path of a table, which ends in `.json` and is read. Whether an OpenCL device is there is not
/// asked; it has no CPU yet. `kInvalidInput` quoting what is none of them, or read_file's and
/// parse_device_table's errors.
Result<DeviceChoice> parse_device(const std::string& text);

/// At least two, of different names. A device that is no CPU gets the first of this process's CPUs
/// that no other one has, or the last one if there is none. Errors of parse_device; `kInvalidInput`
/// else.
Result<std::vector<DeviceChoice>> parse_devices(const std::vector<std::string>& texts);

/// The device of that name among them. `kInvalidInput` with those that there are.
Result<size_t> find_device(const std::vector<DeviceChoice>& devices, const std::string& name);

/// The choice's variant where its vectors are narrower than those of `host`, this machine's own
/// target: such a device draws less. Empty: it draws what the machine's own code draws.
std::string narrower_variant(const DeviceChoice& choice, const Target& host);

/// What holds for devices that share CPUs, which placements do not know of; empty: none does.
std::string shared_cpus_warning(const std::vector<DeviceChoice>& devices);

}  // namespace opbench
