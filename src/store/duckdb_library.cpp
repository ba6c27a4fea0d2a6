#include "opbench/store/duckdb_library.h"

#include <dlfcn.h>

#include <filesystem>
#include <string>

#include "opbench/base/file.h"

extern "C" {
extern const char* const opbench_duckdb_names[];  // NOLINT: of the generated jumps
extern void* opbench_duckdb_table[];              // NOLINT
}

namespace opbench {
namespace {

constexpr const char* kPlace =
    "lib/opbench/node_modules/@duckdb/node-bindings-linux-x64/libduckdb.so";

Result<void> load() {
  const std::filesystem::path path = executable_folder().parent_path() / kPlace;
  void* const library = ::dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) {
    return Error{ErrorCode::kEnvironment, "cannot load DuckDB from \"" + path.string() + "\""}
        .with("reason", ::dlerror())
        .with("help", "./dev setup fetches it");
  }
  for (size_t i = 0; opbench_duckdb_names[i] != nullptr; ++i) {
    opbench_duckdb_table[i] = ::dlsym(library, opbench_duckdb_names[i]);
  }
  return {};
}

}  // namespace

Result<void> load_duckdb() {
  static const Result<void> kLoaded = load();
  return kLoaded;
}

}  // namespace opbench
