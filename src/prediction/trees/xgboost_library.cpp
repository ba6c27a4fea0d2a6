#include "prediction/trees/xgboost_library.h"

#include <fmt/format.h>
#include <xgboost/c_api.h>

#include "base/system/loaded_library.h"

namespace opbench {

LibraryJumps xgboost_jumps();  // of the build

Result<void> load_xgboost() {
  static const Result<void> kLoaded = load_library("libxgboost.so.0", xgboost_jumps());
  return kLoaded;
}

Result<std::string> xgboost_version() {
  OPBENCH_CHECK(load_xgboost());
  int major = 0, minor = 0, patch = 0;
  ::XGBoostVersion(&major, &minor, &patch);
  return fmt::format("{}.{}.{}", major, minor, patch);
}

}  // namespace opbench
