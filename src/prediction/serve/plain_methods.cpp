#include <algorithm>

#include "prediction/serve/group_methods.h"

namespace opbench {
namespace {

double longest_ms(const std::vector<GroupPart>& parts) {
  double longest = 0;
  for (const GroupPart& part : parts) longest = std::max(longest, part.solo_ms);
  return longest;
}

double sum_ms(const std::vector<GroupPart>& parts) {
  double sum = 0;
  for (const GroupPart& part : parts) sum += part.solo_ms;
  return sum;
}

double demand(const GroupPart& part) { return part.memory_bytes / part.solo_ms; }

}  // namespace

double curve_slow_down(const GroupPart& own, std::span<const GroupPart> others) {
  if (own.sensitivity.empty()) return 1;
  double pressure = 1;
  for (const GroupPart& other : others) pressure += std::max(0.0, other.pressure - 1);
  return SensitivityCurve(own.sensitivity).at(pressure);
}

std::vector<GroupMethod> plain_group_methods(double bytes_per_ms) {
  std::vector<GroupMethod> methods = {{"max", longest_ms}, {"sum", sum_ms}};
  methods.push_back({"curve", [](const std::vector<GroupPart>& parts) {
                       return group_ms(parts, curve_slow_down);
                     }});
  if (bytes_per_ms <= 0) return methods;
  const auto share = [bytes_per_ms](const GroupPart& own, std::span<const GroupPart> others) {
    double all = demand(own);
    for (const GroupPart& other : others) all += demand(other);
    return std::max(1.0, all / bytes_per_ms);
  };
  methods.push_back({"bandwidth share", [share](const std::vector<GroupPart>& parts) {
                       return group_ms(parts, share);
                     }});
  return methods;
}

}  // namespace opbench
