#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/errors/error.h"
#include "base/json/json.h"
#include "experiments/regress/kept_findings.h"
#include "presentation/web/store/web_store.h"

namespace opbench {

/// Nights of one suite, branch and machine: the base of one history.
struct SuiteNights {
  std::string suite;
  std::string branch;
  std::string machine;  ///< machine_hash
  auto operator<=>(const SuiteNights&) const = default;
};

/// What `regress` kept of the last night, with what people said of it.
struct SuiteFindingsKept {
  KeptFindings kept;
  std::vector<Annotation> words;
};

/// Nothing where `regress` has kept none. Errors as read_findings().
Result<std::optional<SuiteFindingsKept>> findings_of_suite(const WebStore& store,
                                                           const SuiteNights& nights);

int64_t open_alerts(const SuiteFindingsKept& findings);

/// Makes alerts of a suite into what pages show: with the series, nights and commands.
class AlertPages {
 public:
  /// Reads which series and nights the suite has.
  static Result<AlertPages> make(WebStore& store, const SuiteNights& nights,
                                 const SuiteFindingsKept& findings);

  /// `AlertInfo` of the contract; `most_rows` of its rows.
  Json info(const Alert& alert, size_t most_rows) const;

  /// What people said of the alert.
  Json words_on(const Alert& alert) const;

  /// The id of a series by its name in the report; null where the store has none.
  Json id_of(const std::string& series) const;
  /// For people.
  static std::string label_of(const std::string& series);

  /// `entries.selector` of a night; empty: there is none.
  std::string selector_of(const std::string& night) const;

 private:
  AlertPages(SuiteNights nights, const SuiteFindingsKept& findings)
      : nights_(std::move(nights)), findings_(findings) {}

  SuiteNights nights_;
  const SuiteFindingsKept& findings_;
  std::map<std::string, std::string> ids_;        ///< of series
  std::map<std::string, std::string> selectors_;  ///< of nights
};

/// {"title": …, "command": …}
Json titled_command(const std::string& title, const std::string& command);

}  // namespace opbench
