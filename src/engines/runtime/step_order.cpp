#include "engines/runtime/step_order.h"

namespace opbench {

StepOrder StepOrder::sequential(size_t steps) {
  StepWaits waits(steps);
  for (size_t i = 1; i < steps; ++i) waits[i] = {static_cast<int>(i) - 1};
  return of(waits);
}

StepOrder StepOrder::of(const StepWaits& waits) {
  StepOrder order;
  for (size_t i = 0; i < waits.size(); ++i) {
    std::vector<bool> ended(waits.size());
    for (const int step : waits[i]) {
      ended[static_cast<size_t>(step)] = true;
      const std::vector<bool>& before = order.ends_before_[static_cast<size_t>(step)];
      for (size_t j = 0; j < i; ++j) ended[j] = ended[j] || before[j];
    }
    order.ends_before_.push_back(std::move(ended));
  }
  return order;
}

StepWaits waits_of(const StepOrder& order) {
  StepWaits waits(order.size());
  for (int i = 0; i < std::ssize(waits); ++i) {
    for (int j = 0; j < i; ++j) {
      if (order.ends_before(j, i)) waits[static_cast<size_t>(i)].push_back(j);
    }
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
