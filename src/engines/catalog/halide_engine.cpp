#include <fmt/format.h>

#include <algorithm>
#include <thread>

#include "base/files/file.h"
#include "engines/catalog/engine.h"
#include "engines/package/package.h"
#include "engines/runtime/executor.h"
#include "model/passes/passes.h"

namespace opbench {
namespace {

std::filesystem::path engine_executable() { return executable_folder() / "opbench-engine-halide"; }

std::optional<std::string> unavailable() {
  if (std::filesystem::exists(engine_executable())) return std::nullopt;
  return "its executable is missing; run ./dev build";
}

EngineCommand command(const EngineOptions& options) {
  return {{engine_executable().string()}, {}, options.cpus, options.folder / "halide.log"};
}

PreparedUnit prepared_unit(int id, PackagedUnit unit, const Target& target) {
  PreparedUnit prepared;
  prepared.id = id;
  prepared.operator_text = unit.nodes.empty() ? "layout" : operator_text(unit.workload);
  prepared.nodes = std::move(unit.nodes);
  prepared.operands = std::move(unit.operands);
  prepared.output = std::move(unit.output);
  prepared.further_outputs = std::move(unit.further_outputs);
  prepared.schedule = std::move(unit.schedule);
  prepared.origin = std::move(unit.origin);
  prepared.compile_ms = unit.kernel.compile_ms;
  prepared.code_bytes = unit.kernel.code_bytes;
  if (!unit.kernel.compile_ms) {
    prepared.no_compile_reason = "the kernel cache does not hold it";
  }
  prepared.has_own_blocks =
      !prepared.nodes.empty() && unit.blocks == blocks_alone(unit.workload, target);
  prepared.workload = std::move(unit.workload);
  prepared.blocks = std::move(unit.blocks);
  return prepared;
}

GivenLayouts given_layouts(const Graph& graph, const std::vector<int>& blocks) {
  GivenLayouts given;
  auto block = blocks.begin();
  for (const auto* values : {&graph.inputs, &graph.outputs}) {
    for (const Value& value : *values) {
      if (block != blocks.end()) given[value.name] = *block++;
    }
  }
  return given;
}

/// `conv2d+relu: conv2d_direct takes the place of conv2d_winograd, which was not built: …`
std::string refusal_text(const RefusedKernel& kernel, const std::vector<PreparedUnit>& units) {
  const auto unit = std::ranges::find_if(units, [&](const PreparedUnit& candidate) {
    return text_of(*candidate.workload) == text_of(kernel.workload);
  });
  const std::string instead = unit == units.end() ? "nothing" : unit->schedule;
  return fmt::format("{}: {} takes the place of {}, which was not built: {}",
                     operator_text(kernel.workload), instead, kernel.schedule,
                     to_text(kernel.failure));
}

void observe(Graph& graph, const std::vector<std::string>& names) {
  for (const std::string& name : names) {
    if (is_output(graph, name) || !graph.types.contains(name)) continue;
    Value value{name, graph.types.at(name).data_type, true, {}};
    for (const int64_t extent : graph.types.at(name).shape)
      value.dimensions.push_back({extent, ""});
    graph.outputs.push_back(std::move(value));
  }
}

bool has_free_extents(const std::string& executor) {
  const auto definition = executor_table().find(executor);
  return definition && (*definition)->has_free_extents;
}

Result<PreparedModel> prepare_model(const Model& original, const EngineOptions& options) {
  Model model = original;
  OPBENCH_CHECK(infer_types(model));
  observe(model.graph, options.observed);
  const Model observed = has_free_extents(options.executor) ? model : Model();
  OPBENCH_TRY(const std::vector<Unit> units, lower(model));

  PackageOptions package_options;
  package_options.target = options.target;
  package_options.threads = options.threads;
  package_options.teams = options.teams;
  package_options.layouts = given_layouts(original.graph, options.layouts);
  package_options.choices = KernelChoices(options.kernels);
  package_options.folder = options.folder / ("package-" + model.name);
  package_options.cache = options.cache.empty() ? cache_folder() : options.cache;
  package_options.build.worker = {(executable_folder() / "opbench").string(), "build-worker"};
  package_options.build.workers =
      std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
  package_options.build.logs = options.folder;
  package_options.build.cancel = options.cancel;
  package_options.build.progress = [&](size_t done, size_t total) {
    if (options.progress)
      options.progress("kernel " + std::to_string(done) + "/" + std::to_string(total));
  };
  FreeForms free;
  if (has_free_extents(options.executor)) {
    free = FreeForms::of(observed);
    package_options.free = &free;
  }
  OPBENCH_TRY(Package package, build_package(model, units, package_options));

  PreparedModel prepared;
  prepared.kind = "package";
  prepared.path = package.folder;
  prepared.memory = PlannedBytes{.values = package.program.arena_bytes,
                                 .live = package.live_bytes,
                                 .weights = package.program.weight_bytes};
  for (size_t i = 0; i < package.units.size(); ++i) {
    prepared.units.push_back(
        prepared_unit(static_cast<int>(i), std::move(package.units[i]), options.target));
  }
  if (!free.reason().empty()) {
    prepared.warnings.push_back("no kernel leaves extents free: " + free.reason());
  }
  for (const auto& [function, kernel] : package.refused) {
    prepared.warnings.push_back(refusal_text(kernel, prepared.units));
  }
  return prepared;
}

}  // namespace

EngineDef halide_engine() {
  return {.name = "halide",
          .summary = "OpBench's own kernels, scheduled with Halide, compiled ahead",
          .takes_packages = true,
          .injects_faults = true,
          .executors = executor_table().names(),
          .unavailable = unavailable,
          .command = command,
          .prepare_model = prepare_model};
}

}  // namespace opbench
