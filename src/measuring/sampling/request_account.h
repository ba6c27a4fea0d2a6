#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/errors/failure.h"
#include "base/json/json.h"
#include "measuring/results/profile_result.h"

namespace opbench {

/// Seconds of one `measure` request, as this program and the engine saw them.
struct RequestAccount {
  double outside_s = 0;   ///< around the request, by this program's clock
  double timed_s = 0;     ///< of all samples, by the engine's clock
  double untimed_s = 0;   ///< warm-up, cold caches and the like, as far as the request explains it
  double worked_s = 0;    ///< CPU time of the engine over the threads that a call may use
  double overhead_s = 0;  ///< of the shortest request and its answer
};

/// What `measure` was asked for.
struct MeasureRequest {
  int64_t number = 1;  ///< calls a sample
  double warm_up_s = 0;
  int64_t warm_up_calls = 0;
  bool is_hot = true;  ///< the caches are not emptied
};

/// What the samples of a reply take together.
double timed_s(const std::vector<Sample>& samples, int64_t number);

/// What the request explains of the untimed time that a reply declares: with hot caches the warm-up
/// and a few calls more; else all of it, as this program cannot know what emptying the caches
/// takes. An engine that declares none may have used all of that.
double untimed_s(const Json& reply, const std::vector<Sample>& samples,
                 const MeasureRequest& request);

/// The requests of one item. An engine that reports less time than its calls took, in every request
/// that can tell, has a clock that lies, or does its work after the clock has stopped. Time counts
/// as missing only as far as the engine worked: other work on the machine delays requests, and
/// takes no CPU time of the engine.
class RequestAccounts {
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
  int counted_ = 0;
};

}  // namespace opbench
