#include "measuring/sampling/request_account.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <limits>

namespace opbench {
namespace {

constexpr double kMissingShare = 0.25;    // of what the engine worked
constexpr double kMissingSeconds = 2e-3;  // what a busy machine adds to a request and its answer
constexpr double kOverheads = 10;         // so many make a request that can tell
constexpr int kFewestRequests = 3;

// As far as a neighbour cannot have caused it.
double spent_s(const RequestAccount& account) {
  return std::min(account.outside_s - account.overhead_s, account.worked_s);
}

}  // namespace

double timed_s(const std::vector<Sample>& samples, int64_t number) {
  double sum = 0;
  for (const Sample& sample : samples) sum += sample.wall_s * static_cast<double>(number);
  return sum;
}

double untimed_s(const Json& reply, const std::vector<Sample>& samples,
                 const MeasureRequest& request) {
  const Json entry = reply.value("untimed_s", Json());
  const double declared_s =
      entry.is_number() ? entry.get<double>() : std::numeric_limits<double>::infinity();
  if (!request.is_hot) return declared_s;
  double longest_s = 0;
  for (const Sample& sample : samples) longest_s = std::max(longest_s, sample.wall_s);
  // One call fills the caches, one more may wake threads; readings around samples cost a little.
  constexpr double kFurtherCalls = 3, kReadings = 0.05, kSlack = 5e-3;
  const double calls = (static_cast<double>(request.warm_up_calls) + kFurtherCalls) * longest_s;
  const double readings = kReadings * timed_s(samples, request.number);
  return std::min(declared_s, request.warm_up_s + calls + readings + kSlack);
}

void RequestAccounts::add(const RequestAccount& account) {
  const double spent = spent_s(account);
  if (spent < kOverheads * (account.overhead_s + kMissingSeconds)) return;
  ++counted_;
  const double missing = spent - account.timed_s - account.untimed_s - kMissingSeconds;
  const double share = missing / spent;
  if (counted_ > 1 && share >= least_share_) return;
  least_share_ = share;
  least_ = account;
}

bool RequestAccounts::is_clear() const { return counted_ > 0 && least_share_ <= kMissingShare; }

std::optional<Failure> RequestAccounts::finding() const {
  if (counted_ < kFewestRequests || least_share_ <= kMissingShare) return {};
  return Failure{
      FailureKind::kWrongResult,
      fmt::format("its clock cannot be trusted: it worked {:.3g} s on a request and accounts for "
                  "{:.3g} s, as in each of {} requests",
                  spent_s(least_), least_.timed_s + least_.untimed_s, counted_)};
}

}  // namespace opbench
