#include "timed_calls.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <optional>

#include "base/system/cpu_wait.h"
#include "base/system/seconds.h"
#include "engines/client/process_use.h"
#include "engines/protocol/tensor_files.h"
#include "measuring/sampling/audit.h"
#include "measuring/sampling/engine_runner.h"
#include "measuring/sampling/request_account.h"

namespace opbench {
namespace {

constexpr int kAuditRepeats = 5;
constexpr int kAccounts = 6;         ///< requests that may tell whether a clock lies
constexpr double kLongSample = 0.3;  ///< seconds of all samples of such a request
constexpr double kOverhead = 2e-3;   ///< seconds that a request and its reply take at most
constexpr int64_t kMostCalls = 1000000;

double waited(int pid) {
  const auto use = process_use(pid);
  return cpu_wait_s().value_or(0) + (use ? use->waited_s : 0);
}

/// What a timed call on inputs that it has not seen makes, and how long it takes.
void check_audit(const TimedCalls& calls) {
  const Json inputs = Json::array({calls.input});
  const auto wanted = write_tensor(calls.folder / "y5.bin", "y", calls.output);
  const Audit audit{inputs.dump(), Json::array({wanted.value()}).dump()};
  std::optional<Failure> finding;
  for (int doubts = 0; doubts < kDoubts && !finding;) {
    const Json result =
        calls.call("measure", {{"name", "m"},
                               {"unit", nullptr},
                               {"number", 1},
                               {"repeats", kAuditRepeats},
                               {"audit",
                                {{"after", kAuditRepeats - 1},
                                 {"inputs", inputs},
                                 {"outputs_dir", (calls.folder / "audited").string()}}}});
    const auto samples = parse_samples(result.is_object() ? result : Json::object());
    if (!samples) return calls.rule("measure with an audit is answered", false, result.dump());
    AuditLook look = look_at(result, *samples, audit);
    if (look.failure) finding = std::move(look.failure);
    if (!look.doubt) break;
    if (++doubts == kDoubts) finding = std::move(look.doubt);
  }
  calls.rule("a timed call on other inputs makes their result, in the time of a call", !finding,
             finding ? finding->text : "");
}

/// Its times account for the time that requests take.
void check_accounts(const TimedCalls& calls) {
  AccountBook book;
  int64_t number = 1;
  for (int i = 0; i < kAccounts && !book.finding() && !book.is_clear(); ++i) {
    const auto begin = std::chrono::steady_clock::now();
    const double waited_s = waited(calls.pid);
    const Json result = calls.call("measure", {{"name", "m"},
                                               {"unit", nullptr},
                                               {"number", number},
                                               {"repeats", kAuditRepeats},
                                               {"cache", "hot"}});
    const Seconds spent = std::chrono::steady_clock::now() - begin;
    const auto samples = parse_samples(result.is_object() ? result : Json::object());
    if (!samples) return calls.rule("a long measure is answered", false, result.dump());
    double timed_s = 0, longest_s = 0;
    for (const Sample& sample : *samples) {
      timed_s += sample.wall_s * static_cast<double>(number);
      longest_s = std::max(longest_s, sample.wall_s);
    }
    const Json declared = result.value("untimed_s", Json());
    const double untimed_s = explained_untimed_s(
        declared.is_number() ? declared.get<double>() : 1e9, 0, 0, longest_s, timed_s, true);
    book.add({spent.count(), timed_s, untimed_s, waited(calls.pid) - waited_s, kOverhead});
    number = std::clamp<int64_t>(
        static_cast<int64_t>(kLongSample / (spent.count() / static_cast<double>(number))), number,
        kMostCalls);
  }
  const auto finding = book.finding();
  calls.rule("its samples account for the time of their requests", !finding,
             finding ? finding->text : "");
}

}  // namespace

void check_timed_calls(const TimedCalls& calls) {
  check_audit(calls);
  check_accounts(calls);
}

}  // namespace opbench
