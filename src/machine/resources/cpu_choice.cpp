#include <algorithm>
#include <charconv>
#include <map>
#include <set>
#include <tuple>

#include "base/errors/suggestion.h"
#include "machine/facts/topology.h"

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

Error bad_list(std::string_view text, const std::string& reason) {
  return Error{ErrorCode::kInvalidInput, "bad CPU list \"" + std::string(text) + "\": " + reason}
      .with("expected", "numbers and ranges, as in 0,2-5");
}

bool read_number(std::string_view text, int& number) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc() && end == text.data() + text.size() && number >= 0;
}

std::string counted(size_t count, const std::string& what) {
  return std::to_string(count) + " " + what + (count == 1 ? "" : "s");
}

}  // namespace

std::vector<int> Topology::cpus() const {
  std::vector<int> result;
  for (const Core& core : cores) result.insert(result.end(), core.cpus.begin(), core.cpus.end());
  std::ranges::sort(result);
  return result;
}

int64_t Topology::cache_bytes(int level, int cpu) const {
  for (const Cache& cache : caches) {
    if (cache.level != level || cache.instruction) continue;
    if (std::ranges::find(cache.cpus, cpu) != cache.cpus.end()) return cache.bytes;
  }
  return 0;
}

bool Topology::share_cache(int first, int second) const {
  return std::ranges::any_of(caches, [&](const Cache& cache) {
    const auto has = [&](int cpu) {
      return std::ranges::find(cache.cpus, cpu) != cache.cpus.end();
    };
    return !cache.instruction && has(first) && has(second);
  });
}

Result<std::vector<int>> parse_cpu_list(std::string_view text) {
  constexpr int kMost = 1 << 16;
  std::vector<int> cpus;
  std::set<int> seen;
  for (size_t begin = 0; begin <= text.size();) {
    const size_t end = std::min(text.find(',', begin), text.size());
    const std::string_view word = text.substr(begin, end - begin);
    const size_t dash = word.find('-');
    int first = 0;
    int last = 0;
    const bool read =
        dash == std::string_view::npos
            ? read_number(word, first) && read_number(word, last)
            : read_number(word.substr(0, dash), first) && read_number(word.substr(dash + 1), last);
    if (!read || last >= kMost) return bad_list(text, "\"" + std::string(word) + "\" is no CPU");
    if (last < first) return bad_list(text, "\"" + std::string(word) + "\" runs backwards");
    for (int cpu = first; cpu <= last; ++cpu) {
      if (!seen.insert(cpu).second) return bad_list(text, std::to_string(cpu) + " stands twice");
      cpus.push_back(cpu);
    }
    begin = end + 1;
  }
  std::ranges::sort(cpus);
  return cpus;
}

std::string cpu_list_text(std::vector<int> cpus) {
  std::ranges::sort(cpus);
  std::vector<std::string> parts;
  for (size_t i = 0; i < cpus.size();) {
    size_t last = i;
    while (last + 1 < cpus.size() && cpus[last + 1] == cpus[last] + 1) ++last;
    const std::string first = std::to_string(cpus[i]);
    parts.push_back(last == i ? first : first + "-" + std::to_string(cpus[last]));
    i = last + 1;
  }
  return join(parts, ",");
}

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
