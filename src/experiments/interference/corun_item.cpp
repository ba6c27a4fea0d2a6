#include "experiments/interference/corun_item.h"

#include <algorithm>

#include "base/numbers/random.h"

namespace opbench {
namespace {

using CorunItemKind = CorunParty::Kind;

bool is_pair(const CorunItem& item) {
  return item.parties[0].kind == CorunItemKind::kUnit &&
         item.parties[1].kind == CorunItemKind::kUnit;
}

CorunItem item_of(CorunParty first, CorunParty second) {
  CorunItem item;
  item.parties = {first, second};
  return item;
}

bool is_precise(const Slowdown& slowdown, double precision) {
  return slowdown.interval.high - slowdown.interval.low <= 2 * precision * slowdown.ratio;
}

}  // namespace

std::vector<CorunItem> corun_items(size_t units, size_t levels, size_t probe, bool has_pairs) {
  std::vector<CorunItem> items = {
      item_of({CorunItemKind::kCompute, 0}, {CorunItemKind::kCompute, 0})};
  for (size_t level = 0; level < levels; ++level) {
    items.push_back(item_of({CorunItemKind::kLevel, probe}, {CorunItemKind::kLevel, level}));
  }
  for (size_t unit = 0; unit < units; ++unit) {
    for (size_t level = 0; level < levels; ++level) {
      items.push_back(item_of({CorunItemKind::kUnit, unit}, {CorunItemKind::kLevel, level}));
    }
  }
  for (size_t first = 0; has_pairs && first < units; ++first) {
    for (size_t second = first; second < units; ++second) {
      items.push_back(item_of({CorunItemKind::kUnit, first}, {CorunItemKind::kUnit, second}));
    }
  }
  return items;
}

bool is_done(const CorunItem& item, double precision, uint64_t seed) {
  constexpr size_t kEnoughRounds = 10;
  if (item.failure) return true;
  if (item.rounds.size() < kEnoughRounds) return false;
  for (const size_t side : {size_t{0}, size_t{1}}) {
    const auto slowdown = slowdown_of(item.rounds, side, seed);
    if (!slowdown || !is_precise(*slowdown, precision)) return false;
  }
  return true;
}

std::vector<size_t> pass_order(const std::vector<CorunItem>& items, int pass, double precision,
                               uint64_t seed) {
  Random random(seed, "pass " + std::to_string(pass));
  std::vector<size_t> order;
  for (const size_t at : random.shuffled(items.size())) {
    if (!is_done(items[at], precision, seed)) order.push_back(at);
  }
  std::ranges::stable_partition(order, [&](size_t at) { return !is_pair(items[at]); });
  return order;
}

}  // namespace opbench
