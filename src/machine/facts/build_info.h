#pragma once

#include <string>

namespace opbench {

/// How this binary was built.
struct BuildInfo {
  std::string version;
  std::string compiler;        ///< `GNU 12.2.0`
  std::string compiler_flags;  ///< with the build type's
  std::string build_type;
  std::string git_commit;  ///< 40 hex digits; empty when not built from a checkout
  bool git_dirty = false;  ///< a source or build file differed from that commit
};

BuildInfo build_info();

/// Twelve digits of the commit, `+changes` after it when it is dirty; empty when not known.
std::string commit_text(const BuildInfo& build);

}  // namespace opbench
