#include "measuring/sampling/procedure.h"

#include <algorithm>
#include <climits>
#include <map>
#include <set>
#include <utility>

#include "base/numbers/random.h"
#include "measuring/results/estimate.h"
#include "measuring/results/sample_flags.h"
#include "measuring/sampling/item_state.h"
#include "measuring/sampling/timed_runner.h"

namespace opbench {
namespace {

constexpr int kRoundSamples = 5;
constexpr int kProcedureRetakes = 2;
constexpr int kCalibrationCalls = 3;
constexpr double kProcedureLongCall = 0.01;  ///< seconds: one untimed call is enough before it
constexpr Seconds kProcedureWarmUpCap{1};
constexpr int kWarmUpWindows = 20;
constexpr size_t kDriftInterval = 16;
constexpr const char* kLeftOut = "left out";

class Procedure {
 public:
  Procedure(const std::vector<SamplingItem>& items, Runner& runner, Clock& clock,
            const SamplingOptions& options, const SamplingHooks& hooks)
      : items_(items),
        runner_(runner, clock),
        clock_(clock),
        options_(options),
        hooks_(hooks),
        random_(options.seed, "order of samples"),
        start_(clock.now()) {
    states_.reserve(items.size());
    for (size_t i = 0; i < items.size(); ++i) {
      states_.push_back(
          {.places = std::vector<SampledPlace>(static_cast<size_t>(options.processes)),
           .rule = StopRule(options.precision, options.min_samples)});
    }
  }

  SamplingResult run() {
    calibrate_all();
    choose_effort();
    if (options_.runs > 0) {
      take_runs();
    } else {
      visit_all_first();
      while (go_round()) {
      }
    }
    return finish();
  }

 private:
  bool stopped() {
    if (!interrupted_ && hooks_.should_stop && hooks_.should_stop()) interrupted_ = true;
    return interrupted_;
  }

  Seconds remaining() { return options_.budget - (clock_.now() - start_); }

  bool is_lost(size_t item, int process) const {
    return lost_.contains({items_[item].engine, process});
  }

  /// The item has no time; its process is made usable again, or is lost to its engine.
  void fail(size_t item, int process, Failure failure) {
    states_[item].failure = std::move(failure);
    const Outcome<void> recovered = runner_.recover(item, process);
    if (!recovered) lose(items_[item].engine, process, recovered.error());
  }

  /// With the last process of an engine, its unfinished items are lost too.
  void lose(int engine, int process, const Failure& reason) {
    lost_.insert({engine, process});
    for (int p = 0; p < options_.processes; ++p) {
      if (!lost_.contains({engine, p})) return;
    }
    for (size_t i = 0; i < items_.size(); ++i) {
      if (items_[i].engine == engine && states_[i].is_active()) states_[i].failure = reason;
    }
  }

  /// Seconds that a call costs, from `repeats` of `number` calls; nothing (and a failure) if it
  /// cannot run.
  std::optional<double> time_call(size_t item, int process, int64_t number) {
    const int calls = items_[item].expected_s > kProcedureLongCall ? 1 : kCalibrationCalls;
    auto samples = runner_.measure(item, process, number, 1, Seconds(0), calls);
    if (!samples) {
      fail(item, process, samples.error());
      return {};
    }
    return cost_s(samples->front());
  }

  void calibrate(size_t item) {
    ItemState& state = states_[item];
    int process = 0;
    while (process < options_.processes && is_lost(item, process)) ++process;
    if (process == options_.processes) return;
    auto call = time_call(item, process, 1);
    const Seconds repeat = shortest_repeat(options_);
    if (call && calls_per_repeat(*call, repeat) > 1) {
      // One call and two clock readings say little about a short call: ask again with a full
      // repeat.
      call = time_call(item, process, calls_per_repeat(*call, repeat));
    }
    if (call) state.call_s = *call;
  }

  void calibrate_all() {
    for (const size_t item : random_.shuffled(items_.size())) {
      if (stopped()) return;
      if (!states_[item].is_active()) continue;
      if (!leave_out(item)) calibrate(item);
      report(item);
    }
  }

  void choose_effort() {
    std::vector<double> calls;
    for (const ItemState& state : states_) {
      if (state.is_active()) calls.push_back(state.call_s);
    }
    SamplingOptions left = options_;
    left.budget = std::max(Seconds(0), remaining());
    effort_ = affordable_effort(calls, left, runner_.visit_s());
    for (ItemState& state : states_) {
      state.number = calls_per_repeat(state.call_s, effort_.repeat);
    }
  }

  /// Adds flagged samples to the place; how many were flagged, or nothing after a failure.
  std::optional<int> take(size_t item, int process, int repeats, Seconds warm_up, int calls) {
    ItemState& state = states_[item];
    auto samples = runner_.measure(item, process, state.number, repeats, warm_up, calls);
    if (!samples) {
      fail(item, process, samples.error());
      return {};
    }
    SampledPlace& place = state.places[static_cast<size_t>(process)];
    if (place.samples.empty()) place.faults = usual_faults(*samples);
    int flagged = 0;
    for (Sample& sample : *samples) {
      sample.process = process;
      sample.flag = flag_of(sample, {.number = state.number,
                                     .threads = items_[item].threads,
                                     .usual_faults = place.faults,
                                     .last_cpu = place.last_cpu});
      place.last_cpu = sample.cpu;
      flagged += sample.flag.empty() || sample.flag == kFreshFlag ? 0 : 1;
      place.samples.push_back(std::move(sample));
    }
    return flagged;
  }

  /// The same with flagged repeats retaken while the budget lasts; false after a failure.
  bool take_clean(size_t item, int process, int repeats, Seconds warm_up, int calls) {
    auto flagged = take(item, process, repeats, warm_up, calls);
    for (int i = 0; i < kProcedureRetakes && flagged.value_or(0) > 0 && remaining().count() > 0;
         ++i) {
      flagged = take(item, process, *flagged, Seconds(0), options_.revisit_calls);
    }
    return flagged.has_value();
  }

  int first_calls() const {
    if (options_.warm_up > 0) return static_cast<int>(std::min<int64_t>(options_.warm_up, INT_MAX));
    return effort_.warm_up.count() > 0 ? kCalibrationCalls : options_.revisit_calls;
  }

  /// Warm-up in the engine, then samples until they are steady; those before become warm-up.
  void first_visit(size_t item, int process) {
    SampledPlace& place = states_[item].places[static_cast<size_t>(process)];
    const size_t window = std::min<size_t>(5, static_cast<size_t>(effort_.samples) / 2);
    const bool can_judge = window >= 3;
    const int calls = first_calls();
    const Seconds begin = clock_.now();
    if (!take_clean(item, process, effort_.samples, effort_.warm_up, calls) || !can_judge) return;
    const Seconds cap =
        std::min(kProcedureWarmUpCap, std::max(Seconds(0.1), 2 * (clock_.now() - begin)));
    for (int extra = 0; extra < kWarmUpWindows; ++extra) {
      const UsableTimes times = usable_times(place.samples, process);
      place.steady = is_steady(times.wall_s, window);
      if (place.steady || clock_.now() - begin > cap || remaining().count() < 0) break;
      if (!take_clean(item, process, static_cast<int>(window), Seconds(0), 0)) return;
    }
    place.mark_warm_up(2 * window);
  }

  /// An optional item whose turn comes too late has no time.
  bool leave_out(size_t item) {
    const bool is_late = options_.runs == 0 && remaining().count() <= 0;
    if (!is_late || !items_[item].is_optional) return false;
    states_[item].stop_reason = kLeftOut;
    return true;
  }

  /// The first visit of an item is made in any case, unless it is optional.
  bool may_visit_first(size_t item, int process) {
    ItemState& state = states_[item];
    if (!state.is_active() || is_lost(item, process)) return false;
    if (state.is_untouched()) return !leave_out(item);
    return cost_of(effort_, state.call_s, 1, runner_.visit_s()) <= remaining();
  }

  void visit_all_first() {
    for (int process = 0; process < options_.processes; ++process) {
      for (const size_t item : random_.shuffled(items_.size())) {
        if (stopped()) return;
        if (!may_visit_first(item, process)) continue;
        first_visit(item, process);
        settle(item);
        report(item);
      }
    }
    for (size_t item = 0; item < items_.size(); ++item) {
      judge(item);
      report(item);
    }
  }

  /// The number of samples that was asked for, shared out among the processes.
  void take_runs() {
    for (int process = 0; process < options_.processes; ++process) {
      const int64_t extra = process < options_.runs % options_.processes ? 1 : 0;
      const auto share = static_cast<int>(options_.runs / options_.processes + extra);
      for (const size_t item : random_.shuffled(items_.size())) {
        if (stopped()) return;
        if (share == 0 || !states_[item].is_active() || is_lost(item, process)) continue;
        take(item, process, share, effort_.warm_up, first_calls());
        settle(item);
        if (process + 1 == options_.processes) states_[item].stop_reason = "runs";
        report(item);
      }
    }
  }

  /// Five samples in every process for the items whose share allows it, or for the one with the
  /// largest share if none does; false when the budget allows no more.
  bool go_round() {
    double weights = 0;
    for (size_t i = 0; i < items_.size(); ++i) weights += states_[i].is_active() ? weight(i) : 0;
    const Seconds pool = remaining();
    bool any = false;
    std::optional<size_t> heaviest;
    for (const size_t item : random_.shuffled(items_.size())) {
      if (stopped()) return false;
      const Seconds cost = round_cost(states_[item]);
      if (!states_[item].is_active() || cost > remaining()) continue;
      if (cost <= pool * (weight(item) / weights)) {
        any = true;
        visit(item);
      } else if (!heaviest || weight(item) > weight(*heaviest)) {
        heaviest = item;
      }
    }
    if (any || !heaviest || stopped()) return any;
    visit(*heaviest);
    return true;
  }

  /// Of the budget; not below a quarter of an equal share, so that no item starves.
  double weight(size_t item) const {
    double sum = 0;
    for (const SamplingItem& other : items_) sum += other.weight;
    const double equal = 1 / static_cast<double>(items_.size());
    return std::max(sum > 0 ? items_[item].weight / sum : 0, equal / 4);
  }

  Seconds round_cost(const ItemState& state) const {
    const auto calls = static_cast<double>(kRoundSamples * state.number + options_.revisit_calls);
    return Seconds(options_.processes * (calls * state.call_s + runner_.visit_s()));
  }

  void visit(size_t item) {
    for (const size_t p : random_.shuffled(static_cast<size_t>(options_.processes))) {
      const int process = static_cast<int>(p);
      if (is_lost(item, process)) continue;
      if (!take_clean(item, process, kRoundSamples, Seconds(0), options_.revisit_calls)) break;
    }
    settle(item);
    judge(item);
    report(item);
  }

  void settle(size_t item) {
    ItemState& state = states_[item];
    if (!state.failure) state.latest = state.estimate_now(options_.seed);
    if (hooks_.reference && ++visits_ % kDriftInterval == 0) drift_.push_back(hooks_.reference());
  }

  void judge(size_t item) {
    ItemState& state = states_[item];
    if (!state.is_active()) return;
    int64_t total = 0;
    int64_t fewest = INT64_MAX;
    for (int process = 0; process < options_.processes; ++process) {
      if (is_lost(item, process)) continue;
      const auto& samples = state.places[static_cast<size_t>(process)].samples;
      const auto clean = std::ranges::count(samples, std::string(), &Sample::flag);
      fewest = std::min<int64_t>(fewest, clean);
      total += clean;
    }
    state.stop_reason = state.rule.judge(fewest, total, relative_half_width(state.latest));
  }

  void report(size_t item) {
    const ItemState& state = states_[item];
    if (!hooks_.progress) return;
    SamplingProgress progress{.total = items_.size(), .item = item};
    for (const ItemState& other : states_) progress.done += other.is_active() ? 0 : 1;
    if (!state.failure && state.latest.median_ms > 0) {
      progress.median_ms = state.latest.median_ms;
      progress.half_width_percent = 100 * relative_half_width(state.latest);
    }
    progress.remaining = std::max(Seconds(0), remaining());
    hooks_.progress(progress);
  }

  SamplingResult finish() {
    SamplingResult result;
    for (size_t i = 0; i < items_.size(); ++i) {
      ItemState& state = states_[i];
      if (state.stop_reason == kLeftOut) {
        result.items.emplace_back();
        continue;
      }
      if (!state.failure && !(state.latest.median_ms > 0)) {
        state.failure = why_not_sampled(interrupted_);
      }
      ItemResult& item = result.items.emplace_back();
      if (state.failure) {
        item.failure = state.failure;
        continue;
      }
      item.time = std::move(state.latest);
      const std::string otherwise = interrupted_ ? "interrupted" : "budget";
      item.time->stop_reason = state.stop_reason.empty() ? otherwise : state.stop_reason;
    }
    result.drift_s = std::move(drift_);
    result.effort = effort_;
    result.spent = clock_.now() - start_;
    result.interrupted = interrupted_;
    return result;
  }

  const std::vector<SamplingItem>& items_;
  TimedRunner runner_;
  Clock& clock_;
  const SamplingOptions& options_;
  const SamplingHooks& hooks_;
  Random random_;
  Seconds start_;
  std::vector<ItemState> states_;
  std::set<std::pair<int, int>> lost_;  ///< engine and process
  Effort effort_;
  std::vector<double> drift_;
  size_t visits_ = 0;
  bool interrupted_ = false;
};

}  // namespace

Failure why_not_sampled(bool is_interrupted) {
  if (is_interrupted) return {FailureKind::kCancelled, "interrupted before it was measured"};
  return {FailureKind::kRunError, "no samples"};
}

SamplingResult sample_items(const std::vector<SamplingItem>& items, Runner& runner, Clock& clock,
                            const SamplingOptions& options, const SamplingHooks& hooks) {
  return Procedure(items, runner, clock, options, hooks).run();
}

}  // namespace opbench
