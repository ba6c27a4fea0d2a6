#include "engines/interference/corun.h"

#include <sys/resource.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <optional>
#include <string>
#include <thread>
#include <utility>

#include "base/numbers/random.h"
#include "base/system/monotonic_clock.h"
#include "engines/interference/corun_phase.h"
#include "engines/interference/overlap.h"
#include "machine/resources/pinning.h"
#include "machine/resources/priority.h"

namespace opbench {
namespace {

constexpr double kLeastTurn = 20e-6;  // seconds: far above what reading the clock takes

tl::unexpected<Failure> failed(FailureKind kind, std::string text) {
  return tl::make_unexpected(Failure{kind, std::move(text)});
}

/// The second side's thread, which sleeps unless it has a phase to take part in.
class SecondThread {
 public:
  SecondThread(const CorunSide& side, int cpu)
      : side_(side), cpu_(cpu), thread_([this] { work(); }) {}
  SecondThread(const SecondThread&) = delete;
  SecondThread& operator=(const SecondThread&) = delete;
  ~SecondThread() {
    begin(nullptr);
    thread_.join();
  }

  void begin(CorunPhase* phase) {
    phase_ = phase;
    asked_.fetch_add(1);
    asked_.notify_one();
    ++begun_;
  }

  void wait() {
    for (uint32_t done = done_; done != begun_; done = done_) done_.wait(done);
  }

  PhaseTurns& turns() { return turns_; }

  /// Waits until it is known.
  bool is_pinned() const {
    state_.wait(State::kNew);
    return state_ == State::kPinned;
  }

 private:
  enum class State { kNew, kPinned, kUnpinned };

  void work() {
    raise_priority();
    state_ = pin_this_thread({cpu_}) ? State::kPinned : State::kUnpinned;
    state_.notify_one();
    for (uint32_t seen = 0;;) {
      while (asked_.load() == seen) asked_.wait(seen);
      ++seen;
      if (phase_ == nullptr) return;
      phase_->repeat(side_, cpu_, turns_);
      done_.fetch_add(1);
      done_.notify_one();
    }
  }

  const CorunSide& side_;
  const int cpu_;
  CorunPhase* phase_ = nullptr;
  PhaseTurns turns_;
  std::atomic<State> state_ = State::kNew;
  uint32_t begun_ = 0;
  std::atomic<uint32_t> asked_ = 0;
  std::atomic<uint32_t> done_ = 0;
  std::thread thread_;
};

/// Who repeats in a phase: one side, or both.
enum class Parties { kFirst, kSecond, kBoth };

class Corun {
 public:
  Corun(const std::array<CorunSide, 2>& sides, const CorunOptions& options)
      : sides_(sides),
        options_(options),
        random_(options.seed, "order of a co-run"),
        second_(sides[1], options.cpus[1]) {}

  Outcome<CorunResult> run() {
    if (!second_.is_pinned()) {
      return failed(FailureKind::kInvalidConfig,
                    "no thread can run on CPU " + std::to_string(options_.cpus[1]));
    }
    const double end = monotonic_s() + options_.limit_s;
    choose_numbers();
    while (failure_code() == 0 && std::ssize(result_.rounds) < options_.rounds &&
           result_.tries < options_.most_tries && monotonic_s() < end) {
      ++result_.tries;
      make_round();
    }
    if (const int code = failure_code(); code != 0) {
      return failed(FailureKind::kRunError, "a kernel returned " + std::to_string(code));
    }
    return std::move(result_);
  }

 private:
  PhaseTurns& turns(size_t side) { return side == 0 ? first_ : second_.turns(); }
  int failure_code() { return turns(0).code != 0 ? turns(0).code : turns(1).code; }

  /// Makes turns long enough for the clock, by a phase of each side alone.
  void choose_numbers() {
    for (const Parties party : {Parties::kFirst, Parties::kSecond}) {
      PhaseTurns& own = turns(party == Parties::kFirst ? 0 : 1);
      while (true) {
        repeat(party);
        const auto mean = mean_alone(own.turns, own.number);
        const double turn_s = mean ? mean->call_s * static_cast<double>(own.number) : kLeastTurn;
        if (turn_s >= kLeastTurn / 2 || own.code != 0) break;
        const double more = std::ceil(kLeastTurn / std::max(turn_s, 1e-9));
        own.number *= static_cast<int64_t>(std::min(more, 1024.0));
      }
    }
  }

  void repeat(Parties parties) {
    const bool has_second = parties != Parties::kFirst;
    CorunPhase phase(parties == Parties::kBoth ? 2 : 1, options_.window_s);
    if (has_second) second_.begin(&phase);
    if (parties != Parties::kSecond) phase.repeat(sides_[0], options_.cpus[0], first_);
    if (has_second) second_.wait();
  }

  /// Why the phase does not count, where it was none of its turns.
  std::optional<std::string> disturbance(Parties parties) {
    for (size_t side = 0; side < 2; ++side) {
      if (takes_part(parties, side) && turns(side).has_moved) return "migrated";
      if (takes_part(parties, side) && turns(side).is_late) return "late";
    }
    return std::nullopt;
  }

  static bool takes_part(Parties parties, size_t side) {
    return parties == Parties::kBoth || parties == (side == 0 ? Parties::kFirst : Parties::kSecond);
  }

  /// False where too few undisturbed turns are left.
  bool fill(Parties parties, CorunRound& round) {
    for (size_t side = 0; side < 2; ++side) {
      if (takes_part(parties, side)) round.disturbed_turns += turns(side).disturbed;
    }
    if (parties == Parties::kBoth) {
      const auto means =
          means_together({turns(0).turns, turns(1).turns}, {turns(0).number, turns(1).number});
      if (!means) return false;
      for (size_t side = 0; side < 2; ++side) {
        round.together_s[side] = (*means)[side].call_s;
        round.calls[side] = (*means)[side].calls;
      }
      return true;
    }
    const size_t side = parties == Parties::kFirst ? 0 : 1;
    const auto mean = mean_alone(turns(side).turns, turns(side).number);
    if (mean) round.solo_s[side] = mean->call_s;
    return mean.has_value();
  }

  void make_round() {
    constexpr std::array kAll = {Parties::kFirst, Parties::kSecond, Parties::kBoth};
    CorunRound round;
    for (const size_t at : random_.shuffled(kAll.size())) {
      repeat(kAll[at]);
      auto cause = disturbance(kAll[at]);
      if (!cause && !fill(kAll[at], round)) cause = "preempted";
      if (cause) {
        ++result_.dropped[*cause];
        return;
      }
    }
    result_.rounds.push_back(round);
  }

  const std::array<CorunSide, 2>& sides_;
  const CorunOptions& options_;
  Random random_;
  PhaseTurns first_;
  SecondThread second_;
  CorunResult result_;
};

/// CPUs and priority of the calling thread, which it gets back at the end.
class RestoredThread {
 public:
  RestoredThread() : cpus_(current_affinity()), nice_(::getpriority(PRIO_PROCESS, 0)) {}
  RestoredThread(const RestoredThread&) = delete;
  RestoredThread& operator=(const RestoredThread&) = delete;
  ~RestoredThread() {
    static_cast<void>(pin_this_thread(cpus_));
    static_cast<void>(::setpriority(PRIO_PROCESS, 0, nice_));
  }

 private:
  std::vector<int> cpus_;
  int nice_;
};

Outcome<void> check(const CorunOptions& options) {
  if (options.cpus[0] == options.cpus[1]) {
    return failed(FailureKind::kInvalidConfig,
                  "a co-run needs two CPUs, not CPU " + std::to_string(options.cpus[0]) + " twice");
  }
  const bool is_valid = options.rounds >= 1 && options.most_tries >= 1 && options.window_s > 0 &&
                        options.window_s <= 1 && options.limit_s > 0;
  if (is_valid) return {};
  return failed(FailureKind::kInvalidConfig,
                "a co-run takes 1 round and 1 try or more, a window above 0 and up to 1 s, and a "
                "limit above 0");
}

}  // namespace

Outcome<CorunResult> run_corun(const std::array<CorunSide, 2>& sides, const CorunOptions& options) {
  if (const auto checked = check(options); !checked) return tl::make_unexpected(checked.error());
  const RestoredThread restored;
  if (!pin_this_thread({options.cpus[0]})) {
    return failed(FailureKind::kInvalidConfig,
                  "no thread can run on CPU " + std::to_string(options.cpus[0]));
  }
  const bool is_raised = raise_priority() && raise_session();
  auto result = Corun(sides, options).run();
  if (result) result->has_raised_priority = is_raised;
  return result;
}

}  // namespace opbench
