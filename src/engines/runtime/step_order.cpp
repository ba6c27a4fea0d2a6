#include "engines/runtime/step_order.h"

#include <algorithm>

namespace opbench {

StepOrder StepOrder::sequential(size_t steps) {
  StepWaits waits(steps);
  for (size_t i = 1; i < steps; ++i) waits[i] = {static_cast<int>(i) - 1};
  return of(waits);
}

StepOrder StepOrder::of(const StepWaits& waits) {
  StepOrder order;
  for (size_t i = 0; i < waits.size(); ++i) {
    BitSet ended(waits.size());
    for (const int step : waits[i]) {
      ended.add(static_cast<size_t>(step));
      ended.add_all(order.ends_before_[static_cast<size_t>(step)]);
    }
    order.ends_before_.push_back(std::move(ended));
  }
  return order;
}

StepWaits waits_of(const StepOrder& order) {
  StepWaits waits(order.size());
  std::vector<BitSet> implied;  // by step: all that its waits bring with them
  for (int i = 0; i < std::ssize(waits); ++i) {
    BitSet before(order.size());
    for (int j = i; j-- > 0;) {
      const auto earlier = static_cast<size_t>(j);
      if (!order.ends_before(j, i) || before[earlier]) continue;
      waits[static_cast<size_t>(i)].push_back(j);
      before.add(earlier);
      before.add_all(implied[earlier]);
    }
    std::ranges::reverse(waits[static_cast<size_t>(i)]);
    implied.push_back(std::move(before));
  }
  return waits;
}

StepWaits waits_of_groups(const StepWaits& needs, const std::vector<int>& group) {
  StepWaits waits = needs;
  for (size_t i = 0; i < needs.size(); ++i) {
    for (size_t j = 0; j < i; ++j) {
      if (group[j] != group[i]) waits[i].push_back(static_cast<int>(j));
    }
  }
  return waits;
}

}  // namespace opbench
