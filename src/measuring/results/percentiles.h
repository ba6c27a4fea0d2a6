#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "measuring/results/profile_result.h"

namespace opbench {

/// A percentile of the samples of one time.
struct Percentile {
  double percent = 50;
  std::optional<double> ms;  ///< nothing with fewer samples than `needed`
  int64_t needed = 0;
  int64_t taken = 0;  ///< samples that count
};

/// Those that are asked for, in their order. A percentile p needs ten samples beyond it: 10 / (1 -
/// p), for p below the middle 10 / p.
std::vector<Percentile> percentiles_of(const Measurement& time,
                                       const std::vector<double>& percents);

/// `p50`, `p99.9`
std::string percentile_name(double percent);

/// What the launches and copies of a call took by the device's own clock, in ms: the median over
/// process medians of the samples that the wall time is from. Nothing for calls on the CPU.
std::optional<double> device_ms(const Measurement& time);

/// The part of device_ms() that copies between host and device took. Nothing where that is not
/// known.
std::optional<double> copies_ms(const Measurement& time);

/// A call's time by its clock less its copies by the device's: what it would take if its data lay
/// on the device already. A call waits for its copies, so both add up. Nothing where copies are
/// not known.
std::optional<double> without_copies_ms(const Measurement& time);

/// The name of the engine's device, with its platform: `pthread-haswell, Portable Computing
/// Language`; empty: it runs on the CPU.
std::string device_name(const std::map<std::string, std::string>& device);

}  // namespace opbench
