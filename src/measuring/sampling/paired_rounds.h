#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "measuring/results/statistics.h"
#include "measuring/sampling/sampling_plan.h"

namespace opbench {

/// One round of an item in one process: every side visited twice, in an order and in its reverse.
struct PairedRound {
  int process = 0;
  std::vector<double> log_s;  ///< by side: logarithm of a call's time in the faster of its visits
  std::string cause;          ///< of the first disturbed visit; empty: the round counts
};

/// The rounds that an estimate is made from: the undisturbed ones, or all if there are fewer than
/// three of those.
std::vector<PairedRound> usable_rounds(std::span<const PairedRound> rounds);

/// ln(side / base) over these rounds: estimate_over_like_groups, the groups being the processes.
/// Where the sign-test interval over all rounds (order_statistic_interval) reaches further, its
/// bound counts, and the error grows in proportion. The error of disturbed rounds is not known
/// (degrees 0), which leaves their item without a verdict.
Estimate log_ratio_of(std::span<const PairedRound> rounds, size_t side, uint64_t seed,
                      size_t base = 0);

/// The logarithm of a side's time a call over these rounds, in the same way.
Estimate log_time_of(std::span<const PairedRound> rounds, size_t side, uint64_t seed);

/// Disturbed rounds by cause.
std::map<std::string, int64_t> dropped_rounds(std::span<const PairedRound> rounds);

/// What every item of a paired comparison gets at least, in every process.
struct PairedEffort {
  int rounds = 4;
  Seconds warm_up{0.03};   ///< of every side, the timed repeats included; three calls at least
  int steady_samples = 6;  ///< timed repeats of the warm-up, which show whether it has ended
  Seconds repeat{0.00025};
};

/// Calls in a repeat, for all sides alike: enough to fill `repeat` at the geometric mean of the
/// sides' times and a quarter of it on the fastest side; 1 if the slowest takes 20 ms or more.
int64_t paired_number(std::span<const double> call_s, Seconds repeat);

/// Repeats of a visit, of which the fastest counts. Other users of a core delay a call by bursts
/// shorter than a millisecond, which leave no trace but the time: of several short repeats most
/// visits have one without. As many as fit 5 ms at the geometric mean of the sides' times, 2 to 8;
/// 1 for calls of 0.1 s and more, which no burst decides.
int visit_repeats(std::span<const double> call_s, int64_t number);

/// Predicted time of a round in one process, and of a warm-up there.
Seconds round_cost(std::span<const double> call_s, int64_t number);
Seconds warm_up_cost(std::span<const double> call_s, const PairedEffort& effort);

/// Untimed calls before the first timed one: three, or one of 0.1 s and more.
int warm_up_calls(double call_s);

/// The largest effort that all items (`calls`: their times of a call by side) can have within half
/// of the budget; the rest is for those that need more. `options`: min_samples are rounds a
/// process; precision and seed do not matter. The last step, one round a process (but three in
/// all), is returned even if it takes longer: every item is to have a time.
PairedEffort paired_effort(std::span<const std::vector<double>> calls,
                           const SamplingOptions& options);

/// The processes that all items (`calls`, as in paired_effort) can be measured in within `time`,
/// each with the least effort and three rounds in all: at most `most`, at least two (or `most`).
int affordable_processes(std::span<const std::vector<double>> calls, Seconds time, int most,
                         Seconds clock_resolution);

/// How many of the first items can be measured in two processes within `time`; at least one.
size_t affordable_items(std::span<const std::vector<double>> calls, Seconds time,
                        Seconds clock_resolution);

/// Whether more rounds narrow an interval no further: with four times the rounds it shrank by less
/// than 10 %.
class PlateauRule {
 public:
  bool judge(size_t rounds, double half_width);

 private:
  std::vector<std::pair<size_t, double>> seen_;  ///< rounds and half-widths
};

}  // namespace opbench
