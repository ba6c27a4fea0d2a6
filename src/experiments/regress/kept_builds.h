#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string_view>

#include "base/errors/error.h"

namespace opbench {

/// What of old builds stays; nothing: there is no such limit.
struct KeepRule {
  std::optional<int64_t> builds;
  std::optional<double> bytes;
  bool operator==(const KeepRule&) const = default;
};

/// `30 builds`, `10 GB`, `30 builds, 10 GB`; units of 10^6 bytes and so on. `kInvalidInput` for
/// other text.
Result<KeepRule> parse_keep_rule(std::string_view text);

struct PrunedBuilds {
  int64_t removed = 0;
  double freed_bytes = 0;
  int64_t kept = 0;
};

/// Removes the builds of a folder (and of the folders in it) that were made first, until the rule
/// holds. A build that another program is making or waits for stays, and a suite's frozen control.
Result<PrunedBuilds> prune_builds(const std::filesystem::path& folder, const KeepRule& rule);

}  // namespace opbench
