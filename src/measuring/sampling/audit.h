#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/errors/failure.h"
#include "base/files/file.h"
#include "base/json/json.h"
#include "base/numbers/random.h"
#include "measuring/results/profile_result.h"

namespace opbench {

/// Inputs on which an item was checked and what it made of them: lists of tensor files of the
/// engine protocol, as JSON text.
struct Audit {
  std::string inputs;
  std::string outputs;
};

/// The timed call on other inputs, flagged kFreshFlag; nothing where the reply has none.
std::optional<Sample> fresh_sample(const Json& reply);

/// What one audited reply shows.
struct AuditLook {
  std::optional<Failure> failure = {};  ///< an output is wrong
  std::optional<Failure> doubt = {};    ///< the call took longer than cold inputs explain
};

/// `hot`: the samples of the same reply.
AuditLook look_at(const Json& reply, const std::vector<Sample>& hot, const Audit& audit);

/// Doubts in turn that make a failure.
constexpr int kDoubts = 3;

/// Has timed calls look at inputs that the engine's process has not seen, between samples of the
/// prepared ones, so that a kernel that is right only when it is checked, or that keeps results
/// from call to call, is found out: decision 76. What it costs stays below kAuditShare of the time
/// that an item is measured for, but for the first audit of an item and those that follow a doubt.
class Auditor {
 public:
  explicit Auditor(uint64_t seed) : random_(seed, "audits") {}

  /// What `measure` is asked as `audit` with this request for so many samples, or null. Drawn: a
  /// tenth of the requests, and one of the first of each item. The first process ran the check and
  /// knows the inputs, so that others come first.
  Json request(size_t item, int process, int repeats, const Audit& audit);

  /// What an audited reply shows: an output that is not what the item made of these inputs when it
  /// was checked (kWrongResult), or three calls in turn that took longer than cold inputs explain.
  /// `hot` are the samples of the same reply, `spent_s` the time of the whole request. Nothing:
  /// all is well, or the engine does not know audits.
  std::optional<Failure> judge(size_t item, const Json& reply, const std::vector<Sample>& hot,
                               double spent_s, const Audit& audit);

 private:
  struct Item {
    std::map<int, int> requests;  ///< by process
    std::map<int, int> first_at;  ///< of these requests, the one that is audited in any case
    int doubts = 0;               ///< in turn
    bool is_audited = false;
    double measured_s = 0, audited_s = 0;
  };
  bool is_due(Item& item, int process);

  Random random_;
  std::map<size_t, Item> items_;
  std::optional<TemporaryFolder> folder_;
};

/// Of the time that an item is measured for.
constexpr double kAuditShare = 0.01;

}  // namespace opbench
