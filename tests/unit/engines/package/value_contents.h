#pragma once

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "model/operators/operator.h"
#include "planned_model.h"

namespace opbench {

/// Marks for the floats of a model's values: which element of which value each one is.
class ValueContents {
 public:
  explicit ValueContents(const Planned& planned) : planned_(planned) {
    for (size_t i = 0; i < planned.steps.size(); ++i) {
      const auto& real = planned.memory.planned;
      if (std::ranges::count(real, i) == 0) skipped_[planned.steps[i].output()] = i;
      const PlannedStep& step = planned.steps[i];
      if (step.copy != StepCopy::kNone) copied_.emplace(step.output(), step.operand(0));
    }
  }

  std::vector<int> own(int index) const {
    std::vector<int> content(static_cast<size_t>(slot(index).bytes / 4));
    for (size_t i = 0; i < content.size(); ++i) content[i] = index * 100000 + static_cast<int>(i);
    return content;
  }

  /// Where a slot begins, in floats, where the device's memory lies behind the host's.
  int64_t place_of(const Slot& target) const {
    const bool is_host = target.scope == MemoryScope::kHost;
    return (target.offset + (is_host ? 0 : planned_.memory.program.arena_bytes)) / 4;
  }

  /// What a step writes there: a copy has the content of what it copies.
  std::vector<int> made(int index) const {
    const Slot& made = slot(index);
    const PlannedValue value{made.name, made.layout.block, made.scope};
    return copied_.contains(value) ? of(value) : own(index);
  }

  // A value that no step makes has the content of what it is made of.
  std::vector<int> of(const PlannedValue& value) const {
    if (const auto copied = copied_.find(value); copied != copied_.end()) return of(copied->second);
    const int index = planned_.index_of(value);
    std::vector<int> content;
    if (const auto skipped = skipped_.find(value); skipped != skipped_.end()) {
      const PlannedStep& step = planned_.steps[skipped->second];
      for (size_t i = 0; i < step.values.operands.size(); ++i) {
        const std::vector<int> piece = of(step.operand(i));
        content.insert(content.end(), piece.begin(), piece.end());
      }
    } else if (const auto viewed = viewed_by(value); viewed) {
      content = of({*viewed, 0, value.scope});
    } else {
      return own(index);
    }
    content.resize(static_cast<size_t>(slot(index).bytes / 4));  // lanes may be cut off
    return content;
  }

 private:
  std::optional<std::string> viewed_by(const PlannedValue& value) const {
    for (const Node& node : planned_.model.graph.nodes) {
      const bool is_view = operator_of(node)->fusion == FusionRole::kView;
      if (is_view && value == PlannedValue{node.outputs[0], 0, value.scope}) return node.inputs[0];
    }
    return std::nullopt;
  }

  const Slot& slot(int index) const {
    return planned_.memory.program.slots[static_cast<size_t>(index)];
  }

  const Planned& planned_;
  std::map<PlannedValue, PlannedValue> copied_;  ///< copies by what they make: what they are of
  std::map<PlannedValue, size_t> skipped_;       ///< steps that are none of the program
};

}  // namespace opbench
