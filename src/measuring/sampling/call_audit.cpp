#include "measuring/sampling/call_audit.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <chrono>

#include "measuring/sampling/engine_runner.h"
#include "measuring/sampling/request_account.h"

namespace opbench {

namespace {

constexpr Seconds kAuditLimit{120};
constexpr int kAuditedRepeats = 1;

double timed_s_of(const std::vector<Sample>& samples, int64_t number) {
  double sum = 0;
  for (const Sample& sample : samples) sum += sample.wall_s * static_cast<double>(number);
  return sum;
}

double declared_untimed_s(const Json& reply, const std::vector<Sample>& samples, int64_t number) {
  constexpr double kAll = 1e9;
  const Json declared = reply.value("untimed_s", Json());
  double longest_s = 0;
  for (const Sample& sample : samples) longest_s = std::max(longest_s, sample.wall_s);
  return explained_untimed_s(declared.is_number() ? declared.get<double>() : kAll, 0, 0, longest_s,
                             timed_s_of(samples, number), true);
}

Outcome<Json> timed_reply(const PreparationCall& call, const Json& inputs,
                          const std::filesystem::path& folder) {
  const Json audit = {
      {"after", kAuditedRepeats}, {"inputs", inputs}, {"outputs_dir", (folder / "timed").string()}};
  return call("measure",
              {{"unit", nullptr}, {"number", 1}, {"repeats", kAuditedRepeats}, {"audit", audit}},
              kAuditLimit);
}

}  // namespace

CallAudit audit_calls(const PreparationCall& call, const Json& inputs,
                      const std::filesystem::path& folder) {
  CallAudit found;
  for (int doubts = 0; doubts < kDoubts;) {
    // What fails here fails again, with its reason, where it is measured.
    const auto timed = timed_reply(call, inputs, folder);
    if (!timed || !timed->contains("audit")) return {};
    const auto samples = parse_samples(*timed);
    if (!samples) return {};
    if (!found.audit) {
      const Json params = {{"inputs", inputs}, {"outputs_dir", (folder / "checked").string()}};
      const auto checked = call("run", params, kAuditLimit);
      if (!checked || !checked->contains("outputs")) return {};
      found.audit = std::make_shared<Audit>(Audit{inputs.dump(), checked->at("outputs").dump()});
    }
    AuditLook look = look_at(*timed, *samples, *found.audit);
    if (look.failure) found.failure = std::move(look.failure);
    if (found.failure || !look.doubt) return found;
    if (++doubts == kDoubts) found.failure = std::move(look.doubt);
  }
  return found;
}

std::optional<Failure> audit_again(const PreparationCall& call, const Audit& audit,
                                   const std::filesystem::path& folder) {
  const Json inputs = Json::parse(audit.inputs);
  for (int doubts = 0; doubts < kDoubts;) {
    const auto timed = timed_reply(call, inputs, folder);
    if (!timed || !timed->contains("audit")) return {};
    const auto samples = parse_samples(*timed);
    if (!samples) return {};
    AuditLook look = look_at(*timed, *samples, audit);
    if (look.failure) return look.failure;
    if (!look.doubt) return {};
    if (++doubts == kDoubts) return look.doubt;
  }
  return {};
}

std::optional<Failure> account_calls(const PreparationCall& call,
                                     const std::function<double()>& waited_s) {
  constexpr int kMostRequests = 6, kAccountRepeats = 3;
  constexpr double kSampleSeconds = 0.05, kUsualOverhead = 1e-3;
  constexpr double kLongCall = 0.1;  // seconds: four requests would take too much of a run
  AccountBook book;
  int64_t number = 1;
  for (int i = 0; i <= kMostRequests && !book.finding() && !book.is_clear(); ++i) {
    const auto begin = std::chrono::steady_clock::now();
    const double waited_before_s = waited_s();
    const auto reply =
        call("measure", {{"unit", nullptr}, {"number", number}, {"repeats", kAccountRepeats}},
             kAuditLimit);
    const Seconds spent = std::chrono::steady_clock::now() - begin;
    const double waited = waited_s() - waited_before_s;
    // What fails here fails again, with its reason, where it is measured.
    if (!reply) return {};
    const auto samples = parse_samples(*reply);
    if (!samples) return {};
    // The first request tells how long a call takes by this program's clock.
    if (i > 0) {
      book.add({.outside_s = spent.count(),
                .timed_s = timed_s_of(*samples, number),
                .untimed_s = declared_untimed_s(*reply, *samples, number),
                .waited_s = waited,
                .overhead_s = kUsualOverhead});
    }
    const double call_s =
        std::max(spent.count() / (kAccountRepeats + 1) / static_cast<double>(number), 1e-7);
    if (call_s > kLongCall) return {};
    number = std::clamp<int64_t>(static_cast<int64_t>(kSampleSeconds / call_s), number, 1'000'000);
  }
  return book.finding();
}

}  // namespace opbench
