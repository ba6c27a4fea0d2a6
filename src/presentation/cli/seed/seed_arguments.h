#pragma once

#include <string>
#include <vector>

#include "presentation/cli/arguments.h"
#include "presentation/cli/terminal.h"

namespace opbench {

/// True for a command line in the form of OpBench's Python predecessor, which has no command:
/// `--modelsource=local --modelname=resnet-18 --target=llvm`.
bool is_seed_command_line(const std::vector<std::string>& words);

/// Its options, hidden, as `profile` takes them.
std::vector<OptionDef> seed_options();

/// Checks the predecessor's options and returns the model they name; empty when none of them names
/// one. Prints one line with today's form on `terminal.err`. `kInvalidInput`: an unknown source
/// (with the list), a value that is not available yet.
Result<std::string> seed_model(const Arguments& arguments, Terminal& terminal);

/// What the predecessor's line says about tuning, with its defaults.
struct SeedTuning {
  bool tunes = false;     ///< --iftune
  bool compares = false;  ///< --ifcompare: tuned kernels with the default ones
  std::string tuner = "xgb";
  std::string trials = "3000";
};

/// `kInvalidInput` for a switch that is neither true nor false.
Result<SeedTuning> seed_tuning(const Arguments& arguments);

}  // namespace opbench
