#include "measuring/sampling/line_watch.h"

#include <fmt/format.h>

#include <utility>

#include "machine/facts/cpu_list.h"
#include "measuring/results/statistics.h"

namespace opbench {
namespace {

constexpr Seconds kBetweenLooks{0.25};
constexpr double kFarNs = 100;  // within one cache: 10 to 70
constexpr size_t kFewestFar = 2;
constexpr size_t kFarOneIn = 20;

}  // namespace

LineWatch::LineWatch(const Topology& topology, const std::vector<int>& cpus, Look look)
    : look_(std::move(look)) {
  for (const int cpu : cpus) {
    if (cpus_.empty() || topology.share_cache(cpus_.front(), cpu)) cpus_.push_back(cpu);
  }
}

void LineWatch::look(Seconds now) {
  const bool is_early = last_ && now - *last_ < kBetweenLooks;
  if (cpus_.size() < 2 || is_early) return;
  last_ = now;
  const int other = cpus_[1 + count_++ % (cpus_.size() - 1)];
  const std::optional<double> ns = look_(cpus_.front(), other);
  if (ns) (*ns > kFarNs ? far_ns_ : near_ns_).push_back(*ns);
}

std::string LineWatch::warning() const {
  const size_t looks = near_ns_.size() + far_ns_.size();
  if (far_ns_.size() < kFewestFar || far_ns_.size() * kFarOneIn < looks) return "";
  const std::string near =
      near_ns_.empty() ? "" : fmt::format(" and {:.0f} ns in the others", median(near_ns_));
  return fmt::format(
      "CPUs {} share a cache by the machine's word, but in {} of {} looks a cache line took {:.0f} "
      "ns between them{}: their cores lay apart then, which slows threads that exchange data",
      cpu_list_text(cpus_), far_ns_.size(), looks, median(far_ns_), near);
}

}  // namespace opbench
