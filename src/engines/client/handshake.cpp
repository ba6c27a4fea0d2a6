#include "engines/client/handshake.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <utility>

namespace opbench {

Outcome<Json> say_hello(const EngineCall& call, const HelloRequest& request) {
  Outcome<Json> reply =
      call("hello",
           {{"protocol", kProtocolVersion}, {"threads", request.threads}, {"cpus", request.cpus}});
  if (!reply || !reply->contains("protocol") || reply->at("protocol") == kProtocolVersion) {
    return reply;
  }
  return tl::make_unexpected(Failure{FailureKind::kUnsupported,
                                     fmt::format("the engine speaks protocol {}, not {}",
                                                 reply->at("protocol").dump(), kProtocolVersion)});
}

}  // namespace opbench
