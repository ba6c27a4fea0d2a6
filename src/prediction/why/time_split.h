#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "prediction/why/unit_evidence.h"

namespace opbench {

/// How a figure came to be.
enum class Basis { kMeasured, kModelled };

/// `measured`, `modelled`
std::string_view name_of(Basis basis);

/// A part of a unit's time.
struct TimePart {
  std::string name;
  double ms = 0;
  Basis basis = Basis::kModelled;
  bool operator==(const TimePart&) const = default;
};

/// Where the time of one call goes. The parts add up to the time.
struct TimeSplit {
  double time_ms = 0;           ///< measured
  std::vector<TimePart> parts;  ///< those above 0, in the order of the names below
  double scale = 1;  ///< below 1: modelled parts were longer than the time, and are scaled

  /// Another engine's code that takes less time than the FLOPs of the definition at the peak: it
  /// computes fewer products, and how many is not known. Then computing is in `unexplained`.
  bool is_fewer_products = false;

  /// Milliseconds of the part with this name; 0: there is none.
  double ms_of(std::string_view part) const;
  /// The same over the time.
  double share_of(std::string_view part) const;
};

constexpr const char* kComputePart = "compute";
constexpr const char* kUnevenPart = "uneven tasks";
constexpr const char* kLayoutPart = "layout conversion";
constexpr const char* kWaitingPart = "waiting";
constexpr const char* kDispatchPart = "dispatch";
constexpr const char* kUnexplainedPart = "unexplained";

/// Splits the time of a call: computing at the measured peak; moving data from L1, L2, L3 and DRAM
/// at the measured bandwidths, each as far as nothing before hides it; threads without a task;
/// conversions; then what was measured: waiting for a CPU, and dispatch. The rest is unexplained.
/// Parts of data movement have the names of levels.
TimeSplit split_time(const UnitEvidence& evidence);

/// True for L1, L2, L3 and DRAM.
bool is_memory_part(std::string_view name);

}  // namespace opbench
