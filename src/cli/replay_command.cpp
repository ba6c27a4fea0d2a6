#include "opbench/base/file.h"
#include "opbench/cli/command.h"

namespace opbench {
namespace {

Result<void> run(const Invocation& invocation, Terminal&) {
  OPBENCH_TRY(const std::string text, read_file(invocation.arguments.positionals().front()));
  return Error{ErrorCode::kInvalidInput, "replay is not available yet"};
}

}  // namespace

CommandDef replay_command() {
  return {.name = "replay",
          .summary = "Repeat what a file of records holds and compare the times",
          .positionals = {{.name = "FILE", .help = "records, as `--record` writes them"}},
          .examples = {{"opbench replay runs.jsonl",
                        "exit 0 when the times are reproduced, 3 when they are not"}},
          .run = run};
}

}  // namespace opbench
