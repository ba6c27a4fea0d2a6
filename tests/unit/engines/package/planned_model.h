#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "engines/package/memory_plan.h"
#include "machine/target/parse_target.h"

namespace opbench {

/// A model with its planned steps and memory.
struct Planned {
  Model model;
  std::vector<PlannedStep> steps;
  MemoryPlan memory;

  const Slot& slot(const std::string& name, int block = 0) const {
    return memory.program.slots[static_cast<size_t>(index_of({name, block}))];
  }
  int index_of(const PlannedValue& value) const {
    const auto& slots = memory.program.slots;
    for (size_t i = 0; i < slots.size(); ++i) {
      const bool is_it = slots[i].name == value.name && slots[i].layout.block == value.block &&
                         slots[i].scope == value.scope;
      if (is_it && slots[i].storage == Storage::kArena) return static_cast<int>(i);
    }
    ADD_FAILURE() << "no slot for " << value.name << "/" << value.block;
    return 0;
  }
};

inline Planned planned(Model model, const StepWaits& waits = {}) {
  Planned result{std::move(model), {}, {}};
  const auto target = parse_target("llvm -mcpu=core-avx2");
  auto steps = plan_layouts(result.model, fuse(result.model), *target);
  EXPECT_TRUE(steps) << to_text(steps.error());
  if (steps) result.steps = std::move(*steps);
  result.memory = plan_memory(result.model, result.steps, {}, waits);
  return result;
}

}  // namespace opbench
