#pragma once

#include <functional>
#include <string>
#include <vector>

#include "base/errors/failure.h"
#include "base/json/json.h"

namespace opbench {

/// The version of the protocol that this program speaks (docs/reference/engine-protocol.md).
constexpr int kProtocolVersion = 1;

/// The threads that an engine gets, and the CPUs where they run.
struct HelloRequest {
  int threads = 1;
  std::vector<int> cpus = {};
};

/// Sends a request to a started engine and returns the result of its reply.
using EngineCall = std::function<Outcome<Json>(const std::string& method, const Json& params)>;

/// Says hello, the first request of every conversation, and returns the reply. The engine's
/// failure, or kUnsupported naming both versions when the engine speaks another one.
Outcome<Json> say_hello(const EngineCall& call, const HelloRequest& request);

}  // namespace opbench
