#pragma once

#include <optional>
#include <string>

#include "base/errors/failure.h"
#include "base/json/json.h"
#include "base/system/seconds.h"
#include "engines/client/process_use.h"

namespace opbench {

/// A connection to a running engine, whatever carries its requests: a pipe to a process on this
/// machine, or a stand-in in tests.
class Transport {
 public:
  virtual ~Transport() = default;
  /// The reply's `result`, as EngineProcess::call.
  virtual Outcome<Json> call(const std::string& method, const Json& params, Seconds limit) = 0;
  virtual bool is_alive() const = 0;
  /// What its process has used so far; nothing where there is none, or the system does not say.
  virtual std::optional<ProcessUse> use() const { return {}; }
  /// The number of its process on this machine; 0 where there is none.
  virtual int pid() const { return 0; }
};

}  // namespace opbench
