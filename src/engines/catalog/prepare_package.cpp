#include "engines/catalog/prepare_package.h"

#include <fmt/format.h>

#include <algorithm>
#include <thread>

#include "base/files/file.h"
#include "engines/catalog/prepare_extents.h"
#include "engines/package/package.h"
#include "engines/package/package_series.h"
#include "engines/runtime/executor.h"
#include "model/passes/passes.h"

namespace opbench {
namespace {

/// The blocks of workloads alone, each found once: models repeat their layers.
class BlocksAlone {
 public:
  explicit BlocksAlone(const Target& target) : target_(target) {}

  const std::vector<int>& of(const Workload& workload) {
    auto blocks = blocks_.try_emplace(text_of(workload));
    if (blocks.second) blocks.first->second = blocks_alone(workload, target_);
    return blocks.first->second;
  }

 private:
  const Target& target_;
  std::map<std::string, std::vector<int>> blocks_;
};

PreparedUnit prepared_unit(int id, PackagedUnit unit, BlocksAlone& alone) {
  PreparedUnit prepared{.id = id,
                        .identity = std::move(unit.identity),
                        .values = std::move(unit.values),
                        .compile_ms = unit.kernel.compile_ms,
                        .code_bytes = unit.kernel.code_bytes,
                        .code_hash = std::move(unit.code_hash)};
  if (!unit.kernel.compile_ms) {
    prepared.no_compile_reason = "the kernel cache does not hold it";
  }
  const UnitIdentity& identity = prepared.identity;
  prepared.has_own_blocks =
      !identity.nodes.empty() && identity.blocks == alone.of(*identity.workload);
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
std::string refusal_text(const RefusedKernel& refused, const std::vector<PreparedUnit>& units) {
  const auto unit = std::ranges::find_if(units, [&](const PreparedUnit& candidate) {
    return text_of(*candidate.identity.workload) == text_of(refused.kernel.workload);
  });
  const std::string instead = unit == units.end() ? "nothing" : unit->identity.schedule;
  return fmt::format("{}: {} takes the place of {}, which was not built: {}",
                     operator_text(refused.kernel.workload), instead, refused.kernel.schedule,
                     to_text(refused.failure));
}

PackageOptions package_options(const Model& model, const EngineOptions& options) {
  PackageOptions package;
  package.target = options.target;
  package.placement = options.placement;
  package.threads = options.placement.is_given() ? 1 : options.threads;
  package.boundaries.device = std::max(package.boundaries.device, options.device_boundary);
  package.teams = options.teams;
  package.layouts = given_layouts(model.graph, options.layouts);
  package.choices = KernelChoices(options.kernels);
  package.folder = options.folder / ("package-" + model.name);
  package.cache = options.cache.empty() ? cache_folder() : options.cache;
  package.build.worker = {(executable_folder() / "opbench").string(), "build-worker"};
  package.build.workers = std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
  package.build.logs = options.folder;
  package.build.cancel = options.cancel;
  package.build.progress = [&options](size_t done, size_t total) {
    if (options.progress)
      options.progress("kernel " + std::to_string(done) + "/" + std::to_string(total));
  };
  return package;
}

PreparedModel prepared_model(Package package, const EngineOptions& options) {
  PreparedModel prepared;
  prepared.kind = "package";
  prepared.path = package.folder;
  prepared.memory = PlannedBytes{.values = package.program.arena_bytes,
                                 .live = package.live_bytes,
                                 .weights = package.program.weight_bytes};
  prepared.warnings = std::move(package.remarks);
  prepared.code_hash = std::move(package.code_hash);
  BlocksAlone alone(options.target);
  for (size_t i = 0; i < package.units.size(); ++i) {
    prepared.units.push_back(
        prepared_unit(static_cast<int>(i), std::move(package.units[i]), alone));
  }
  for (const auto& [function, kernel] : package.refused) {
    prepared.warnings.push_back(refusal_text(kernel, prepared.units));
  }
  return prepared;
}

}  // namespace

Result<PreparedModel> prepare_package(const Model& original, const EngineOptions& options) {
  PackageOptions packages = package_options(original, options);
  if (has_free_extents(options.executor)) {
    PackageSeries series(packages.folder, options.fusion);
    return prepare_extents(original, options, series);
  }
  Model model = original;
  OPBENCH_CHECK(infer_types(model));
  observe(model.graph, options.observed);
  OPBENCH_TRY(const std::vector<Unit> units, lower(model, options.fusion));
  OPBENCH_TRY(Package package, build_package(model, units, packages));
  return prepared_model(std::move(package), options);
}

bool has_free_extents(const std::string& executor) {
  const auto definition = executor_table().find(executor);
  return definition && (*definition)->has_free_extents;
}

Result<PreparedModel> prepare_extents(const Model& model, const EngineOptions& options,
                                      PackageSeries& series) {
  OPBENCH_TRY(Package package,
              series.build(model, options.observed, package_options(model, options)));
  PreparedModel prepared = prepared_model(std::move(package), options);
  if (!series.reason().empty()) {
    prepared.warnings.insert(prepared.warnings.begin(),
                             "no kernel leaves extents free: " + series.reason());
  }
  return prepared;
}

}  // namespace opbench
