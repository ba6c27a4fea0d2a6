#include "engines/package/build_worker.h"
#include "presentation/cli/command.h"

namespace opbench {
namespace {

Result<void> run_build_worker(const Invocation&, Terminal&) {
  if (serve_builds() == 0) return {};
  return Error{ErrorCode::kSystem, "the build worker lost its requests"};
}

}  // namespace

CommandDef build_worker_command() {
  return {.name = "build-worker",
          .summary = "Compile kernels for the program that started this one",
          .is_hidden = true,
          .run = run_build_worker};
}

}  // namespace opbench
