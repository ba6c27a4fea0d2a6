#include "base/system/loaded_library.h"

#include <dlfcn.h>

#include <cstring>

namespace opbench {

Result<void> load_library(const std::string& library, const LibraryJumps& jumps) {
  void* const loaded = ::dlopen(library.c_str(), RTLD_LAZY | RTLD_LOCAL);
  if (loaded == nullptr) {
    const char* const reason = ::dlerror();
    return Error{ErrorCode::kEnvironment, "cannot load the library \"" + library + "\""}
        .with("reason", reason == nullptr ? "" : reason)
        .with("help", "./dev setup installs it");
  }
  void** target = jumps.targets;
  for (const char* name = jumps.names; *name != '\0'; name += std::strlen(name) + 1) {
    *target = ::dlsym(loaded, name);
    if (*target++ == nullptr) {
      return Error{ErrorCode::kEnvironment,
                   "the library \"" + library + "\" lacks the function \"" + name + "\""}
          .with("help", "it is not the one that the program was built for: ./dev build");
    }
  }
  return {};
}

}  // namespace opbench
