#pragma once

#include <map>
#include <string>
#include <vector>

namespace opbench {

/// The part of the time that heavy kinds take together (Hafeez and Gandhi, IISWC 2020, call the
/// operators heavy that carry most of it).
constexpr double kHeavyShare = 0.9;

/// A kind of operators and its part of the time.
struct KindShare {
  std::string kind;
  double seconds = 0;
  double share = 0;  ///< 0 … 1
  bool is_heavy = false;
  bool operator==(const KindShare&) const = default;
};

/// All kinds, largest first. Heavy are the fewest that take kHeavyShare of the time; the others are
/// light. Without any time all are light.
std::vector<KindShare> kind_shares(const std::map<std::string, double>& seconds);

}  // namespace opbench
