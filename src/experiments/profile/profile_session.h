#pragma once

#include <functional>

#include "base/errors/error.h"
#include "experiments/sessions/request/profile_request.h"
#include "measuring/results/profile_result.h"

namespace opbench {

class PackageKeeper;
class Session;

/// Measures what the request names. Failed units are rows with their reason, not errors; a run
/// cancelled on the way returns what exists, with a warning that says so.
/// `kInvalidInput`: unreadable model, unknown engine or target, free dimensions, too many threads
/// (nothing was measured). `kEnvironment`: an engine cannot be used here. `kInterrupted`: cancelled
/// before anything could be measured.
Result<ProfileResult> run_profile(const ProfileRequest& request);

/// The same with packages that are kept from run to run.
Result<ProfileResult> run_profile_with(const ProfileRequest& request, PackageKeeper& keeper);

/// Looks at the profile of a request, whose candidates are decided, and may add to it. The engines
/// of the session still run.
using ProfileLook = std::function<Result<void>(Session&, const ProfileRequest&, ProfileResult&)>;

/// The same, then `look`, whose error ends the run.
Result<ProfileResult> run_profile_and_look(const ProfileRequest& request, const ProfileLook& look);

/// The same in a session of the request's variants. The request has no candidates.
Result<ProfileResult> run_profile_in(Session& session, const ProfileRequest& request);

}  // namespace opbench
