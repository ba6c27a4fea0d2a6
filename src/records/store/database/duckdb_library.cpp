#include "records/store/database/duckdb_library.h"

#include <filesystem>

#include "base/files/file.h"
#include "base/system/loaded_library.h"

namespace opbench {

LibraryJumps duckdb_jumps();  // of the build

Result<void> load_duckdb() {
  constexpr const char* kPlace =
      "lib/opbench/node_modules/@duckdb/node-bindings-linux-x64/libduckdb.so";
  static const Result<void> kLoaded =
      load_library(executable_folder().parent_path() / kPlace, duckdb_jumps());
  return kLoaded;
}

}  // namespace opbench
