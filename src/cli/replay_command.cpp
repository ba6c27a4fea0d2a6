#include "opbench/base/file.h"
#include "opbench/cli/command.h"
#include "opbench/record/replay.h"

namespace opbench {
namespace {

Result<void> run(const Invocation& invocation, Terminal&) {
  const std::string& path = invocation.arguments.positionals().front();
  OPBENCH_TRY(const std::string text, read_file(path));
  const Result<std::vector<ReplayItem>> items = plan_replay(text);
  if (!items) return Error(items.error()).with("in", path);
  if (items->empty()) return Error{ErrorCode::kNoMatch, "no records in \"" + path + "\""};
  return Error{ErrorCode::kInvalidInput, "replay is not available yet"};
}

}  // namespace

CommandDef replay_command() {
  return {.name = "replay",
          .summary = "Repeat what a file of records holds and compare the times",
          .positionals = {{.name = "FILE", .help = "records, as `--record` writes them"}},
          .examples = {{"opbench replay runs.jsonl",
                        "exit 0 when the times are reproduced, 3 when they are not"}},
          .help_rank = 4,
          .run = run};
}

}  // namespace opbench
