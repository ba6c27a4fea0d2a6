#pragma once

#include <atomic>
#include <vector>

#include "base/errors/error.h"
#include "base/files/file.h"
#include "machine/target/target.h"
#include "presentation/cli/arguments.h"
#include "tuning/trials/local_machine.h"

/// What commands that make trials on this machine share.
namespace opbench {

/// --threads, --seed, and --inject-fault for tests.
std::vector<OptionDef> trial_options();

/// Folders of one run, removed at its end.
struct TrialFolders {
  TemporaryFolder packages;
  TemporaryFolder objects;  ///< not in /dev/shm: kernels may be forbidden to run from there
};

/// Made after those of programs that are gone were removed.
Result<TrialFolders> make_trial_folders();

/// How trials are made for these options: workers on every CPU, the halide engine on those that
/// --threads asks for. `kEnvironment` when the engine cannot be used.
Result<LocalMachineOptions> trial_machine_options(const Arguments& arguments, const Target& target,
                                                  const TrialFolders& folders,
                                                  const std::atomic<bool>* cancel);

}  // namespace opbench
