#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "watching/series/history.h"

namespace opbench {

/// How sure it is: one night or more say so; a paired run said so; 12 nights after it still say so.
enum class AlertState { kSuspected, kConfirmed, kSettled };

/// What people made of it.
enum class AlertLife { kNew, kAcknowledged, kAccepted, kFixed, kNoise };

/// kMissing: results that are not there any more.
enum class AlertKind { kChange, kMissing };

/// `suspected`, `confirmed`, `settled`; `new`, `acknowledged`, …; `change`, `missing`. The readers
/// return nothing for another word.
std::string_view name_of(AlertState state);
std::string_view name_of(AlertLife life);
std::string_view name_of(AlertKind kind);
std::optional<AlertState> alert_state_of(std::string_view word);
std::optional<AlertLife> alert_life_of(std::string_view word);
std::optional<AlertKind> alert_kind_of(std::string_view word);

/// Where a change came in: after the good night, with the bad one at the latest.
struct CommitRange {
  int good_night = 0;
  int bad_night = 0;
  std::string good_date = {};
  std::string bad_date = {};
  std::vector<Commit> commits = {};  ///< of these nights, oldest first
  bool operator==(const CommitRange&) const = default;
};

/// How much a row changed: ln(new / old) with an interval.
struct AlertRow {
  std::string series;  ///< `Series::id`
  double log_ratio = 0;
  double low = 0;
  double high = 0;
  double z = 0;       ///< |log ratio| of the nights over its standard error
  int64_t pairs = 0;  ///< that the interval is made of; 0: of nights
  bool operator==(const AlertRow&) const = default;
};

/// One cause: all rows that changed in one commit range of one engine.
struct Alert {
  std::string id;  ///< equal for the same range and engine: `halide@31-32`
  AlertKind kind = AlertKind::kChange;
  std::string engine = {};
  CommitRange range = {};
  AlertState state = AlertState::kSuspected;
  AlertLife life = AlertLife::kNew;
  std::vector<AlertRow> rows = {};  ///< those of paired runs first, of them the slower
  std::string cause = {};           ///< `kernel rebuilt`, `library rebuilt`, …
  std::string why_suspected = {};   ///< why it is not confirmed; empty where it is
  int reported_night = 0;           ///< when it was first seen
  std::optional<int> confirmed_night = {};
  std::optional<int> settled_night = {};
  bool operator==(const Alert&) const = default;
};

/// 100 * (new / old - 1), of ln(new / old).
double percent_change(double log_ratio);

/// Whether it is new or acknowledged: nobody accepted it, fixed it or called it noise.
bool is_open(const Alert& alert);

/// Whether something became slower: its first row did.
bool is_slower(const Alert& alert);

/// What `opbench regress` found: `opbench.regress/1`.
struct RegressReport {
  std::string detector = {};
  std::string unit = "ms";
  int64_t nights = 0;
  int64_t series = 0;
  int64_t rows = 0;
  std::optional<int> last_night = {};  ///< whose findings these are
  std::string last_date = {};
  bool has_pairs = false;                  ///< paired runs could be asked for
  int64_t paired_runs = 0;                 ///< questions that were measured
  int64_t pairs = 0;                       ///< of them all
  std::vector<Alert> alerts = {};          ///< in order of their nights
  std::vector<std::string> notes = {};     ///< one line each: surroundings, cost that moved, …
  std::vector<std::string> noisiest = {};  ///< rows of a suite that is too noisy to alarm
  bool operator==(const RegressReport&) const = default;
};

}  // namespace opbench
