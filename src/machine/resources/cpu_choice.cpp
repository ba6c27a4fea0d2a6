#include "machine/resources/cpu_choice.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <set>
#include <string>

#include "machine/facts/cpu_list.h"

namespace opbench {
namespace {

/// A CPU that may be taken; compared member by member, the smallest is the best.
struct Candidate {
  int sibling = 0;  ///< how many allowed CPUs of its core come before it
  int slowness = 0;
  bool away = false;  ///< not in the node that has room for all threads
  int package = 0;
  int numa_node = 0;
  int core = 0;
  int cpu = 0;
  auto operator<=>(const Candidate&) const = default;
};

std::vector<Candidate> candidates_of(const Topology& topology, const std::set<int>& allowed) {
  std::vector<Candidate> candidates;
  for (size_t i = 0; i < topology.cores.size(); ++i) {
    const Core& core = topology.cores[i];
    int sibling = 0;
    for (const int cpu : core.cpus) {
      if (!allowed.contains(cpu)) continue;
      candidates.push_back({.sibling = sibling++,
                            .slowness = -core.efficiency,
                            .away = false,
                            .package = core.package,
                            .numa_node = core.numa_node,
                            .core = static_cast<int>(i),
                            .cpu = cpu});
    }
  }
  return candidates;
}

/// Marks all CPUs outside the first node, else package, that has a free core for every thread.
void prefer_one_home(std::vector<Candidate>& candidates, int threads) {
  for (const auto part : {&Candidate::numa_node, &Candidate::package}) {
    std::map<int, int> cores;
    for (const Candidate& candidate : candidates) {
      if (candidate.sibling == 0) ++cores[candidate.*part];
    }
    const auto home =
        std::ranges::find_if(cores, [&](const auto& entry) { return entry.second >= threads; });
    if (home == cores.end()) continue;
    for (Candidate& candidate : candidates) candidate.away = candidate.*part != home->first;
    return;
  }
}

std::string counted(size_t count, const std::string& what) {
  return std::to_string(count) + " " + what + (count == 1 ? "" : "s");
}

}  // namespace

Result<std::vector<int>> choose_cpus(const Topology& topology, int threads,
                                     const std::vector<int>& allowed) {
  const std::vector<int> existing = topology.cpus();
  const std::set<int> wanted(allowed.begin(), allowed.end());
  std::vector<int> absent;
  std::ranges::set_difference(wanted, existing, std::back_inserter(absent));
  if (!absent.empty()) {
    const std::string plural = absent.size() == 1 ? "" : "s";
    const std::string verb = absent.size() == 1 ? "does" : "do";
    return Error{ErrorCode::kInvalidInput,
                 "CPU" + plural + " \"" + cpu_list_text(absent) + "\" " + verb + " not exist here"}
        .with("known", cpu_list_text(existing));
  }
  if (threads < 1) {
    return Error{ErrorCode::kInvalidInput,
                 "\"" + std::to_string(threads) + "\" threads: at least 1 is needed"};
  }
  std::vector<Candidate> candidates = candidates_of(topology, wanted);
  if (candidates.size() < static_cast<size_t>(threads)) {
    return Error{ErrorCode::kInvalidInput,
                 "\"" + std::to_string(threads) + "\" threads do not fit on " +
                     counted(candidates.size(), "CPU") + ": a thread needs a CPU of its own"}
        .with("CPUs", cpu_list_text(allowed));
  }
  prefer_one_home(candidates, threads);
  std::ranges::sort(candidates);
  std::vector<int> cpus;
  for (int i = 0; i < threads; ++i) cpus.push_back(candidates[static_cast<size_t>(i)].cpu);
  return cpus;
}

}  // namespace opbench
