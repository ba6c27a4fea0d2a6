#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "base/numbers/random.h"
#include "measuring/sampling/procedure.h"

namespace opbench {

/// How a simulated machine disturbs what runs on it.
struct SimulatedNoise {
  double white = 0.005;         ///< relative deviation of one repeat
  double process_bias = 0;      ///< deviation of an item's times between processes, for good
  double drift_per_s = 0;       ///< all times grow by this share every second
  double wander = 0;            ///< deviation of a first-order autoregression of all times
  double wander_s = 1;          ///< its time constant
  double bursts_per_s = 0;      ///< other programs that come and go
  double burst_s = 0.05;        ///< how long one stays, on average
  double burst_factor = 1.5;    ///< times meanwhile
  bool bursts_are_seen = true;  ///< whether they preempt, or only use caches and memory
};

/// A machine whose time passes only by being measured on, the same for one seed: clock and runner
/// in one. `call_s`: of every item.
class SimulatedMachine : public Runner, public Clock {
 public:
  SimulatedMachine(std::vector<double> call_s, SimulatedNoise noise, uint64_t seed)
      : call_s_(std::move(call_s)),
        noise_(noise),
        seed_(seed),
        random_(seed, "samples"),
        bursts_(seed, "bursts") {
    next_burst();
  }

  Seconds now() override { return Seconds(1000 + time_); }

  Outcome<std::vector<Sample>> measure(size_t item, int process, int64_t number, int repeats,
                                       Seconds warm_up, int warm_up_calls) override {
    visits.emplace_back(item, process);
    numbers[item].insert(number);
    if (fails_at == std::pair(item, process) && visits.size() > fails_after) {
      return tl::make_unexpected(Failure{FailureKind::kRunError, "killed by signal 11 (SIGSEGV)"});
    }
    time_ += std::max(warm_up.count(), warm_up_calls * call_s_.at(item));
    std::vector<Sample> samples;
    for (int i = 0; i < repeats; ++i) samples.push_back(repeat(item, process, number));
    time_ += visit_s;
    return samples;
  }

  Outcome<void> recover(size_t item, int process) override {
    recovered.emplace_back(item, process);
    if (cannot_recover) return tl::make_unexpected(Failure{FailureKind::kDeviceLost, "gone"});
    return {};
  }

  std::vector<std::pair<size_t, int>> visits;
  std::vector<std::pair<size_t, int>> recovered;
  std::map<size_t, std::set<int64_t>> numbers;
  std::map<size_t, double> extra_noise;  ///< deviation added to the repeats of an item
  double visit_s = 3e-4;                 ///< of every request, besides its calls
  double emptying_s = 0;                 ///< before every timed call: emptying the caches
  std::pair<size_t, int> fails_at = {SIZE_MAX, -1};
  size_t fails_after = 0;
  bool cannot_recover = false;

 private:
  Sample repeat(size_t item, int process, int64_t number) {
    double call = call_s_.at(item) * bias(item, process) * (1 + noise_.drift_per_s * time_);
    const auto extra = extra_noise.find(item);
    const double own = extra == extra_noise.end() ? 0 : extra->second;
    call *= std::exp(wander() + std::hypot(noise_.white, own) * normal());
    const double share = disturbed_share(call * static_cast<double>(number));
    Sample sample;
    sample.cpu = 0;
    sample.involuntary_switches = noise_.bursts_are_seen && share > 0 ? 1 : 0;
    sample.wall_s = sample.cpu_s = call * (1 + (noise_.burst_factor - 1) * share);
    sample.spent_s = emptying_s > 0 ? sample.wall_s + emptying_s : 0;
    time_ += (sample.wall_s + emptying_s) * static_cast<double>(number);
    return sample;
  }

  double normal() { return static_cast<double>(random_.normal()); }

  double bias(size_t item, int process) {
    if (noise_.process_bias == 0) return 1;
    const auto [entry, is_new] = biases_.try_emplace({item, process}, 0.0);
    if (is_new) {
      Random own(seed_, "bias " + std::to_string(item) + " " + std::to_string(process));
      entry->second = std::exp(noise_.process_bias * static_cast<double>(own.normal()));
    }
    return entry->second;
  }

  double wander() {
    if (noise_.wander == 0) return 0;
    const double kept = std::exp(-(time_ - wander_at_) / noise_.wander_s);
    wander_ = wander_ * kept + noise_.wander * std::sqrt(1 - kept * kept) * normal();
    wander_at_ = time_;
    return wander_;
  }

  /// Of the coming `seconds`, during which other programs are at work.
  double disturbed_share(double seconds) {
    if (noise_.bursts_per_s == 0) return 0;
    while (burst_end_ <= time_) next_burst();
    const double overlap = std::min(burst_end_, time_ + seconds) - std::max(burst_begin_, time_);
    return std::max(0.0, overlap) / seconds;
  }

  void next_burst() {
    if (noise_.bursts_per_s == 0) return;
    const auto exponential = [&](double centre) {
      return -centre * std::log(1 - bursts_.uniform());
    };
    burst_begin_ = burst_end_ + exponential(1 / noise_.bursts_per_s);
    burst_end_ = burst_begin_ + exponential(noise_.burst_s);
  }

  std::vector<double> call_s_;
  SimulatedNoise noise_;
  uint64_t seed_;
  Random random_, bursts_;
  double time_ = 0;
  double wander_ = 0, wander_at_ = 0;
  double burst_begin_ = 0, burst_end_ = 0;
  std::map<std::pair<size_t, int>, double> biases_;
};

}  // namespace opbench
