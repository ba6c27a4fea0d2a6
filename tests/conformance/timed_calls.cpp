#include "timed_calls.h"

#include <nlohmann/json.hpp>

#include <optional>

#include "base/system/seconds.h"
#include "engines/client/process_use.h"
#include "engines/protocol/tensor_files.h"
#include "measuring/sampling/call_audit.h"

namespace opbench {
namespace {

/// What a timed call on inputs that it has not seen makes, and how long it takes.
void check_audit(const TimedCalls& calls, const PreparationCall& call) {
  const Json inputs = Json::array({calls.input});
  const auto wanted = write_tensor(calls.folder / "wanted.bin", "y", calls.output);
  const Audit audit{inputs.dump(), Json::array({wanted.value()}).dump()};
  const auto finding = audit_again(call, audit, calls.folder / "audited");
  calls.rule("a timed call on other inputs makes their result, in the time of a call", !finding,
             finding ? finding->text : "");
}

/// Its times account for the time that requests take.
void check_accounts(const TimedCalls& calls, const PreparationCall& call) {
  const auto finding = account_calls(
      call, [&] { return process_use(calls.pid); }, 1);
  calls.rule("its samples account for the time of their requests", !finding,
             finding ? finding->text : "");
}

}  // namespace

void check_timed_calls(const TimedCalls& calls) {
  const PreparationCall call = [&](const std::string& method, Json params,
                                   Seconds) -> Outcome<Json> {
    params["name"] = "m";
    Json reply = calls.call(method, params);
    if (reply.is_object()) return reply;
    calls.rule(method + " is answered while timed calls are looked at", false, params.dump());
    return tl::make_unexpected(Failure{FailureKind::kRunError, "no answer"});
  };
  check_audit(calls, call);
  check_accounts(calls, call);
}

}  // namespace opbench
