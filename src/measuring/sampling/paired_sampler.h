#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "base/numbers/random.h"
#include "measuring/sampling/paired_rounds.h"
#include "measuring/sampling/paired_times.h"

namespace opbench {

/// One side of an item in one process.
struct PairedPlace {
  std::vector<Sample> samples;
  double faults = 0;
  int last_cpu = -1;
  bool steady = true;
};

/// What has been measured of an item.
struct PairedState {
  std::vector<std::vector<PairedPlace>> places;  ///< by process and side
  std::vector<double> call_s;                    ///< by side
  int processes = 0;                             ///< of each side, that it is measured in
  int64_t number = 1;
  std::vector<PairedRound> rounds;
  Seconds spent{0};  ///< on the rounds
  PairedTimes latest;
  bool is_decided = false;
  bool wants_processes = false;  ///< more rounds in the same ones do not help
  PlateauRule plateau;
  std::string stop_reason;
  std::optional<Failure> failure;
  int failed_side = -1;
  bool is_active() const { return !failure && stop_reason.empty(); }
};

/// The clock of a side's samples.
TimeClock clock_of(const PairedState& state, size_t side);

/// One more round of an item in a process.
struct PairedSlot {
  size_t item = 0;
  int process = 0;
};

/// Takes the samples of a paired comparison: calibration, warm-up and rounds; which of them, and
/// when, is the procedure's business. What fails is marked in its state, its process recovered or
/// given up together with those that it is paired with.
class PairedSampler {
 public:
  PairedSampler(const std::vector<PairedItem>& items, Runner& runner, Clock& clock,
                const PairedOptions& options);

  std::vector<PairedState>& states() { return states_; }
  const std::vector<PairedState>& states() const { return states_; }

  /// Of those that all items start with.
  std::vector<int> processes_left() const;
  bool can_go(const PairedSlot& slot) const;
  Seconds remaining();
  /// 0 to count - 1 in random order.
  std::vector<size_t> shuffled(size_t count) { return random_.shuffled(count); }

  /// Times of a call on every side, in the first process that is left.
  void calibrate(size_t item);
  /// On every side: untimed calls, then timed ones that do not count, until they are steady.
  void warm_up(const PairedSlot& slot, const PairedEffort& effort);
  /// Visits every side twice, in a random order and in its reverse.
  void make_round(const PairedSlot& slot);
  /// By what the rounds so far have taken, retakes included.
  Seconds expected_round(size_t item) const;

 private:
  void fail(size_t item, size_t side, int process, Failure failure);
  std::optional<std::vector<Sample>> take(size_t item, size_t side, int process, int64_t number,
                                          int repeats, Seconds warm_up, int calls);
  void warm_up_side(const PairedSlot& slot, size_t side, const PairedEffort& effort);
  std::optional<Sample> sample_of(const PairedSlot& slot, size_t side);
  bool visit(const PairedSlot& slot, size_t side, PairedRound& round);

  const std::vector<PairedItem>& items_;
  Runner& runner_;
  Clock& clock_;
  const PairedOptions& options_;
  Random random_;
  Seconds start_;
  std::vector<PairedState> states_;
  std::set<int> lost_;  ///< processes of which some side is gone
};

}  // namespace opbench
