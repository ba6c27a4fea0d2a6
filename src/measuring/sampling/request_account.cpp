#include "measuring/sampling/request_account.h"

#include <fmt/format.h>

#include <algorithm>

namespace opbench {
namespace {

constexpr double kMissingShare = 0.1;
constexpr double kMissingSeconds = 2e-3;  // what a busy machine adds to a request and its answer
constexpr double kOverheads = 10;         // so many make a request that can tell
constexpr int kTellingRequests = 3;

double missing_s(const RequestAccount& account) {
  return account.outside_s - account.timed_s - account.untimed_s - account.waited_s -
         account.overhead_s - kMissingSeconds;
}

}  // namespace

double explained_untimed_s(double declared_s, double warm_up_s, int64_t warm_up_calls,
                           double longest_s, double timed_s, bool is_hot) {
  if (!is_hot) return declared_s;
  // One call fills the caches, one more may wake threads; readings around samples cost a little.
  constexpr double kFurtherCalls = 3, kReadings = 0.05, kSlack = 5e-3;
  const double calls = (static_cast<double>(warm_up_calls) + kFurtherCalls) * longest_s;
  return std::min(declared_s, warm_up_s + calls + kReadings * timed_s + kSlack);
}

void AccountBook::add(const RequestAccount& account) {
  const double shortest = kOverheads * (account.overhead_s + kMissingSeconds);
  if (account.outside_s - account.waited_s < shortest) return;
  ++telling_;
  const double share = missing_s(account) / account.outside_s;
  if (telling_ > 1 && share >= least_share_) return;
  least_share_ = share;
  least_ = account;
}

std::optional<Failure> AccountBook::finding() const {
  if (telling_ < kTellingRequests || least_share_ <= kMissingShare) return {};
  return Failure{
      FailureKind::kWrongResult,
      fmt::format("its clock cannot be trusted: a request took {:.3g} s, and it accounts for "
                  "{:.3g} s, as in each of {} requests",
                  least_.outside_s, least_.timed_s + least_.untimed_s, telling_)};
}

void PairBook::add(int pairs, double ran_s, double timed_s) {
  const Request request{pairs, ran_s, timed_s};
  if (!fewest_ || pairs < fewest_->pairs) fewest_ = request;
  if (!most_ || pairs > most_->pairs) most_ = request;
}

std::optional<Failure> PairBook::finding() const {
  constexpr int kFewestMore = 3;
  constexpr double kTimes = 2.5, kSlack = 1e-3;  // seconds a pair, for the profiler's own records
  if (!most_ || most_->pairs - fewest_->pairs < kFewestMore) return {};
  const double more = most_->pairs - fewest_->pairs;
  const double ran_s = (most_->ran_s - fewest_->ran_s) / more;
  const double timed_s = most_->timed_s / most_->pairs;
  if (ran_s <= kTimes * timed_s + kSlack) return {};
  return Failure{
      FailureKind::kWrongResult,
      fmt::format("its clock cannot be trusted: a plain and an instrumented run keep its first "
                  "thread busy for {:.3g} ms, and it says that they take {:.3g} ms",
                  ran_s * 1e3, timed_s * 1e3)};
}

}  // namespace opbench
