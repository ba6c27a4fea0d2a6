#pragma once

#include <set>
#include <string>
#include <vector>

#include "experiments/sessions/request/run_request.h"
#include "presentation/cli/command.h"

namespace opbench {

/// The options without those of these names: they are hidden and keep their defaults, which
/// requests are made from.
std::vector<OptionDef> with_hidden(std::vector<OptionDef> options,
                                   const std::set<std::string>& names);

/// Options of a model that one number of workers runs, as plans need its times. `hidden`: besides
/// those that say nothing about such times.
std::vector<OptionDef> worker_options(std::set<std::string> hidden = {});

/// How something is measured: the options of `profile` and `op`.
std::vector<OptionDef> measuring_options();

/// What --inject-fault says: `UNIT=FAULT`, or nothing. `kInvalidInput` for another text.
Result<std::string> fault_of(const Arguments& arguments);

/// What a model is fed with: further options of `profile`, with extent_options()
/// (extent_options.h).
std::vector<OptionDef> model_options();

/// Where results go: --format, --output, --record.
std::vector<OptionDef> output_options();

/// The request but for model and workload. `kInvalidInput` for any value that cannot be; nothing is
/// measured or built here.
Result<ProfileRequest> request_of(const Invocation& invocation);

/// The same for commands that choose engines and thread counts themselves.
Result<RunRequest> run_request_of(const Invocation& invocation);

}  // namespace opbench
