#include "prediction/serve/segment_group.h"

#include <algorithm>
#include <cstddef>
#include <limits>

namespace opbench {

double bytes_from_memory(double bytes, double resident_bytes, double cache_bytes) {
  if (cache_bytes <= 0) return bytes;
  return bytes * std::clamp(2 * resident_bytes / cache_bytes - 1, 0.0, 1.0);
}

std::vector<double> ends_of_group(const std::vector<GroupPart>& parts,
                                  const GroupSlowDown& slow_down) {
  std::vector<double> left_ms, ends_ms(parts.size(), 0);
  for (const GroupPart& part : parts) left_ms.push_back(part.solo_ms);
  std::vector<size_t> running(parts.size());
  for (size_t i = 0; i < running.size(); ++i) running[i] = i;
  double now_ms = 0;
  while (!running.empty()) {
    std::vector<double> factors;
    double step_ms = std::numeric_limits<double>::infinity();
    for (const size_t own : running) {
      std::vector<GroupPart> others;
      for (const size_t other : running) {
        if (other != own) others.push_back(parts[other]);
      }
      factors.push_back(others.empty() ? 1 : std::max(1.0, slow_down(parts[own], others)));
      step_ms = std::min(step_ms, left_ms[own] * factors.back());
    }
    now_ms += step_ms;
    std::vector<size_t> still;
    for (size_t i = 0; i < running.size(); ++i) {
      const size_t own = running[i];
      const bool has_ended = left_ms[own] * factors[i] <= step_ms;
      left_ms[own] -= step_ms / factors[i];
      if (has_ended) {
        ends_ms[own] = now_ms;
      } else {
        still.push_back(own);
      }
    }
    running = std::move(still);
  }
  return ends_ms;
}

double group_ms(const std::vector<GroupPart>& parts, const GroupSlowDown& slow_down) {
  const std::vector<double> ends_ms = ends_of_group(parts, slow_down);
  return ends_ms.empty() ? 0 : std::ranges::max(ends_ms);
}

std::vector<double> ends_of_pair(std::span<const GroupPart> parts,
                                 std::span<const double> slow_downs) {
  std::vector<double> ends_ms = {parts[0].solo_ms * slow_downs[0],
                                 parts[1].solo_ms * slow_downs[1]};
  const size_t first = ends_ms[0] <= ends_ms[1] ? 0 : 1;
  const size_t last = 1 - first;
  ends_ms[last] = ends_ms[first] + parts[last].solo_ms - ends_ms[first] / slow_downs[last];
  return ends_ms;
}

std::vector<double> slow_downs_of_pair(std::span<const GroupPart> parts,
                                       std::span<const double> ends_ms) {
  const size_t first = ends_ms[0] <= ends_ms[1] ? 0 : 1;
  const size_t last = 1 - first;
  std::vector<double> factors(2, 1.0);
  factors[first] = std::max(1.0, ends_ms[first] / parts[first].solo_ms);
  // What the later one did beside the first is what it did not have to do alone afterwards.
  const double done_ms = parts[last].solo_ms - (ends_ms[last] - ends_ms[first]);
  if (done_ms > 0) factors[last] = std::max(1.0, ends_ms[first] / done_ms);
  return factors;
}

}  // namespace opbench
