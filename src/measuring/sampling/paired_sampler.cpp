#include "measuring/sampling/paired_sampler.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "measuring/results/sample_flags.h"

namespace opbench {
namespace {

constexpr int kPairedSamplerRetakes = 7;  ///< of one visit
constexpr size_t kWarmUpWindow = 3;
constexpr Seconds kPairedSamplerWarmUpCap{1};
constexpr double kWarmUpShare = 0.3;  ///< of the budget; then no warm-up is made longer

}  // namespace

TimeClock clock_of(const PairedState& state, size_t side) {
  for (const std::vector<PairedPlace>& places : state.places) {
    if (!places[side].samples.empty()) return places[side].samples.front().clock;
  }
  return TimeClock::kWall;
}

PairedSampler::PairedSampler(const std::vector<PairedItem>& items, Runner& runner, Clock& clock,
                             const PairedOptions& options)
    : items_(items),
      runner_(runner),
      clock_(clock),
      options_(options),
      random_(options.seed, "order of rounds"),
      start_(clock.now()) {
  for (const PairedItem& item : items) {
    PairedState& state = states_.emplace_back();
    state.processes = options.processes;
    state.places.assign(static_cast<size_t>(std::max(options.processes, options.most_processes)),
                        std::vector<PairedPlace>(item.sides.size()));
    state.call_s.assign(item.sides.size(), 0);
  }
}

Seconds PairedSampler::remaining() { return options_.budget - (clock_.now() - start_); }

std::vector<int> PairedSampler::processes_left() const {
  std::vector<int> left;
  for (int process = 0; process < options_.processes; ++process) {
    if (!lost_.contains(process)) left.push_back(process);
  }
  return left;
}

bool PairedSampler::can_go(const PairedSlot& slot) const {
  return states_[slot.item].is_active() && !lost_.contains(slot.process);
}

/// With the last process all unfinished items are lost.
void PairedSampler::fail(size_t item, size_t side, int process, Failure failure) {
  states_[item].failure = std::move(failure);
  states_[item].failed_side = static_cast<int>(side);
  const Outcome<void> recovered = runner_.recover(items_[item].sides[side], process);
  if (recovered) return;
  lost_.insert(process);
  if (!processes_left().empty()) return;
  for (PairedState& state : states_) {
    if (!state.is_active()) continue;
    state.failure = recovered.error();
    state.failed_side = static_cast<int>(side);
  }
}

/// `repeats` samples of one side; nothing (and a failure of the item) if it cannot run.
std::optional<std::vector<Sample>> PairedSampler::take(size_t item, size_t side, int process,
                                                       int64_t number, int repeats, Seconds warm_up,
                                                       int calls) {
  auto samples =
      runner_.measure(items_[item].sides[side], process, number, repeats, warm_up, calls);
  if (samples && samples->empty()) {
    samples = tl::make_unexpected(Failure{FailureKind::kRunError, "the engine sent no samples"});
  }
  if (!samples) {
    fail(item, side, process, samples.error());
    return {};
  }
  for (Sample& sample : *samples) sample.process = process;
  return std::move(*samples);
}

void PairedSampler::calibrate(size_t item) {
  const std::vector<int> processes = processes_left();
  if (processes.empty()) return;
  const Seconds repeat = shortest_repeat({.clock_resolution = options_.clock_resolution});
  for (const size_t side : random_.shuffled(items_[item].sides.size())) {
    const int calls = warm_up_calls(items_[item].expected_s);
    auto samples = take(item, side, processes.front(), 1, 1, Seconds(0), calls);
    if (!samples) return;
    // One call and two clock readings say little about a short call: ask again with a full repeat.
    const int64_t number = calls_per_repeat(cost_s(samples->front()), repeat);
    if (number > 1) samples = take(item, side, processes.front(), number, 1, Seconds(0), 1);
    if (!samples) return;
    states_[item].call_s[side] = cost_s(samples->front());
  }
}

void PairedSampler::warm_up(const PairedSlot& slot, const PairedEffort& effort) {
  for (const size_t side : random_.shuffled(items_[slot.item].sides.size())) {
    if (can_go(slot)) warm_up_side(slot, side, effort);
  }
}

void PairedSampler::warm_up_side(const PairedSlot& slot, size_t side, const PairedEffort& effort) {
  PairedState& state = states_[slot.item];
  PairedPlace& place = state.places[static_cast<size_t>(slot.process)][side];
  const Seconds begin = clock_.now();
  int repeats = effort.steady_samples;
  int calls = effort.warm_up.count() > 0 ? warm_up_calls(state.call_s[side]) : 1;
  const double timed = repeats * static_cast<double>(state.number) * state.call_s[side];
  Seconds untimed = std::max(Seconds(0), effort.warm_up - Seconds(timed));
  std::vector<double> times;
  while (true) {
    auto samples = take(slot.item, side, slot.process, state.number, repeats, untimed, calls);
    if (!samples) return;
    for (Sample& sample : *samples) {
      if (sample.flag != kFreshFlag) {
        sample.flag = "warm_up";
        times.push_back(sample.wall_s);
      }
      place.last_cpu = sample.cpu;
      place.samples.push_back(std::move(sample));
    }
    place.steady = times.size() < 2 * kWarmUpWindow || is_steady(times, kWarmUpWindow);
    const bool is_late = remaining() < (1 - kWarmUpShare) * options_.budget;
    if (place.steady || is_late || clock_.now() - begin > kPairedSamplerWarmUpCap) break;
    repeats = static_cast<int>(kWarmUpWindow);
    calls = 0;
    untimed = Seconds(0);
  }
  place.faults = usual_faults(place.samples);
}

/// The fastest undisturbed repeat of a visit, or else its first, added to its place; nothing after
/// a failure. The engine's own untimed call refills the caches that others have used meanwhile.
std::optional<Sample> PairedSampler::sample_of(const PairedSlot& slot, size_t side) {
  PairedState& state = states_[slot.item];
  const int repeats = visit_repeats(state.call_s, state.number);
  auto samples = take(slot.item, side, slot.process, state.number, repeats, Seconds(0), 0);
  if (!samples) return {};
  PairedPlace& place = state.places[static_cast<size_t>(slot.process)][side];
  const Sample* fastest = nullptr;
  for (Sample& sample : *samples) {
    sample.flag = flag_of(sample, {.number = state.number,
                                   .threads = items_[slot.item].threads.at(side),
                                   .usual_faults = place.faults,
                                   .last_cpu = place.last_cpu});
    place.last_cpu = sample.cpu;
    if (!sample.flag.empty()) continue;
    if (fastest == nullptr || sample.wall_s < fastest->wall_s) fastest = &sample;
  }
  place.samples.push_back(fastest != nullptr ? *fastest : samples->front());
  return place.samples.back();
}

/// Adds a visit of a side to the round, at once again while it is disturbed; false after a failure.
bool PairedSampler::visit(const PairedSlot& slot, size_t side, PairedRound& round) {
  const Seconds least = round_cost(states_[slot.item].call_s, states_[slot.item].number);
  std::optional<Sample> sample = sample_of(slot, side);
  // In a round that is lost already there is nothing to save.
  for (int i = 0; i < kPairedSamplerRetakes && sample && round.cause.empty(); ++i) {
    if (sample->flag.empty() || remaining() < least) break;
    sample = sample_of(slot, side);
  }
  if (!sample) return false;
  if (round.cause.empty()) round.cause = sample->flag;
  round.log_s[side] = std::min(round.log_s[side], std::log(std::max(sample->wall_s, 1e-12)));
  return true;
}

void PairedSampler::make_round(const PairedSlot& slot) {
  const Seconds begin = clock_.now();
  const size_t sides = items_[slot.item].sides.size();
  PairedRound round{.process = slot.process};
  round.log_s.assign(sides, std::numeric_limits<double>::infinity());
  const std::vector<size_t> there = random_.shuffled(sides);
  std::vector<size_t> order = there;
  order.insert(order.end(), there.rbegin(), there.rend());
  for (const size_t side : order) {
    if (!visit(slot, side, round)) return;
  }
  PairedState& state = states_[slot.item];
  state.rounds.push_back(std::move(round));
  state.spent += clock_.now() - begin;
}

Seconds PairedSampler::expected_round(size_t item) const {
  const PairedState& state = states_[item];
  const auto rounds = static_cast<double>(state.rounds.size());
  if (rounds > 0) return state.spent / rounds;
  return round_cost(state.call_s, state.number);
}

}  // namespace opbench
