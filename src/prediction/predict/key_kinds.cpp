#include "prediction/predict/key_kinds.h"

#include <algorithm>
#include <functional>

namespace opbench {

std::vector<KindShare> kind_shares(const std::map<std::string, double>& seconds) {
  double all_s = 0;
  std::vector<KindShare> kinds;
  for (const auto& [kind, of_kind] : seconds) {
    kinds.push_back({.kind = kind, .seconds = of_kind});
    all_s += of_kind;
  }
  std::ranges::stable_sort(kinds, std::greater<>(), &KindShare::seconds);
  double covered_s = 0;
  for (KindShare& kind : kinds) {
    kind.share = all_s > 0 ? kind.seconds / all_s : 0;
    kind.is_heavy = covered_s < kHeavyShare * all_s;
    covered_s += kind.seconds;
  }
  return kinds;
}

}  // namespace opbench
