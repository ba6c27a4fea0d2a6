#include "presentation/cli/seed/seed_tuning.h"

#include <filesystem>
#include <ostream>

#include "model/download/url.h"
#include "presentation/cli/command_line.h"
#include "records/record/profile_records.h"

namespace opbench {
namespace {

using SeedTuningWords = std::vector<std::string>;

/// `resnet-18-xgb-llvm.tune.log`
std::string seed_tuning_log_of(const std::string& model, const SeedTuning& tuning,
                               const std::string& target) {
  const std::string kind = target.substr(0, target.find(' '));
  const Result<Url> url = parse_url(model);
  const std::string name = url ? url->name : model;
  return name + "-" + tuning.tuner + "-" + kind + ".tune.log";
}

Result<void> run_told(SeedTuningWords line, const Invocation& invocation, Terminal& terminal) {
  const Arguments& arguments = invocation.arguments;
  if (arguments.has("--target")) line.insert(line.end(), {"--target", arguments.value("--target")});
  if (arguments.has("--batchsize")) {
    line.insert(line.end(), {"--batch-size", arguments.value("--batchsize")});
  }
  if (terminal.is_quiet) line.emplace_back("--quiet");
  line.insert(line.begin(), invocation.argv.front());
  if (!terminal.is_quiet) terminal.err << "hint: now: " << shell_text(line) << "\n";
  return run_line(line, terminal);
}

}  // namespace

Result<void> run_seed_tuning(const Invocation& invocation, const std::string& model,
                             const SeedTuning& tuning, Terminal& terminal) {
  const std::string log = seed_tuning_log_of(model, tuning, invocation.arguments.value("--target"));
  std::error_code ignored;
  const bool has_log = std::filesystem::exists(log, ignored);
  if (tuning.tunes) {
    SeedTuningWords tune = {"tune",       model,      "--templates", "tvm",   "--tuner",
                            tuning.tuner, "--trials", tuning.trials, "--log", log};
    if (has_log) tune.emplace_back("--continue");
    OPBENCH_CHECK(run_told(std::move(tune), invocation, terminal));
  } else if (!has_log) {
    return Error{ErrorCode::kInvalidInput, "there is no tuning log \"" + log + "\" to compare"}
        .with("add", "--iftune=true");
  }
  if (tuning.compares) {
    return run_told({"compare", model, "--new-tuning-log", log}, invocation, terminal);
  }
  return run_told({"profile", model, "--tuning-log", log}, invocation, terminal);
}

}  // namespace opbench
