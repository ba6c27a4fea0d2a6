#include "experiments/compare/variant_worker.h"
#include "presentation/cli/command.h"

namespace opbench {
namespace {

Result<void> run_side_worker(const Invocation&, Terminal&) {
  if (serve_variants() == 0) return {};
  return Error{ErrorCode::kSystem, "the side worker lost its requests"};
}

}  // namespace

CommandDef side_worker_command() {
  return {.name = "side-worker",
          .summary = "Prepare a variant of a comparison for the build that started this one",
          .is_hidden = true,
          .run = run_side_worker};
}

}  // namespace opbench
