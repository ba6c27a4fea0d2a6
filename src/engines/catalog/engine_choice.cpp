#include "engines/catalog/engine_choice.h"

#include <algorithm>

#include "engines/runtime/executor.h"
#include "machine/target/device_type.h"

namespace opbench {

bool runs_on_cpu(const EngineDef& engine) {
  return std::ranges::count(engine.device_kinds, "cpu") > 0;
}

const EngineDef& package_engine() {
  const auto& engines = engine_table().all();
  return *std::ranges::find_if(engines, [](const EngineDef& engine) {
    return engine.takes_packages && runs_on_cpu(engine);
  });
}

const EngineDef& package_engine_for(const Target& target) {
  if (device_type(target) == DeviceType::kCpu) return package_engine();
  const auto& engines = engine_table().all();
  const auto found = std::ranges::find_if(engines, [&](const EngineDef& engine) {
    return engine.takes_packages && std::ranges::count(engine.device_kinds, target.kind) > 0;
  });
  return found == engines.end() ? package_engine() : *found;
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
