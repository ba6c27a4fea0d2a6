#pragma once

#include <string>
#include <vector>

#include "experiments/sessions/request/profile_request.h"
#include "records/record/replay.h"

namespace opbench {

/// What a request asks for, as the JSON object that records keep in runtime_config.request: model
/// or workload, engines, threads, CPUs, batch size, shapes, inputs, seeds, check, executor, cache,
/// budget, precision, target. Without what belongs to one call: labels, progress, commands of the
/// user's engines (a file of records must not name commands to run).
std::string request_json(const ProfileRequest& request);

/// The request whose request_json() this is; fields that are missing or of another type keep their
/// defaults. `kInvalidInput` if it is not JSON.
Result<ProfileRequest> parse_request_json(const std::string& text);

/// The request that repeats records of one run: theirs, for the engines and thread counts of these
/// records only. Records without a request are read as far as their fields go. `items` is not
/// empty. `kInvalidInput` when they do not say what was run.
Result<ProfileRequest> replay_request(const std::vector<const ReplayItem*>& items);

}  // namespace opbench
