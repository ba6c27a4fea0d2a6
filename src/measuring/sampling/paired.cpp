#include "measuring/sampling/paired.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <utility>

#include "base/system/seconds.h"
#include "measuring/results/estimate.h"
#include "measuring/sampling/paired_rounds.h"
#include "measuring/sampling/paired_sampler.h"

namespace opbench {
namespace {

constexpr size_t kFewestRounds = 3;
constexpr size_t kMostLead = 2;

/// Of the least precise ratio; infinity while an error is not known.
double half_width_of(const PairedTimes& times) {
  double widest = 0;
  for (const Estimate& ratio : times.log_ratios) {
    if (ratio.degrees <= 0) return std::numeric_limits<double>::infinity();
    widest = std::max(widest, (ratio.interval.high - ratio.interval.low) / 2);
  }
  return widest;
}

/// The time of rounds that count for the ratios, too: samples of rounds that were dropped, and of
/// the slower visits, would tell another story on a busy machine.
void set_centre(const Estimate& log_s, Measurement& time) {
  time.median_ms = s_to_ms(std::exp(log_s.value));
  time.low_ms = s_to_ms(std::exp(log_s.interval.low));
  time.high_ms = s_to_ms(std::exp(log_s.interval.high));
}

/// A new side's centre, moved to where the base's time and their ratio have it.
Estimate centred(Estimate log_s, const Estimate& base, const Estimate& ratio) {
  const double shift = base.value + ratio.value - log_s.value;
  log_s.value += shift;
  log_s.interval.low += shift;
  log_s.interval.high += shift;
  return log_s;
}

Measurement time_of(const PairedState& state, size_t side, uint64_t seed) {
  std::vector<Sample> samples;
  bool steady = true;
  for (const std::vector<PairedPlace>& places : state.places) {
    const PairedPlace& place = places[side];
    samples.insert(samples.end(), place.samples.begin(), place.samples.end());
    steady = steady && place.steady;
  }
  Measurement result = estimate(std::move(samples), seed);
  result.steady = result.steady && steady;
  result.number = state.number;
  result.stop_reason = state.stop_reason;
  return result;
}

class PairedProcedure {
 public:
  PairedProcedure(const std::vector<PairedItem>& items, Runner& runner, Clock& clock,
                  const PairedOptions& options, const PairedHooks& hooks)
      : items_(items),
        clock_(clock),
        options_(options),
        hooks_(hooks),
        start_(clock.now()),
        sampler_(items, runner, clock, options),
        states_(sampler_.states()),
        processes_(options.processes) {}

  PairedResult run() {
    calibrate();
    if (options_.is_firm) fit_into_budget();
    choose_effort();
    warm_up_all();
    make_first_rounds();
    while (extend()) {
    }
    return finish();
  }

 private:
  bool stopped() {
    if (!interrupted_ && hooks_.should_stop && hooks_.should_stop()) interrupted_ = true;
    return interrupted_;
  }

  /// The longest calls first, as far as they are known: they decide what the budget is enough for.
  void calibrate() {
    order_ = sampler_.shuffled(items_.size());
    std::ranges::stable_sort(order_, std::greater<>(),
                             [this](size_t item) { return items_[item].expected_s; });
    for (const size_t item : order_) {
      if (stopped()) break;
      if (!states_[item].is_active()) continue;
      const bool has_time = item == order_.front() || 2 * sampler_.remaining() > options_.budget;
      if (options_.is_firm && !has_time) {
        leave_out(item);
        continue;
      }
      sampler_.calibrate(item);
      report(item);
    }
  }

  void leave_out(size_t item) {
    states_[item].failure = Failure{
        FailureKind::kCancelled, fmt::format("the budget of {:.3g} s ended before it was measured",
                                             options_.budget.count())};
  }

  /// Fewer processes where all of them would take longer than the budget, then fewer items.
  void fit_into_budget() {
    std::vector<size_t> active;
    std::vector<std::vector<double>> calls;
    for (const size_t item : order_) {
      if (!states_[item].is_active()) continue;
      active.push_back(item);
      calls.push_back(states_[item].call_s);
    }
    const Seconds time = std::max(Seconds(0), sampler_.remaining());
    const Seconds resolution = options_.clock_resolution;
    for (size_t i = affordable_items(calls, time, resolution); i < active.size(); ++i) {
      leave_out(active[i]);
      calls.pop_back();
    }
    processes_ = affordable_processes(calls, time, options_.processes, resolution);
    for (PairedState& state : states_) state.processes = processes_;
  }

  /// Whether even the least is too much: as long again as the budget is over.
  bool is_overdue(size_t item) {
    return options_.is_firm && item != order_.front() &&
           sampler_.remaining() < -options_.budget / 2;
  }

  void choose_effort() {
    std::vector<std::vector<double>> calls;
    for (const size_t item : active_items()) calls.push_back(states_[item].call_s);
    const auto processes = std::min(processes_, static_cast<int>(sampler_.processes_left().size()));
    effort_ = paired_effort(calls, {.budget = std::max(Seconds(0), sampler_.remaining()),
                                    .min_samples = options_.min_rounds,
                                    .processes = std::max(1, processes),
                                    .clock_resolution = options_.clock_resolution});
    for (PairedState& state : states_) {
      state.number = paired_number(state.call_s, effort_.repeat);
    }
  }

  std::vector<size_t> active_items() const {
    std::vector<size_t> active;
    for (size_t i = 0; i < items_.size(); ++i) {
      if (states_[i].is_active()) active.push_back(i);
    }
    return active;
  }

  std::vector<PairedSlot> shuffled(const std::vector<PairedSlot>& slots) {
    std::vector<PairedSlot> result;
    for (const size_t place : sampler_.shuffled(slots.size())) result.push_back(slots[place]);
    return result;
  }

  /// These items in every process that they are measured in, in random order.
  std::vector<PairedSlot> slots_of(const std::vector<size_t>& items) {
    std::vector<PairedSlot> slots;
    for (const size_t item : items) {
      for (int process = 0; process < states_[item].processes; ++process) {
        if (sampler_.can_go({item, process})) slots.push_back({item, process});
      }
    }
    return shuffled(slots);
  }

  void warm_up_all() {
    for (const PairedSlot& slot : slots_of(active_items())) {
      if (stopped()) return;
      if (is_overdue(slot.item)) continue;
      if (sampler_.can_go(slot)) sampler_.warm_up(slot, effort_);
      report(slot.item);
    }
  }

  void make_round(const PairedSlot& slot) {
    sampler_.make_round(slot);
    report(slot.item);
  }

  /// A round a process for each pass, so that a moment of the machine meets all items alike.
  void make_first_rounds() {
    for (int pass = 0; pass < effort_.rounds; ++pass) {
      for (const PairedSlot& slot : slots_of(active_items())) {
        if (stopped()) return;
        if (!sampler_.can_go(slot) || is_overdue(slot.item)) continue;
        const bool is_owed = states_[slot.item].rounds.size() < kFewestRounds;
        if (is_owed || has_time_for(slot.item)) make_round(slot);
      }
    }
    for (const size_t item : active_items()) judge(item);
  }

  bool has_time_for(size_t item) { return sampler_.expected_round(item) <= sampler_.remaining(); }

  bool has_time_for_processes(size_t item) {
    const PairedState& state = states_[item];
    if (state.processes >= options_.most_processes) return false;
    const Seconds place =
        warm_up_cost(state.call_s, effort_) + effort_.rounds * sampler_.expected_round(item);
    return 2 * more_processes(state) * place < sampler_.remaining();
  }

  int more_processes(const PairedState& state) const {
    return std::min(options_.processes, options_.most_processes - state.processes);
  }

  /// New processes for an item, each with as many rounds as every process had at first.
  void widen(size_t item) {
    PairedState& state = states_[item];
    state.wants_processes = false;
    if (!has_time_for_processes(item)) {
      state.stop_reason = "plateau";
      return;
    }
    std::vector<PairedSlot> slots;
    for (int more = more_processes(state); more > 0; --more) {
      slots.push_back({item, state.processes++});
      if (!stopped() && sampler_.can_go(slots.back())) sampler_.warm_up(slots.back(), effort_);
    }
    for (int pass = 0; pass < effort_.rounds; ++pass) {
      for (const PairedSlot& slot : shuffled(slots)) {
        if (!stopped() && sampler_.can_go(slot) && has_time_for(item)) make_round(slot);
      }
    }
    state.plateau = {};
    judge(item);
  }

  /// Those that need rounds most: undecided ones, unless they are far ahead of the others already.
  std::vector<size_t> wanted_items() const {
    const std::vector<size_t> active = active_items();
    size_t fewest = std::numeric_limits<size_t>::max();
    for (const size_t item : active) fewest = std::min(fewest, states_[item].rounds.size());
    std::vector<size_t> undecided;
    std::vector<size_t> all;
    for (const size_t item : active) {
      if (states_[item].rounds.size() >= kMostLead * std::max<size_t>(1, fewest)) continue;
      all.push_back(item);
      if (!states_[item].is_decided) undecided.push_back(item);
    }
    return undecided.empty() ? all : undecided;
  }

  /// More rounds for some items; false when there is nothing to do or no time.
  bool extend() {
    const std::vector<size_t> wanted = wanted_items();
    if (wanted.empty() || stopped()) return false;
    const Seconds share = sampler_.remaining() / static_cast<double>(wanted.size());
    std::map<size_t, size_t> goals;  // twice the rounds, for those whose share pays that
    std::vector<size_t> cheap;
    for (const size_t item : wanted) {
      const size_t rounds = std::max<size_t>(1, states_[item].rounds.size());
      if (static_cast<double>(rounds) * sampler_.expected_round(item) > share) continue;
      goals[item] = 2 * rounds;
      cheap.push_back(item);
    }
    const bool is_last = cheap.empty();
    const std::vector<size_t>& items = is_last ? wanted : cheap;
    while (pass_over(items, goals)) {
    }
    for (const size_t item : items) judge(item);
    for (const size_t item : items) {
      if (states_[item].is_active() && states_[item].wants_processes) widen(item);
    }
    return !is_last && !interrupted_;
  }

  /// A round in every process for the items below their goal, or without one; whether any was made.
  bool pass_over(const std::vector<size_t>& items, const std::map<size_t, size_t>& goals) {
    bool any = false;
    for (const PairedSlot& slot : slots_of(items)) {
      if (stopped()) return false;
      const auto goal = goals.find(slot.item);
      const bool is_reached =
          goal != goals.end() && states_[slot.item].rounds.size() >= goal->second;
      if (is_reached || !sampler_.can_go(slot) || !has_time_for(slot.item)) continue;
      make_round(slot);
      any = true;
    }
    return any;
  }

  void judge(size_t item) {
    PairedState& state = states_[item];
    if (!state.is_active()) return;
    summarise(item);
    const double half_width = half_width_of(state.latest);
    const bool is_precise = half_width <= options_.precision;
    state.is_decided = hooks_.is_decided ? hooks_.is_decided(item, state.latest) : is_precise;
    const bool is_flat = state.plateau.judge(state.rounds.size(), half_width);
    if (state.is_decided && (is_precise || is_flat)) {
      state.stop_reason = "decided";
    } else if (is_flat) {
      state.stop_reason = has_time_for_processes(item) ? "" : "plateau";
      state.wants_processes = state.stop_reason.empty();
    }
    report(item);
  }

  /// Ratios, and of the sides' times the medians: the rest is made once, at the end.
  void summarise(size_t item) {
    PairedState& state = states_[item];
    const std::vector<PairedRound> usable = usable_rounds(state.rounds);
    const size_t sides = items_[item].sides.size();
    state.latest.log_ratios.clear();
    state.latest.sides.assign(sides, {});
    for (size_t side = 0; side < sides; ++side) {
      if (side > 0) state.latest.log_ratios.push_back(log_ratio_of(usable, side, options_.seed));
      std::vector<double> logs;
      for (const PairedRound& round : usable) logs.push_back(round.log_s[side]);
      state.latest.sides[side].median_ms = s_to_ms(std::exp(median(logs)));
      state.latest.sides[side].clock = clock_of(state, side);
    }
    state.latest.rounds = static_cast<int64_t>(usable.size());
    state.latest.dropped = dropped_rounds(state.rounds);
    state.latest.spent = state.spent;
  }

  void report(size_t item) {
    if (!hooks_.progress) return;
    const PairedState& state = states_[item];
    SamplingProgress progress{.total = items_.size(), .item = item};
    progress.done = items_.size() - active_items().size();
    if (!state.failure && !state.latest.sides.empty()) {
      progress.median_ms = state.latest.sides.front().median_ms;
      progress.half_width_percent = 100 * half_width_of(state.latest);
    }
    progress.remaining = std::max(Seconds(0), sampler_.remaining());
    hooks_.progress(progress);
  }

  PairedItemResult result_of(size_t item) {
    PairedState& state = states_[item];
    if (!state.failure && state.rounds.empty()) {
      if (options_.is_firm && !interrupted_) leave_out(item);
      if (!state.failure) state.failure = why_not_sampled(interrupted_);
    }
    if (state.failure) return {.failure = state.failure, .failed_side = state.failed_side};
    if (state.stop_reason.empty()) {
      const std::string otherwise = state.is_decided ? "decided" : "budget";
      state.stop_reason = interrupted_ ? "interrupted" : otherwise;
    }
    summarise(item);
    state.latest.stop_reason = state.stop_reason;
    const std::vector<PairedRound> usable = usable_rounds(state.rounds);
    const Estimate base = log_time_of(usable, 0, options_.seed);
    for (size_t side = 0; side < items_[item].sides.size(); ++side) {
      Measurement& time = state.latest.sides[side] = time_of(state, side, options_.seed);
      const Estimate own = log_time_of(usable, side, options_.seed);
      set_centre(side == 0 ? base : centred(own, base, state.latest.log_ratios[side - 1]), time);
    }
    state.latest.made = std::move(state.rounds);
    return {.times = std::move(state.latest)};
  }

  PairedResult finish() {
    PairedResult result;
    for (size_t item = 0; item < items_.size(); ++item) result.items.push_back(result_of(item));
    result.spent = clock_.now() - start_;
    result.interrupted = interrupted_;
    return result;
  }

  const std::vector<PairedItem>& items_;
  Clock& clock_;
  const PairedOptions& options_;
  const PairedHooks& hooks_;
  Seconds start_;
  PairedSampler sampler_;
  std::vector<PairedState>& states_;
  std::vector<size_t> order_;  ///< of the items: the longest calls first
  int processes_ = 0;          ///< of each side, at first
  PairedEffort effort_;
  bool interrupted_ = false;
};

}  // namespace

PairedResult measure_pairs(const std::vector<PairedItem>& items, Runner& runner, Clock& clock,
                           const PairedOptions& options, const PairedHooks& hooks) {
  return PairedProcedure(items, runner, clock, options, hooks).run();
}

}  // namespace opbench
