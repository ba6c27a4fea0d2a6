#pragma once

#include <string>
#include <vector>

#include "watching/series/alert.h"
#include "watching/series/history.h"

namespace opbench {

/// What of a history a digest tells.
struct DigestScope {
  std::string suite;
  std::string branch;
  std::string since;  ///< a date: nights from it on; 2026-11-21
};

/// The time since a date as Markdown, for a person to edit and mail: nights and commits, what
/// became slower and faster with state, size and commits, what is missing, what was said of it,
/// what the machine did; and that nothing was found where that is so.
std::string digest_markdown(const RegressReport& report, const History& history,
                            const DigestScope& scope);

}  // namespace opbench
