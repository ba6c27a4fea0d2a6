#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/errors/failure.h"

namespace opbench {

/// Seconds of one `measure` request, as this program and the engine saw them.
struct RequestAccount {
  double outside_s = 0;   ///< around the request, by this program's clock
  double timed_s = 0;     ///< of all samples, by the engine's clock
  double untimed_s = 0;   ///< warm-up, cold caches and the like, as far as the request explains it
  double waited_s = 0;    ///< that either program's threads waited for a CPU
  double overhead_s = 0;  ///< of the shortest request and its answer
};

/// What the request explains of the untimed time that an engine declares: with hot caches the
/// warm-up and a few calls more. `longest_s`: of its timed calls. `is_hot` false: all of it, as
/// this program cannot know what emptying the caches takes.
double explained_untimed_s(double declared_s, double warm_up_s, int64_t warm_up_calls,
                           double longest_s, double timed_s, bool is_hot);

/// The requests of one item. An engine that reports less time than its calls took, in every request
/// that can tell, has a clock that lies, or does its work after the clock has stopped.
class AccountBook {
 public:
  void add(const RequestAccount& account);
  /// Whether a request that can tell was whole.
  bool is_clear() const;
  /// What is missing, once three requests were long enough to tell and all of them lack time.
  std::optional<Failure> finding() const;

 private:
  double least_share_ =
      1;  ///< of the time outside that is missing, over the requests that can tell
  RequestAccount least_;
  int telling_ = 0;
};

}  // namespace opbench
