#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "base/errors/error.h"
#include "experiments/regress/annotations.h"
#include "watching/series/alert.h"
#include "watching/series/history.h"

namespace opbench {

/// What the last night of a suite on a branch came to, kept beside the store: a page shows it
/// without an analysis.
struct KeptFindings {
  std::string suite;
  std::string branch;   ///< whose night it was
  std::string machine;  ///< machine_hash
  std::string night;    ///< which was measured
  std::string commit;
  std::string at;  ///< when it was analysed, RFC 3339
  int cases = 0;   ///< measured, in all calls of this night
  int left_out = 0;
  std::vector<Fact> failures = {};  ///< of cases: what could not be measured, and why
  std::vector<Night> nights = {};   ///< without their rows
  RegressReport report = {};        ///< before people's words on its alerts
};

/// `findings-….json` in the folder of a suite, for a branch on a machine.
std::filesystem::path findings_file(const std::filesystem::path& watch_folder,
                                    const std::string& branch, const std::string& machine);

/// Writes the file anew.
Result<void> keep_findings(const std::filesystem::path& watch_folder, const KeptFindings& findings);

/// Nothing where there is no file. `kInvalidInput` naming the member that is missing or of another
/// kind.
Result<std::optional<KeptFindings>> read_findings(const std::filesystem::path& watch_folder,
                                                  const std::string& branch,
                                                  const std::string& machine);

/// Applies what people said of the alerts, as apply_annotations(), and returns all of it.
Result<std::vector<Annotation>> apply_words(const std::filesystem::path& watch_folder,
                                            KeptFindings& findings);

}  // namespace opbench
