#include "measuring/sampling/call_audit.h"

#include <nlohmann/json.hpp>

#include "measuring/sampling/engine_runner.h"

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

}  // namespace opbench
