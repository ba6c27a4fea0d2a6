#include "measuring/sampling/engine_runner.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <chrono>
#include <set>
#include <utility>

#include "base/json/json_text.h"
#include "base/numbers/random.h"
#include "base/system/seconds.h"
#include "engines/client/handshake.h"
#include "measuring/results/sample_json.h"

namespace opbench {
namespace {

constexpr Seconds kHelloLimit{60};

/// A process that is stopped between calls: what it left spinning (OpenMP's threads do for
/// milliseconds) would disturb the next one that is measured.
class ProcessTransport : public Transport {
 public:
  explicit ProcessTransport(std::unique_ptr<EngineProcess> process)
      : process_(std::move(process)) {}
  Outcome<Json> call(const std::string& method, const Json& params, Seconds limit) override {
    process_->resume();
    auto reply = process_->call(method, params, limit);
    process_->pause();
    return reply;
  }
  bool is_alive() const override { return process_->is_alive(); }
  std::optional<ProcessUse> use() const override { return process_use(process_->pid()); }
  int pid() const override { return process_->pid(); }

 private:
  std::unique_ptr<EngineProcess> process_;
};

tl::unexpected<Failure> failed(FailureKind kind, std::string text) {
  return tl::make_unexpected(Failure{kind, std::move(text)});
}

std::string one_line(const Error& error) {
  std::string text = error.message;
  for (const Fact& fact : error.facts) text += "; " + fact.label + " " + fact.text;
  return text;
}

double seconds_since(std::chrono::steady_clock::time_point begin) {
  return Seconds(std::chrono::steady_clock::now() - begin).count();
}

/// Of requests that no engine knows: what sending, reading and answering take.
double shortest_request_s(Transport& transport) {
  constexpr int kTries = 3;
  double longest = 0;
  for (int i = 0; i < kTries; ++i) {
    const auto begin = std::chrono::steady_clock::now();
    static_cast<void>(transport.call("echo", Json::object(), kHelloLimit));
    longest = std::max(longest, seconds_since(begin));
  }
  return longest;
}

bool has_unknown_clock(const Json& sample) {
  const auto clock = sample.is_object() ? sample.find("clock") : sample.end();
  const bool is_given = sample.is_object() && clock != sample.end() && !clock->is_null();
  return is_given &&
         !(clock->is_string() && time_clock_named(clock->get<std::string>()).has_value());
}

}  // namespace

/// A running process with what it answered.
struct EngineRunner::Process {
  std::unique_ptr<Transport> transport;
  Json hello;
  std::map<std::string, Json> prepared;
  std::map<std::string, Failure> failed;
  std::set<size_t> measured;                    ///< items
  double overhead_s = 0;                        ///< of the shortest request
  std::optional<ProcessUse> at_first, at_last;  ///< around its measuring
  double kept_bytes = 0;                        ///< that requests of measured items have added

  /// One request of an item. With the first one an engine readies the item, a unit's memory say:
  /// then this returns false, and what is added is no leak.
  bool note_request(size_t item, const std::optional<ProcessUse>& before) {
    at_last = transport->use();
    if (!at_first) at_first = before;
    if (measured.insert(item).second) return false;
    if (before && at_last) kept_bytes += at_last->resident_bytes - before->resident_bytes;
    return true;
  }
};

EngineStarter process_starter(EngineCommand command, uint64_t seed) {
  return [command = std::move(command), seed](int process) -> Result<std::unique_ptr<Transport>> {
    EngineCommand one = command;
    if (!one.log.empty()) {
      one.log.replace_filename(one.log.stem().string() + "-" + std::to_string(process) +
                               one.log.extension().string());
    }
    Random random(seed, "environment of process " + std::to_string(process));
    constexpr uint64_t kStep = 64;
    one.environment["OPBENCH_PADDING"] = std::string(kStep * random.below(kStep), 'x');
    OPBENCH_TRY(std::unique_ptr<EngineProcess> started, EngineProcess::start(std::move(one)));
    return std::make_unique<ProcessTransport>(std::move(started));
  };
}

Seconds time_limit(double calls, double call_s, Seconds warm_up) {
  const Seconds unknown(call_s > 0 ? 0 : 30);
  return Seconds(5) + unknown + 20 * (Seconds(calls * call_s) + warm_up);
}

EngineRunner::EngineRunner(std::vector<EngineSetup> setups, std::vector<EngineItem> items)
    : setups_(std::move(setups)), items_(std::move(items)) {}

EngineRunner::~EngineRunner() = default;

size_t EngineRunner::add(EngineItem item) {
  items_.push_back(std::move(item));
  return items_.size() - 1;
}

Outcome<void> EngineRunner::start(int engine, int processes) {
  for (int number = 0; number < processes; ++number) {
    const auto process = started(engine, number);
    if (!process) return tl::make_unexpected(process.error());
    for (const Preparation& preparation : setups_.at(static_cast<size_t>(engine)).preparations) {
      // What cannot be prepared fails again, with its reason, where it is needed.
      static_cast<void>(ready(engine, number, preparation.name));
    }
  }
  return {};
}

void EngineRunner::stop(int engine) {
  std::erase_if(processes_, [&](const auto& entry) { return entry.first.first == engine; });
}

Outcome<std::unique_ptr<EngineRunner::Process>> EngineRunner::begin(int engine, int number) {
  const EngineSetup& setup = setups_.at(static_cast<size_t>(engine));
  auto transport = setup.start(number);
  if (!transport) return failed(FailureKind::kDeviceLost, one_line(transport.error()));
  auto process = std::make_unique<Process>();
  process->transport = std::move(*transport);
  auto hello = say_hello(
      [&](const std::string& method, const Json& params) {
        return process->transport->call(method, params, kHelloLimit);
      },
      {setup.threads, setup.cpus});
  if (!hello) return tl::make_unexpected(hello.error());
  process->hello = std::move(*hello);
  process->overhead_s = shortest_request_s(*process->transport);
  return process;
}

Outcome<EngineRunner::Process*> EngineRunner::started(int engine, int number) {
  std::unique_ptr<Process>& slot = processes_[{engine, number}];
  if (slot && slot->transport->is_alive()) return slot.get();
  slot.reset();
  auto process = begin(engine, number);
  if (!process) return tl::make_unexpected(process.error());
  slot = std::move(*process);
  return slot.get();
}

/// What kills the process is not tried again in any other.
void EngineRunner::prepare(int engine, Process& process, Preparation& preparation) {
  const auto deadly = deadly_.find({engine, preparation.name});
  if (deadly != deadly_.end()) {
    process.failed.emplace(preparation.name, deadly->second);
    return;
  }
  const auto params = parse_json(preparation.params, "params of prepare");
  if (!params) {
    process.failed.emplace(preparation.name,
                           Failure{FailureKind::kInvalidConfig, params.error().message});
    return;
  }
  Json named = *params;
  named["name"] = preparation.name;
  auto reply = process.transport->call("prepare", named, preparation.limit);
  if (reply) {
    if (reply->contains("choice") && !params->contains("choice")) {
      Json settled = *params;
      settled["choice"] = reply->at("choice");
      preparation.params = json_text(settled);
    }
    process.prepared.emplace(preparation.name, std::move(*reply));
    return;
  }
  process.failed.emplace(preparation.name, reply.error());
  if (!process.transport->is_alive()) {
    deadly_.emplace(std::pair(engine, preparation.name), reply.error());
  }
}

Outcome<EngineRunner::Process*> EngineRunner::ready(int engine, int number,
                                                    const std::string& name) {
  auto process = started(engine, number);
  if (!process || name.empty()) return process;
  if (!(*process)->prepared.contains(name) && !(*process)->failed.contains(name)) {
    std::vector<Preparation>& known = setups_.at(static_cast<size_t>(engine)).preparations;
    const auto preparation = std::ranges::find(known, name, &Preparation::name);
    if (preparation == known.end()) {
      return failed(FailureKind::kInvalidConfig, "nothing is prepared as \"" + name + "\"");
    }
    prepare(engine, **process, *preparation);
  }
  const auto failure = (*process)->failed.find(name);
  if (failure != (*process)->failed.end()) return tl::make_unexpected(failure->second);
  return process;
}

Outcome<Json> EngineRunner::call(int engine, int process, const std::string& name,
                                 const std::string& method, const Json& params, Seconds limit) {
  const auto found = ready(engine, process, name);
  if (!found) return tl::make_unexpected(found.error());
  Json named = params;
  if (!name.empty()) named["name"] = name;
  return (*found)->transport->call(method, named, limit);
}

Outcome<Json> EngineRunner::hello(int engine, int process) {
  const auto found = started(engine, process);
  if (!found) return tl::make_unexpected(found.error());
  return (*found)->hello;
}

Outcome<Json> EngineRunner::prepared(int engine, int process, const std::string& name) {
  const auto found = ready(engine, process, name);
  if (!found) return tl::make_unexpected(found.error());
  return (*found)->prepared.at(name);
}

Outcome<std::vector<Sample>> EngineRunner::measure(size_t item, int process, int64_t number,
                                                   int repeats, Seconds warm_up,
                                                   int warm_up_calls) {
  const EngineItem& what = items_.at(item);
  const EngineSetup& setup = setups_.at(static_cast<size_t>(what.engine));
  Json params = {{"name", what.name},
                 {"unit", what.unit ? Json(*what.unit) : Json()},
                 {"number", number},
                 {"repeats", repeats},
                 {"cache", setup.cache},
                 {"warm_up_ms", to_ms(warm_up)},
                 {"warm_up_calls", warm_up_calls}};
  const auto observed = observed_.find(item);
  const double call_s =
      std::max(what.expected_s, observed == observed_.end() ? 0 : observed->second);
  const double calls = static_cast<double>(number) * repeats + warm_up_calls;
  // Starting a process is no part of what a call costs.
  const auto found = ready(what.engine, process, what.name);
  if (!found) return tl::make_unexpected(found.error());
  if (what.audit) {
    Json audit = auditor_.request(item, process, repeats, *what.audit);
    if (!audit.is_null()) params["audit"] = std::move(audit);
  }
  const auto before = (*found)->transport->use();
  const auto begin = std::chrono::steady_clock::now();
  const auto reply =
      call(what.engine, process, what.name, "measure", params, time_limit(calls, call_s, warm_up));
  const Seconds spent(seconds_since(begin));
  if (!reply) return tl::make_unexpected(reply.error());
  const bool is_ready = (*found)->note_request(item, before);
  auto samples = parse_samples(*reply);
  if (!samples) return samples;
  const auto after = (*found)->at_last;
  std::optional<RequestAccount> account;
  // A simulated time is none that this program could have seen pass.
  const bool is_simulated = samples->front().clock == TimeClock::kSimulated;
  if (before && after && is_ready && !is_simulated) {
    account = {.outside_s = spent.count(),
               .timed_s = timed_s(*samples, number),
               .untimed_s = untimed_s(*reply, *samples,
                                      {.number = number,
                                       .warm_up_s = warm_up.count(),
                                       .warm_up_calls = warm_up_calls,
                                       .is_hot = setup.cache == "hot"}),
               .worked_s = (after->cpu_s - before->cpu_s) / setup.threads,
               .overhead_s = (*found)->overhead_s};
  }
  const auto wrong = check_times(item, *reply, *samples, spent.count(), account);
  if (wrong) return tl::make_unexpected(*wrong);
  for (Sample& sample : *samples) {
    sample.process = process;
    if (sample.clock == TimeClock::kWall) sample.clock = setup.clock;
    if (setup.cache != "hot") {
      sample.spent_s = spent.count() / static_cast<double>(number * repeats);
    }
    observed_[item] = std::max(observed_[item], cost_s(sample));
  }
  if (auto fresh = fresh_sample(*reply)) {
    fresh->process = process;
    if (fresh->clock == TimeClock::kWall) fresh->clock = setup.clock;
    samples->push_back(std::move(*fresh));
  }
  return samples;
}

std::optional<Failure> EngineRunner::check_times(size_t item, const Json& reply,
                                                 const std::vector<Sample>& samples, double spent_s,
                                                 const std::optional<RequestAccount>& account) {
  if (account && !reply.contains("audit")) {
    accounts_[item].add(*account);
    if (auto finding = accounts_[item].finding()) return finding;
  }
  const auto& audit = items_.at(item).audit;
  if (!audit) return {};
  return auditor_.judge(item, reply, samples, spent_s, *audit);
}

std::optional<ProcessUse> EngineRunner::use(int engine, int process) const {
  const auto found = processes_.find({engine, process});
  if (found == processes_.end() || !found->second) return {};
  return found->second->transport->use();
}

int EngineRunner::pid(int engine, int process) const {
  const auto found = processes_.find({engine, process});
  return found == processes_.end() || !found->second ? 0 : found->second->transport->pid();
}

LeftBehind EngineRunner::left_behind(int engine) const {
  LeftBehind most;
  for (const auto& [key, process] : processes_) {
    if (key.first != engine || !process || !process->at_first || !process->at_last) continue;
    most.threads = std::max(most.threads, process->at_last->threads - process->at_first->threads);
    most.bytes = std::max(most.bytes, process->kept_bytes);
  }
  return most;
}

Outcome<void> EngineRunner::recover(size_t item, int process) {
  const auto found = started(items_.at(item).engine, process);
  if (!found) return tl::make_unexpected(found.error());
  return {};
}

Outcome<std::vector<Sample>> parse_samples(const Json& result) {
  const auto list = result.find("samples");
  if (list == result.end() || !list->is_array() || list->empty()) {
    return failed(FailureKind::kRunError, "the engine's reply to measure holds no samples");
  }
  std::vector<Sample> samples;
  for (const Json& entry : *list) {
    auto sample = parse_sample(entry);
    if (!sample && has_unknown_clock(entry)) {
      return failed(FailureKind::kRunError, "the engine sent a sample of the clock " +
                                                entry.at("clock").dump() +
                                                "; known: wall, event, simulated, emulated");
    }
    if (!sample) {
      return failed(FailureKind::kRunError, "the engine sent the sample " + entry.dump());
    }
    samples.push_back(std::move(*sample));
  }
  return samples;
}

}  // namespace opbench
