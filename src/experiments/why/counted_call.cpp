#include "experiments/why/counted_call.h"

namespace opbench {

std::map<std::string, double> counted_call(Session& session, size_t engine_run,
                                           const UnitGroup& group,
                                           const std::vector<CounterEvent>& events) {
  constexpr int kFirst = 0, kOnce = 1, kWarmCalls = 3;
  constexpr int64_t kCalls = 20;
  if (!group.item || group.failure) return {};
  EngineRunner& runner = session.runner();
  const Seconds none{0};
  // The first request prepares and warms up, and starts what threads the engine has.
  if (!runner.measure(*group.item, kFirst, kOnce, kOnce, none, kWarmCalls)) return {};
  const int pid = runner.pid(static_cast<int>(engine_run), kFirst);
  const auto counters = pid > 0 ? HardwareCounters::open(pid, events)
                                : Result<HardwareCounters>(Error{ErrorCode::kEnvironment, ""});
  if (!counters || !runner.measure(*group.item, kFirst, kCalls, kOnce, none, 0)) return {};
  std::map<std::string, double> counts = counters->read();
  for (auto& [name, count] : counts) count /= static_cast<double>(kCalls);
  return counts;
}

}  // namespace opbench
