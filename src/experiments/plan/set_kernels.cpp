#include "experiments/plan/set_kernels.h"

#include <algorithm>
#include <array>
#include <utility>

namespace opbench {
namespace {

using UnitKey = std::pair<std::string, std::vector<int>>;

UnitKey set_kernels_key_of(const KernelChoice& kernel) { return {kernel.workload, kernel.blocks}; }

/// Where units of a model run: the numbers of equal ones.
std::map<UnitKey, std::vector<size_t>> places_of(const std::vector<PreparedUnit>& units) {
  std::map<UnitKey, std::vector<size_t>> places;
  for (size_t i = 0; i < units.size(); ++i) {
    if (units[i].identity.workload)
      places[{text_of(*units[i].identity.workload), units[i].identity.blocks}].push_back(i);
  }
  return places;
}

bool can_overlap(const std::vector<size_t>& first, const std::vector<size_t>& second,
                 const std::vector<BitSet>& ancestors) {
  return std::ranges::any_of(first, [&](size_t a) {
    return std::ranges::any_of(
        second, [&](size_t b) { return a != b && !ancestors[a][b] && !ancestors[b][a]; });
  });
}

}  // namespace

std::vector<KernelChoice> set_kernels(const std::map<std::string, KeptSet>& sets,
                                      const UnitGraph& graph,
                                      const std::vector<PreparedUnit>& units) {
  const auto places = places_of(units);
  const auto are_here = [&](const KeptSet& set) {
    return set.arrangement != Arrangement::kSequential &&
           places.contains(set_kernels_key_of(set.kernels[0])) &&
           places.contains(set_kernels_key_of(set.kernels[1]));
  };
  std::vector<std::pair<std::string, const KeptSet*>> here;
  for (const auto& [key, set] : sets) {
    if (are_here(set)) here.emplace_back(key, &set);
  }
  if (here.empty()) return {};
  std::ranges::stable_sort(here, std::ranges::greater(),
                           [](const auto& one) { return one.second->speedup; });
  const std::vector<BitSet> ancestors = ancestors_of(graph);
  std::map<UnitKey, KernelChoice> chosen;
  for (const auto& [key, set] : here) {
    const bool fits = can_overlap(places.at(set_kernels_key_of(set->kernels[0])),
                                  places.at(set_kernels_key_of(set->kernels[1])), ancestors);
    if (!fits) continue;
    for (KernelChoice kernel : set->kernels) {
      kernel.origin = "set " + key;
      kernel.threads = 1;
      chosen.emplace(set_kernels_key_of(kernel), std::move(kernel));
    }
  }
  std::vector<KernelChoice> kernels;
  for (auto& [unit, kernel] : chosen) kernels.push_back(std::move(kernel));
  return kernels;
}

}  // namespace opbench
