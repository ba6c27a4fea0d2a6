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

bool AccountBook::is_clear() const { return telling_ > 0 && least_share_ <= kMissingShare; }

std::optional<Failure> AccountBook::finding() const {
  if (telling_ < kTellingRequests || least_share_ <= kMissingShare) return {};
  return Failure{
      FailureKind::kWrongResult,
      fmt::format("its clock cannot be trusted: a request took {:.3g} s, and it accounts for "
                  "{:.3g} s, as in each of {} requests",
                  least_.outside_s, least_.timed_s + least_.untimed_s, telling_)};
}

}  // namespace opbench
