#include "machine/facts/build_info.h"

#include "git_state.h"

namespace opbench {

BuildInfo build_info() {
  return {.version = OPBENCH_VERSION,
          .compiler = OPBENCH_COMPILER,
          .compiler_flags = OPBENCH_COMPILER_FLAGS,
          .build_type = OPBENCH_BUILD_TYPE,
          .git_commit = OPBENCH_GIT_COMMIT,
          .git_dirty = OPBENCH_GIT_DIRTY};
}

std::string commit_text(const BuildInfo& build) {
  constexpr size_t kDigits = 12;
  return build.git_commit.substr(0, kDigits) + (build.git_dirty ? "+changes" : "");
}

}  // namespace opbench
