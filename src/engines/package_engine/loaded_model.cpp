#include "engines/package_engine/loaded_model.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <stdexcept>

#include "engines/protocol/tensor_files.h"
#include "engines/runtime/device_runs.h"
#include "engines/runtime/fault.h"

namespace opbench {

Result<std::vector<Tensor>> read_in_order(const Json& descriptions) {
  std::vector<Tensor> tensors;
  if (descriptions.is_null()) return tensors;
  for (const Json& description : descriptions) {
    OPBENCH_TRY(Tensor tensor, read_tensor(description));
    tensors.push_back(std::move(tensor));
  }
  return tensors;
}

void throw_failure(LoadedPackage& package, int code) {
  throw std::runtime_error(take_failure(package.context(), code));
}

Result<LoadedModel> load_model(const Json& params, LoadOptions options) {
  OPBENCH_TRY(const ExecutorDef* const definition,
              executor_table().find(params.value("executor", kDefaultExecutor)));
  LoadedModel model{.definition = definition};
  // Where buffers lie within a page moves times by a percent: every process has them elsewhere.
  options.shift_bytes = static_cast<size_t>(::getpid() % 64) * 64;
  OPBENCH_TRY(model.package, LoadedPackage::load(params.at("path").get<std::string>(), options));
  model.bench = std::make_unique<UnitBench>(*model.package);
  OPBENCH_CHECK(inject_fault(*model.package, *model.bench, params.value("fault_unit", -1),
                             params.value("fault", "")));
  OPBENCH_TRY(model.executor, definition->make(*model.package));
  return model;
}

Result<void> set_inputs(LoadedPackage& package, const std::vector<Tensor>& tensors) {
  const size_t count = package.program().inputs.size();
  if (tensors.size() > count) {
    return Error{ErrorCode::kInvalidInput,
                 fmt::format("{} inputs for a model of {}", tensors.size(), count)};
  }
  for (size_t i = 0; i < tensors.size(); ++i) OPBENCH_CHECK(package.set_input(i, tensors[i]));
  return {};
}

void overwrite_results(LoadedPackage& package) {
  const Program& program = package.program();
  for (const Step& step : program.steps) {
    for (const int result : step.results) {
      if (std::ranges::count(program.outputs, result) == 0) continue;
      const Slot& slot = program.slots[static_cast<size_t>(result)];
      std::memset(package.memory_of(slot), 0xFF, static_cast<size_t>(slot.bytes));
    }
  }
}

TensorsByName named_outputs(const LoadedPackage& package) {
  const Program& program = package.program();
  TensorsByName outputs;
  for (size_t i = 0; i < program.outputs.size(); ++i) {
    const auto slot = static_cast<size_t>(program.outputs[i]);
    outputs.emplace_back(program.slots[slot].name, package.output(i));
  }
  return outputs;
}

}  // namespace opbench
