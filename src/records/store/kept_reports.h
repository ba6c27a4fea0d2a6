#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "base/errors/error.h"

/// Whole reports beside the parts of a store: `reports/plan-<id>.json`. Pages show them; SQL does
/// not know them.
namespace opbench {

inline constexpr const char* kPlanReports = "plan";                  ///< opbench.plan/1
inline constexpr const char* kInterferenceReports = "interference";  ///< opbench.interference/1

struct KeptReport {
  std::string id;  ///< 16 hex digits, from its content
  std::filesystem::path path;
  int64_t written_ms = 0;  ///< when it was written last, in epoch milliseconds
};

/// Writes the report; one of the same content stands once. Returns its id.
Result<std::string> keep_report(const std::filesystem::path& store, const std::string& kind,
                                const std::string& text);

/// The reports of a kind, the newest first; none where the store has none.
std::vector<KeptReport> kept_reports(const std::filesystem::path& store, const std::string& kind);

/// One of them. `kNoMatch` for an unknown id.
Result<KeptReport> kept_report(const std::filesystem::path& store, const std::string& kind,
                               const std::string& id);

/// The text of a report. `kNoMatch` for an unknown id.
Result<std::string> read_report(const std::filesystem::path& store, const std::string& kind,
                                const std::string& id);

}  // namespace opbench
