#include "engines/catalog/engine_choice.h"

#include <algorithm>

#include "engines/runtime/executor.h"

namespace opbench {

const EngineDef& package_engine() {
  const auto& engines = engine_table().all();
  return *std::ranges::find_if(engines, &EngineDef::takes_packages);
}

bool takes_packages(const std::string& name) {
  const auto& engines = engine_table().all();
  return std::ranges::any_of(engines, [&](const EngineDef& engine) {
    return engine.name == name && engine.takes_packages;
  });
}

bool follows_plan(const EngineDef& engine, const std::string& executor) {
  if (std::ranges::count(engine.executors, executor) == 0) return false;
  const auto definition = executor_table().find(executor);
  return definition && (*definition)->follows_plan;
}

std::string planned_executor() {
  const auto& executors = executor_table().all();
  return std::ranges::find_if(executors, &ExecutorDef::follows_plan)->name;
}

std::string engine_to_check_against() {
  for (const EngineDef& engine : engine_table().all()) {
    if (engine.is_reference && engine.runs_models && !engine.unavailable()) return engine.name;
  }
  return "reference";
}

}  // namespace opbench
