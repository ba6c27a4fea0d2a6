#include "presentation/cli/tune/trial_setup.h"

#include <fmt/format.h>

#include "base/files/code_folder.h"
#include "base/numbers/number.h"
#include "engines/catalog/engine_choice.h"
#include "machine/facts/topology.h"
#include "machine/resources/cpu_choice.h"
#include "machine/resources/pinning.h"

namespace opbench {

std::vector<OptionDef> trial_options() {
  return {{.name = "--threads",
           .value_name = "N",
           .help = "that a kernel runs on; all CPUs build",
           .otherwise = "1"},
          {.name = "--seed",
           .value_name = "N",
           .help = "of the points, inputs and weights",
           .otherwise = "0"},
          {.name = "--inject-fault",
           .value_name = "INDEX=FAULT",
           .help = "for tests",
           .kind = OptionKind::kRepeated,
           .is_hidden = true,
           .is_settable = false}};
}

Result<TrialFolders> make_trial_folders() {
  OPBENCH_TRY(TemporaryFolder packages, TemporaryFolder::make());
  OPBENCH_TRY(TemporaryFolder objects, make_code_folder());
  return TrialFolders{std::move(packages), std::move(objects)};
}

Result<LocalMachineOptions> trial_machine_options(const Arguments& arguments, const Target& target,
                                                  const TrialFolders& folders,
                                                  const std::atomic<bool>* cancel) {
  LocalMachineOptions options;
  OPBENCH_TRY(const int64_t threads, arguments.integer("--threads", 1, kMostThreads));
  OPBENCH_TRY(const Topology topology, this_topology());
  const std::vector<int> allowed = current_affinity();
  OPBENCH_TRY(const std::vector<int> cpus,
              choose_cpus(topology, static_cast<int>(threads), allowed));
  const EngineDef& engine = package_engine_for(target);
  if (const auto reason = engine.unavailable()) {
    return Error{ErrorCode::kEnvironment,
                 fmt::format("engine \"{}\" cannot be used here", engine.name)}
        .with("reason", *reason);
  }
  options.build = {.worker = {(executable_folder() / "opbench").string(), "build-worker"},
                   .cpus = allowed,
                   .measured = {cpus.begin(), cpus.end()},
                   .packages = folders.packages.path(),
                   .objects = folders.objects.path(),
                   .cancel = cancel};
  options.run.engine = engine;
  options.run.engine_options = {.threads = static_cast<int>(threads),
                                .cpus = cpus,
                                .target = target,
                                .folder = folders.packages.path()};
  options.run.cancel = cancel;
  OPBENCH_TRY(const auto faults, arguments.pairs("--inject-fault"));
  for (const auto& [index, fault] : faults) {
    constexpr std::string_view kOfBuild = "build-";
    const auto config = static_cast<uint64_t>(parse_integer(index).value_or(0));
    if (fault.starts_with(kOfBuild)) {
      options.build.faults[config] = fault.substr(kOfBuild.size());
    } else {
      options.run.faults[config] = fault;
    }
  }
  OPBENCH_TRY(const int64_t seed, arguments.integer("--seed", 0));
  options.seed = static_cast<uint64_t>(seed);
  return options;
}

}  // namespace opbench
