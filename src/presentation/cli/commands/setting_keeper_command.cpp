#include "machine/settings/setting_keeper.h"
#include "presentation/cli/command.h"

namespace opbench {
namespace {

Result<void> run_setting_keeper(const Invocation&, Terminal&) {
  keep_settings();
  return {};
}

}  // namespace

CommandDef setting_keeper_command() {
  return {.name = kSettingKeeperCommand,
          .summary = "Put settings of the machine back when the program that started this one ends",
          .is_hidden = true,
          .run = run_setting_keeper};
}

}  // namespace opbench
