#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/errors/failure.h"
#include "base/json/json.h"
#include "base/system/seconds.h"
#include "engines/client/engine_launch.h"

namespace opbench {

/// A running engine: requests go to its descriptor 3, replies come from its descriptor 4
/// (docs/reference/engine-protocol.md). It and all its children end with this object, with this
/// program's end (however that comes), and after a time-out. The thread that starts it must outlive
/// it.
class EngineProcess {
 public:
  /// `kEnvironment` naming the executable or the CPUs when it cannot be started so.
  static Result<std::unique_ptr<EngineProcess>> start(EngineCommand command);
  EngineProcess(const EngineProcess&) = delete;
  EngineProcess& operator=(const EngineProcess&) = delete;
  ~EngineProcess();

  /// The reply's `result`. Failures: what the engine answered; kRunError with the signal's name or
  /// exit code and the last lines of its log when it died; kRunTimeout after scaled_limit(`limit`)
  /// (it is then killed), or as soon as `cancel` becomes true (the same).
  Outcome<Json> call(const std::string& method, const Json& params, Seconds limit,
                     const std::atomic<bool>* cancel = nullptr);

  /// From now on it gets so much address space at most, and is what the system ends first when the
  /// machine runs out of memory.
  void limit_memory(uint64_t bytes);

  /// Stops it until `resume`: threads that spin for its next request would take the CPUs of what
  /// runs meanwhile.
  void pause();
  void resume();

  bool is_alive() const;
  int pid() const { return pid_; }

 private:
  EngineProcess() = default;

  struct Deadline {
    std::chrono::steady_clock::time_point time;
    const std::atomic<bool>* cancel = nullptr;
  };

  Outcome<void> send(std::string_view line, Deadline deadline);
  Outcome<std::string> receive(Deadline deadline);
  Failure time_out(const std::string& method, Seconds limit);
  Failure lost(const std::string& why);
  Failure death(const std::string& method);
  int end();

  int pid_ = -1;       ///< -1 once it has been waited for
  int guard_ = -1;     ///< kills its group when this program ends
  int lifeline_ = -1;  ///< what the guard watches
  int requests_ = -1;
  int replies_ = -1;
  int64_t next_id_ = 1;
  std::string unread_;
  std::filesystem::path log_;
};

}  // namespace opbench
