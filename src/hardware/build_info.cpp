#include "opbench/hardware/build_info.h"

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

}  // namespace opbench
