#pragma once

#include <functional>
#include <span>
#include <vector>

#include "prediction/interference/sensitivity.h"

namespace opbench {

/// A run of segments of one model, on workers of its own.
struct GroupPart {
  double solo_ms = 0;         ///< alone, measured; above 0
  double flops = 0;           ///< at least 0
  double bytes = 0;           ///< that it moves; at least 0
  double memory_bytes = 0;    ///< of these, those from memory, as the last cache does not hold them
  double resident_bytes = 0;  ///< of weights and values that it touches; at least 0
  double pressure = 1;        ///< slow-down of a reference probe beside it; 1 where it is not known
  std::vector<SensitivityPoint> sensitivity = {};  ///< its own slow-downs; empty: not known
  bool operator==(const GroupPart&) const = default;
};

/// How many of the `bytes` that a part moves again and again come from memory, by its working set:
/// none below half of the last cache, all from its whole size on, as others use the cache too.
double bytes_from_memory(double bytes, double resident_bytes, double cache_bytes);

/// By what factor, at least 1, a part takes longer beside those that run.
using GroupSlowDown =
    std::function<double(const GroupPart& own, std::span<const GroupPart> others)>;

/// When each part ends, in ms, if all start at once and each slows down while others still run.
std::vector<double> ends_of_group(const std::vector<GroupPart>& parts,
                                  const GroupSlowDown& slow_down);

/// Until the last part ends.
double group_ms(const std::vector<GroupPart>& parts, const GroupSlowDown& slow_down);

/// When two parts end that slow down by these factors, at least 1, while both run.
std::vector<double> ends_of_pair(std::span<const GroupPart> parts,
                                 std::span<const double> slow_downs);

/// The reverse: the slow-downs of two parts that explain when they ended, started at once: the one
/// that ends first ran beside the other all the time. At least 1. `ends_ms` above 0, two values.
std::vector<double> slow_downs_of_pair(std::span<const GroupPart> parts,
                                       std::span<const double> ends_ms);

}  // namespace opbench
