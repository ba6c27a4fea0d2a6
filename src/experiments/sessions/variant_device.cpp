#include "experiments/sessions/variant_device.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/errors/suggestion.h"
#include "engines/catalog/emulator.h"
#include "engines/catalog/engine_choice.h"
#include "machine/target/device_type.h"

namespace opbench {

Result<void> check_named_device(const Target& target, const RunSettings& settings) {
  if (settings.device.empty()) return {};
  if (device_type(target) != DeviceType::kCpu) {
    OPBENCH_CHECK(device_of_target(target, settings.device));
    return {};
  }
  return invalid_input(fmt::format("the device \"{}\" runs no code for target \"{}\"",
                                   settings.device, settings.target))
      .with("valid", "--device with a target of that kind, as --target opencl");
}

Result<FoundDevice> device_of_variant(const Target& target, const RunSettings& settings,
                                      bool takes_emulated) {
  if (device_type(target) != DeviceType::kCpu) return device_of_target(target, settings.device);
  OPBENCH_CHECK(check_named_device(target, settings));
  std::string missing;
  if (runs_here(target, missing)) return FoundDevice{.name = "cpu"};
  Error refused =
      invalid_input(fmt::format("this machine cannot run code for target \"{}\"", settings.target))
          .with("missing", missing);
  if (!is_arm64(target)) return refused;
  if (!takes_emulated) {
    return std::move(refused).with(
        "emulation",
        "profile, op, sweep and compare emulate it; this command judges times, "
        "of which an emulator tells nothing");
  }
  OPBENCH_TRY(const std::optional<Emulator> emulator, emulator_of(target));
  if (emulator) return FoundDevice{.name = "cpu"};
  return refused;
}

Result<int> device_units_of(const Target& target, const RunSettings& settings) {
  const auto wanted = settings.machine.find("opencl.units");
  if (wanted == settings.machine.end()) return 0;
  if (device_type(target) != DeviceType::kOpenCl) {
    return invalid_input(fmt::format("opencl.units says nothing of target \"{}\"", settings.target))
        .with("valid", "--target opencl");
  }
  return std::stoi(wanted->second);
}

Result<void> check_engine_of_device(const EngineDef& engine, const Target& target,
                                    const Variant& variant) {
  if (!engine.takes_packages) return {};
  const bool is_cpu = device_type(target) == DeviceType::kCpu;
  const std::string kind = is_cpu ? "cpu" : target.kind;
  if (std::ranges::count(engine.device_kinds, kind) == 0) {
    return invalid_input(fmt::format("engine \"{}\" runs no code for target \"{}\"", engine.name,
                                     variant.settings.target))
        .with("it runs on", join(engine.device_kinds))
        .with("valid", "--engine " + package_engine_for(target).name);
  }
  const std::string& executor = variant.settings.executor;
  const bool has_executor =
      executor == RunSettings().executor || std::ranges::count(engine.executors, executor) > 0;
  if (has_executor) return {};
  return invalid_input(fmt::format("engine \"{}\" has no executor \"{}\"", engine.name, executor))
      .with("valid", join(engine.executors));
}

Result<void> check_cache_of_device(const EngineDef& engine, const Target& target, CacheMode cache) {
  const bool is_on_device = engine.takes_packages && device_type(target) != DeviceType::kCpu;
  if (!is_on_device || cache != CacheMode::kColdWeights) return {};
  return invalid_input(
             fmt::format("--cache cold-weights is not for the engine \"{}\"", engine.name))
      .with("reason", "what empties a device's cache takes activations with it")
      .with("valid", "hot, cold-all");
}

}  // namespace opbench
