#include "presentation/cli/tune/task_model.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/errors/suggestion.h"
#include "engines/catalog/engine_choice.h"
#include "experiments/sessions/model/model_source.h"
#include "kernels/tasks/strategy.h"
#include "machine/devices/device.h"
#include "machine/target/cuda_arch.h"
#include "machine/target/parse_target.h"
#include "model/passes/passes.h"
#include "presentation/cli/options/download_flags.h"
#include "presentation/cli/options/extent_options.h"
#include "presentation/cli/options/model_argument.h"

namespace opbench {
namespace {

constexpr const char* kPynq =
    "ext_dev -keys=vta,cpu -device=vta -model=pynq_1x16_i8w8a32_15_15_18_17";

}  // namespace

std::vector<OptionDef> task_model_options() {
  std::vector<OptionDef> result = {
      {.name = "--target",
       .value_name = "TARGET",
       .help = "cuda, llvm, 'opencl -device=mali', pynq, host, …; none needs to be here",
       .otherwise = "host"}};
  for (OptionDef& option : extent_options()) result.push_back(std::move(option));
  for (OptionDef& option : download_flags()) result.push_back(std::move(option));
  return result;
}

Result<Target> task_target(const Arguments& arguments) {
  const std::string text = arguments.value("--target");
  return parse_target(text == "pynq" ? kPynq : text);
}

Result<Target> task_target_here(const Arguments& arguments) {
  OPBENCH_TRY(Target target, task_target(arguments));
  if (!runs_on_cpu(package_engine_for(target))) {
    OPBENCH_TRY(const FoundDevice device, device_of_target(target, ""));
    return with_arch(std::move(target), device.arch);
  }
  if (std::string missing; !runs_here(target, missing)) {
    return Error{
        ErrorCode::kInvalidInput,
        fmt::format("this machine cannot run code for target \"{}\"", arguments.value("--target"))}
        .with("missing", missing);
  }
  return target;
}

Result<Model> task_model(const Arguments& arguments, Terminal& terminal) {
  const std::string& text = arguments.positionals().front();
  ProfileRequest request;
  if (is_workload(text)) {
    request.model.workload = text;
  } else {
    OPBENCH_TRY(const ModelArgument argument, resolve_model(text));
    request.model.name = argument.name;
    request.model.is_zoo = argument.is_zoo;
  }
  OPBENCH_CHECK(set_extents(arguments, request));
  OPBENCH_CHECK(set_download(arguments, request));
  show_download(request, terminal);
  OPBENCH_TRY(RequestedModel model, load_outline(request.model, request.measure, request.hooks));
  OPBENCH_CHECK(check_inputs(request.model, model));
  const Result<void> typed = infer_types(model);
  if (!typed) return in_model(typed.error(), request.model);
  OPBENCH_CHECK(fold_constants(model));
  OPBENCH_CHECK(infer_types(model));
  return model;
}

Result<size_t> task_number(const Arguments& arguments, size_t count) {
  OPBENCH_TRY(const int64_t number, arguments.integer("--task", 0));
  if (static_cast<size_t>(number) < count) return static_cast<size_t>(number);
  return Error{ErrorCode::kInvalidInput, fmt::format("task {} of {}", number, count)}.with(
      "valid", fmt::format("0 to {}", count - 1));
}

Error no_task(const std::string& model, const Target& target) {
  Error error{ErrorCode::kNoMatch,
              fmt::format("no task in \"{}\" for target \"{}\"", model, display_text(target))};
  const std::vector<std::string> keys = strategy_keys(target);
  const std::vector<std::string> known = strategy_table().names();
  const bool has_templates = std::ranges::any_of(
      keys, [&](const std::string& key) { return std::ranges::find(known, key) != known.end(); });
  if (has_templates) {
    return std::move(error).with("needed", "convolutions or matrix products with a template");
  }
  return std::move(error)
      .with("its keys", keys.empty() ? "none" : join(keys))
      .with("keys with templates", join(known));
}

}  // namespace opbench
