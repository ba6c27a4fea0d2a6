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
  // What fails here fails again, with its reason, where it is measured.
  const auto timed = timed_reply(call, inputs, folder);
  if (!timed || !timed->contains("audit")) return {};
  const auto samples = parse_samples(*timed);
  const auto checked = call(
      "run", {{"inputs", inputs}, {"outputs_dir", (folder / "checked").string()}}, kAuditLimit);
  if (!samples || !checked || !checked->contains("outputs")) return {};
  const auto audit =
      std::make_shared<const Audit>(Audit{inputs.dump(), checked->at("outputs").dump()});
  AuditLook look = look_at(*timed, *samples, *audit);
  if (look.doubt) look.failure = audit_again(call, *audit, folder);
  return {audit, std::move(look.failure)};
}

std::optional<Failure> audit_again(const PreparationCall& call, const Audit& audit,
                                   const std::filesystem::path& folder) {
  const Json inputs = Json::parse(audit.inputs);
  AuditLook look;
  for (int i = 0; i < kDoubts; ++i) {
    const auto timed = timed_reply(call, inputs, folder);
    if (!timed || !timed->contains("audit")) return {};
    const auto samples = parse_samples(*timed);
    if (!samples) return {};
    look = look_at(*timed, *samples, audit);
    if (look.failure || !look.doubt) return look.failure;
  }
  return look.doubt;
}

std::optional<Failure> account_calls(const PreparationCall& call,
                                     const std::function<std::optional<ProcessUse>()>& use,
                                     int threads) {
  constexpr int kMostRequests = 6, kAccountRepeats = 3;
  constexpr double kSampleSeconds = 0.05, kUsualOverhead = 1e-3;
  constexpr double kLongCall = 0.1;  // seconds: four requests would take too much of a run
  RequestAccounts accounts;
  int64_t number = 1;
  for (int i = 0; i <= kMostRequests && !accounts.finding() && !accounts.is_clear(); ++i) {
    const auto begin = std::chrono::steady_clock::now();
    const auto before = use();
    const auto reply =
        call("measure", {{"unit", nullptr}, {"number", number}, {"repeats", kAccountRepeats}},
             kAuditLimit);
    const Seconds spent = std::chrono::steady_clock::now() - begin;
    const auto after = use();
    // What fails here fails again, with its reason, where it is measured.
    if (!reply || !before || !after) return {};
    const auto samples = parse_samples(*reply);
    if (!samples) return {};
    // The first request tells how long a call takes by this program's clock.
    if (i > 0) {
      accounts.add({.outside_s = spent.count(),
                    .timed_s = timed_s(*samples, number),
                    .untimed_s = untimed_s(*reply, *samples, {.number = number}),
                    .worked_s = (after->cpu_s - before->cpu_s) / threads,
                    .overhead_s = kUsualOverhead});
    }
    const double call_s =
        std::max(spent.count() / (kAccountRepeats + 1) / static_cast<double>(number), 1e-7);
    if (call_s > kLongCall) return {};
    number = std::clamp<int64_t>(static_cast<int64_t>(kSampleSeconds / call_s), number, 1'000'000);
  }
  return accounts.finding();
}

}  // namespace opbench
