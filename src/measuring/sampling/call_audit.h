#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "base/json/json.h"
#include "base/system/seconds.h"
#include "engines/client/process_use.h"
#include "measuring/sampling/audit.h"

namespace opbench {

/// Sends a request about one prepared thing to an engine: method, params, time limit.
using PreparationCall =
    std::function<Outcome<Json>(const std::string& method, const Json& params, Seconds limit)>;

/// What a look at an engine's timed calls found.
struct CallAudit {
  std::shared_ptr<const Audit> audit =
      {};                               ///< for later processes; null: the engine knows no audits
  std::optional<Failure> failure = {};  ///< kWrongResult: it cheats
};

/// Audits prepared calls. The engine times all of them on the prepared inputs, and once on `inputs`
/// (tensor files), which it has not seen. What that timed call wrote is then compared with what
/// `run` gives (audit.h). Files go to `folder`.
CallAudit audit_calls(const PreparationCall& call, const Json& inputs,
                      const std::filesystem::path& folder);

/// The same in a process that was measured: what is right for the first calls only is found now.
std::optional<Failure> audit_again(const PreparationCall& call, const Audit& audit,
                                   const std::filesystem::path& folder);

/// Whether the times of what is prepared account for the time of their requests
/// (request_account.h): requests of some 0.2 s until one is whole or three are not. Nothing is
/// asked of calls above 0.1 s. `use`: of the engine's process; `threads`: that a call may use.
std::optional<Failure> account_calls(const PreparationCall& call,
                                     const std::function<std::optional<ProcessUse>()>& use,
                                     int threads);

}  // namespace opbench
