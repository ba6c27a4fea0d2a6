#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "engines/client/engine_process.h"
#include "engines/client/transport.h"
#include "measuring/sampling/audit.h"
#include "measuring/sampling/procedure.h"
#include "measuring/sampling/request_account.h"

namespace opbench {

/// Starts one more process of an engine. The number makes names of logs unique.
using EngineStarter = std::function<Result<std::unique_ptr<Transport>>(int process)>;

/// Starts real processes: `command` with the process number added to the name of its log, and a
/// variable of random length in its environment, as that moves the stack (Mytkowicz et al. 2009).
EngineStarter process_starter(EngineCommand command, uint64_t seed);

/// Something to prepare in every process of an engine: the params of the request, without the name,
/// as JSON text.
struct Preparation {
  std::string name;
  std::string params;
  Seconds limit{120};
};

/// One engine at one thread count.
struct EngineSetup {
  EngineStarter start;
  int threads = 1;
  std::vector<int> cpus;
  std::vector<Preparation> preparations;
  std::string cache = "hot";
  TimeClock clock = TimeClock::kWall;  ///< of samples that name none
};

/// What an item of the procedure is in its engine.
struct EngineItem {
  int engine = 0;                           ///< index of the setup
  std::string name;                         ///< of the preparation
  std::optional<int> unit = {};             ///< nothing: the whole model
  double expected_s = 0;                    ///< of one call, by prediction; 0 unknown
  std::shared_ptr<const Audit> audit = {};  ///< null: its timed calls are not looked at
};

/// What one of an engine's processes holds more after it was measured than before, at most.
struct LeftBehind {
  int64_t threads = 0;
  double bytes = 0;  ///< but for what the first request of each item has added
};

/// How long `calls` calls may take before they count as hung: 5 s and 20 times what is expected;
/// 30 s more when nothing is known of the call.
Seconds time_limit(double calls, double call_s, Seconds warm_up);

/// The Runner over engine processes. They start when first asked for, and prepare a thing when
/// first asked for it, on the same CPUs; only one is at work at a time. A process that died is
/// started again by the next request that needs it; a preparation during which a process died is
/// not tried again in any process of that engine: items that need it fail with its reason. Where an
/// engine chooses between implementations, all its processes take what the first one chose. An item
/// whose times cannot be (audit.h, request_account.h) fails with kWrongResult.
class EngineRunner : public Runner {
 public:
  explicit EngineRunner(std::vector<EngineSetup> setups, std::vector<EngineItem> items = {});
  EngineRunner(const EngineRunner&) = delete;
  EngineRunner& operator=(const EngineRunner&) = delete;
  ~EngineRunner() override;

  /// Items are numbered from 0 in the order in which they were given.
  size_t add(EngineItem item);

  /// Starts these processes of an engine now and makes all preparations, so that no budget pays for
  /// it. Fails if a process does not start.
  Outcome<void> start(int engine, int processes);
  /// Ends all processes of an engine.
  void stop(int engine);

  Outcome<std::vector<Sample>> measure(size_t item, int process, int64_t number, int repeats,
                                       Seconds warm_up, int warm_up_calls) override;
  Outcome<void> recover(size_t item, int process) override;

  /// Any other request, for instance `profile` or `run`. `name`: the preparation that it needs,
  /// empty for none.
  Outcome<Json> call(int engine, int process, const std::string& name, const std::string& method,
                     const Json& params, Seconds limit);

  /// What a process has used so far; nothing where it does not run, or the system does not say.
  std::optional<ProcessUse> use(int engine, int process) const;
  /// The number of a process; 0 where it does not run on this machine.
  int pid(int engine, int process) const;
  /// Of the engine's process that left most.
  LeftBehind left_behind(int engine) const;

  /// What the engine answered to hello, and to prepare of `name`.
  Outcome<Json> hello(int engine, int process);
  Outcome<Json> prepared(int engine, int process, const std::string& name);

  /// What is prepared in every process of the engine, with the choices that its first process made.
  const std::vector<Preparation>& preparations(int engine) const {
    return setups_.at(static_cast<size_t>(engine)).preparations;
  }

 private:
  struct Process;
  Outcome<Process*> started(int engine, int number);
  Outcome<std::unique_ptr<Process>> begin(int engine, int number);
  void prepare(int engine, Process& process, Preparation& preparation);
  Outcome<Process*> ready(int engine, int number, const std::string& name);
  /// What is wrong with the times of a reply, if anything.
  std::optional<Failure> check_times(size_t item, const Json& reply,
                                     const std::vector<Sample>& samples, double spent_s,
                                     const std::optional<RequestAccount>& account);

  std::vector<EngineSetup> setups_;
  std::vector<EngineItem> items_;
  std::map<std::pair<int, int>, std::unique_ptr<Process>> processes_;  ///< by engine and number
  std::map<std::pair<int, std::string>, Failure> deadly_;  ///< by engine and preparation
  std::map<size_t, double> observed_;                      ///< seconds a call, by item
  std::map<size_t, RequestAccounts> accounts_;             ///< by item
  Auditor auditor_{0};
};

/// The samples of a `measure` reply; unknown counts (null) become 0, an unknown CPU -1.
Outcome<std::vector<Sample>> parse_samples(const Json& result);

}  // namespace opbench
