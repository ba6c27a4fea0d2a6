#pragma once

namespace opbench {

/// What requests for several runs cost in wall time: a fixed part and one for each run, learnt from
/// those that were made. An engine may need much more than its runs take: it loads a session again,
/// or lets its threads fall asleep before each.
class RequestCost {
 public:
  /// A request of `count` runs took `elapsed_s`; its last run by itself took `run_s`.
  void add(int count, double elapsed_s, double run_s);

  /// Expected seconds of a request; 0 before the first add().
  double of(int count) const { return fixed_s_ + count * run_s_; }
  double fixed_s() const { return fixed_s_; }
  /// What the last run took by itself.
  double run_itself_s() const { return run_itself_s_; }

  /// How many runs `seconds` pay for, at most four times as many as any request had: what was
  /// learnt from few runs says little about many.
  int affordable(double seconds) const;

 private:
  int last_count_ = 0;
  int most_ = 0;
  double last_elapsed_s_ = 0;
  double fixed_s_ = 0;
  double run_s_ = 0;
  double run_itself_s_ = 0;
};

}  // namespace opbench
